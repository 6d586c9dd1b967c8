// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The objects that operators with a fixed number of upstreams keep alive, and for how long.
@Suite struct FanInLifetimeTests {
  enum Kind: CaseIterable { case merge, zip, combineLatest }

  private typealias Subject = PassthroughSubject<Canary, TestError>

  private func combine(_ kind: Kind, _ first: Subject, _ second: Subject) -> AnyPublisher<Void, TestError> {
    switch kind {
    case .merge: first.map { $0 }.merge(with: second).map { _ in }.eraseToAnyPublisher()
    case .zip: first.zip(second).map { _ in }.eraseToAnyPublisher()
    case .combineLatest: first.combineLatest(second).map { _ in }.eraseToAnyPublisher()
    }
  }

  @Test(arguments: Kind.allCases, ["cancel", "finish", "failure"])
  func `Values that are kept are freed at the end, though the subscription is held`(_ kind: Kind, _ end: String) {
    var graveyard = Graveyard()
    let (first, second) = (Subject(), Subject())
    // Merge keeps values without demand.
    let recorder = Recorder<Void, TestError>(demand: kind == .merge ? nil : .unlimited)
    combine(kind, first, second).subscribe(recorder)
    for _ in 0..<3 { first.send(graveyard.watch(Canary(), "value")) }
    #expect(graveyard.survivors.count == (kind == .zip ? 3 : 1))
    switch end {
    case "cancel": recorder.cancel()
    case "finish":
      second.send(completion: .finished)
      first.send(completion: .finished)
      if kind == .merge { recorder.request(.max(1)) }
    default: second.send(completion: .failure(.oops))
    }
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(recorder.subscriptions) {}
  }

  @Test(arguments: Kind.allCases)
  func `Values that are kept are freed after the delivery in which the cancel came`(_ kind: Kind) {
    var graveyard = Graveyard()
    let (first, second) = (Subject(), Subject())
    let recorder = Recorder<Void, TestError>(demand: kind == .merge ? .max(1) : .unlimited)
    combine(kind, first, second).subscribe(recorder)
    recorder.onValue = { _ in
      elsewhere { recorder.cancel() }
      return .none
    }
    for _ in 0..<2 { first.send(graveyard.watch(Canary(), "first")) }
    second.send(graveyard.watch(Canary(), "second"))
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `Values queued by another thread are freed with a cancel`(_ kind: Kind) {
    let graveyard = Locked(Graveyard())
    let subjects = UncheckedBox((Subject(), Subject()))
    let recorder = Recorder<Void, TestError>()
    combine(kind, subjects.value.0, subjects.value.1).subscribe(recorder)
    var alive = 0
    recorder.onValue = { _ in
      onThreads([
        { for _ in 0..<3 { subjects.value.1.send(graveyard.change { $0.watch(Canary(), "queued") }) } }
      ])
      alive = graveyard.value.survivors.count
      recorder.cancel()
      return .none
    }
    subjects.value.0.send(Canary())
    if kind != .merge { subjects.value.1.send(Canary()) }
    #expect(alive == 3)
    #expect(graveyard.value.survivors.isEmpty)
    #expect(recorder.values.count == 1)
  }

  @Test(arguments: FanInCase.all, ["cancel", "finish", "failure", "late", "never"])
  func `Nothing is left in memory`(_ candidate: FanInCase, _ end: String) {
    var graveyard = Graveyard()
    do {
      let subjects = (0..<candidate.count).map { place in
        graveyard.watch(PassthroughSubject<Int, TestError>(), "subject \(place)")
      }
      let recorder = graveyard.watch(RowRecorder(demand: .max(2)), "recorder")
      let combined = candidate.combine(
        subjects.map { subject in
          subject.map { [canary = graveyard.watch(Canary(), "closure")] value in
            withExtendedLifetime(canary) { value }
          }.eraseToAnyPublisher()
        })
      if end == "never" { return }
      combined.subscribe(recorder)
      for value in 0..<3 { for subject in subjects { subject.send(value) } }
      switch end {
      case "cancel": recorder.cancel()
      case "finish":
        for subject in subjects { subject.send(completion: .finished) }
        recorder.request(.unlimited)
      case "failure": subjects[1].send(completion: .failure(.oops))
      default:
        recorder.onValue = { _ in
          recorder.cancel()
          return .none
        }
        recorder.request(.unlimited)
        for subject in subjects { subject.send(7) }
        recorder.onValue = nil
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `A sink's closures are freed when the stream ends, by whatever end`(_ kind: Kind) {
    for end in ["cancel", "finish", "failure", "inside"] {
      var graveyard = Graveyard()
      let (first, second) = (Subject(), Subject())
      var cancellable: AnyCancellable?
      do {
        let canary = graveyard.watch(Canary(), "closure")
        cancellable = combine(kind, first, second).sink(
          receiveCompletion: { _ in },
          receiveValue: {
            withExtendedLifetime(canary) { if end == "inside" { cancellable?.cancel() } }
          })
      }
      first.send(Canary())
      second.send(Canary())
      switch end {
      case "cancel": cancellable?.cancel()
      case "finish":
        first.send(completion: .finished)
        second.send(completion: .finished)
      case "failure": second.send(completion: .failure(.oops))
      default: break
      }
      #expect(graveyard.survivors.isEmpty, "\(end)")
    }
  }

  /// The deinit of a value runs user code, which may send into the same stream.
  @Test func `A value that sends when it is freed does no harm`() {
    final class Sender: @unchecked Sendable {
      let onDeinit: () -> Void
      init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
      deinit { onDeinit() }
    }
    let (first, second) = (PassthroughSubject<Sender, Never>(), PassthroughSubject<Int, Never>())
    var pairs = 0
    let cancellable = first.combineLatest(second).sink { _ in pairs += 1 }
    second.send(1)
    var freed = 0
    for _ in 0..<3 {
      first.send(
        Sender {
          freed += 1
          second.send(2)
        })
    }
    #expect(freed == 2)
    #expect(pairs >= 3)
    let before = pairs
    cancellable.cancel()
    #expect(freed == 3)
    #expect(pairs == before)
  }
}
