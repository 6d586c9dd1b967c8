// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// One upstream ends while downstream is still busy, and the next one delivers on another thread.
@Suite struct SequentialSerialTests {
  typealias Stream = AnyPublisher<Int, TestError>
  typealias Probe = Recorder<Int, TestError>

  enum Kind: CaseIterable { case append, appendThrice, prepend, `catch`, tryCatch, retry }

  /// The completion of the first upstream that makes the second one follow.
  static func ending(_ kind: Kind) -> Subscribers.Completion<TestError> {
    switch kind {
    case .append, .appendThrice, .prepend: .finished
    case .catch, .tryCatch, .retry: .failure(.oops)
    }
  }

  static func join(_ kind: Kind, _ first: some Publisher<Int, TestError>, _ second: some Publisher<Int, TestError>)
    -> Stream
  {
    switch kind {
    case .append: return first.append(second).eraseToAnyPublisher()
    case .appendThrice:
      return first.append(Empty()).append(second).append(Empty()).eraseToAnyPublisher()
    case .prepend: return second.prepend(first).eraseToAnyPublisher()
    case .catch: return first.catch { _ in second }.eraseToAnyPublisher()
    case .tryCatch: return first.tryCatch { _ in second }.mapError { $0 as! TestError }.eraseToAnyPublisher()
    case .retry:
      let made = Locked(0)
      return Deferred {
        made.change { made in
          made += 1
          return made == 1 ? first.eraseToAnyPublisher() : second.eraseToAnyPublisher()
        }
      }.retry(1).eraseToAnyPublisher()
    }
  }

  /// The second upstream: one of the library's, or a user's.
  enum Source: CaseIterable {
    case subject, foreign

    func make() -> (Stream, UncheckedBox<(Signal) -> Void>) {
      switch self {
      case .subject:
        let subject = PassthroughSubject<Int, TestError>()
        return (
          subject.eraseToAnyPublisher(),
          UncheckedBox { signal in
            switch signal {
            case .value(let value): subject.send(value)
            case .end(let completion): subject.send(completion: completion)
            }
          }
        )
      case .foreign:
        let manual = ManualPublisher<Int, TestError>()
        return (
          manual.eraseToAnyPublisher(),
          UncheckedBox { signal in
            switch signal {
            case .value(let value): manual.send(value)
            case .end(let completion): manual.send(completion: completion)
            }
          }
        )
      }
    }
  }

  enum Signal: Sendable {
    case value(Int)
    case end(Subscribers.Completion<TestError>)
  }

  static let signals: [[Signal]] = [
    [.value(2)], [.value(2), .value(3), .end(.finished)], [.end(.finished)], [.end(.failure(.oops))],
    [.value(2), .end(.failure(.oops))],
  ]

  static func check(
    _ probe: Probe, begins: [Int], _ signals: [Signal], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var values = begins
    var ends: [Subscribers.Completion<TestError>] = []
    for signal in signals {
      switch signal {
      case .value(let value): values.append(value)
      case .end(let completion): ends.append(completion)
      }
    }
    #expect(!probe.hasOverlapped, sourceLocation: sourceLocation)
    #expect(probe.values == values, sourceLocation: sourceLocation)
    #expect(probe.completions == ends, sourceLocation: sourceLocation)
  }

  @Test(arguments: Kind.allCases, Source.allCases)
  func `What a successor delivers on another thread waits for the delivery that its forerunner has ended in`(
    _ kind: Kind, _ source: Source
  ) {
    for signals in Self.signals {
      let first = PassthroughSubject<Int, TestError>()
      let (second, send) = source.make()
      let probe = Probe()
      probe.onValue = { value in
        guard value == 1 else { return .none }
        first.send(completion: Self.ending(kind))
        elsewhere { signals.forEach { send.value($0) } }
        #expect(probe.values == [1])
        return .none
      }
      Self.join(kind, first, second).subscribe(probe)
      first.send(1)
      Self.check(probe, begins: [1], signals)
    }
  }

  @Test(arguments: Kind.allCases, Source.allCases)
  func `What a successor delivers on another thread waits for the introduction that its forerunner has ended in`(
    _ kind: Kind, _ source: Source
  ) {
    for signals in Self.signals {
      let first = Record<Int, TestError>(output: [1], completion: Self.ending(kind))
      let (second, send) = source.make()
      let probe = Probe(demand: nil)
      probe.onSubscription = { subscription in
        subscription.request(.unlimited)
        #expect(probe.values == [1])
        elsewhere { signals.forEach { send.value($0) } }
        #expect(probe.values == [1])
      }
      Self.join(kind, first, second).subscribe(probe)
      Self.check(probe, begins: [1], signals)
    }
  }

  /// The first signal on the busy thread nests, whatever another thread sends afterwards.
  @Test(arguments: Kind.allCases, Source.allCases)
  func `What a successor delivers on the same thread nests`(_ kind: Kind, _ source: Source) {
    let first = PassthroughSubject<Int, TestError>()
    let (second, send) = source.make()
    let probe = Probe()
    probe.onValue = { value in
      guard value == 1 else { return .none }
      first.send(completion: Self.ending(kind))
      send.value(.value(2))
      #expect(probe.values == [1, 2])
      elsewhere { send.value(.value(3)) }
      #expect(probe.values == [1, 2])
      // Delivered after the waiting signals.
      send.value(.value(4))
      #expect(probe.values == [1, 2])
      return .none
    }
    Self.join(kind, first, second).subscribe(probe)
    first.send(1)
    send.value(.value(5))
    elsewhere { send.value(.value(6)) }
    send.value(.end(.finished))
    Self.check(probe, begins: [1, 2, 3, 4, 5, 6], [.end(.finished)])
  }

  /// The sequence's loop runs on the requesting thread.
  @Test(arguments: Kind.allCases)
  func `A request from another thread waits for the introduction that a forerunner has ended in`(_ kind: Kind) {
    let first = Record<Int, TestError>(output: [1], completion: Self.ending(kind))
    let second = Record<Int, TestError>(output: [2, 3, 4, 5], completion: .finished)
    let probe = Probe(demand: nil)
    probe.onSubscription = { subscription in
      subscription.request(.max(2))
      #expect(probe.values == [1, 2])
      let box = UncheckedBox(subscription)
      elsewhere { box.value.request(.max(2)) }
      #expect(probe.values == [1, 2])
      subscription.request(.max(1))
      #expect(probe.values == [1, 2, 3])
    }
    Self.join(kind, first, second).subscribe(probe)
    Self.check(probe, begins: [1, 2, 3, 4, 5], [.end(.finished)])
  }

  @Test func `Demand that a nested value is answered with is for what follows the publisher that it has ended`() {
    let parts = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let recorder = Recorder<Int, Never>(demand: .max(2))
    recorder.onValue = { value in
      if value > 2 { return .none }
      parts[value - 1].send(completion: .finished)
      if value == 1 { parts[1].send(2) }
      return value == 1 ? .none : .max(1)
    }
    parts[0].append(parts[1]).append(parts[2]).subscribe(recorder)
    parts[0].send(1)
    parts[2].send(3)
    parts[2].send(4)
    #expect(recorder.values == [1, 2, 3] && recorder.complaints.isEmpty)
  }

  @Test func `Three publishers that end during one another's deliveries deliver in turn`() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, TestError>() }
    let last = UncheckedBox(subjects[2])
    let middle = UncheckedBox(subjects[1])
    let probe = Probe()
    probe.onValue = { value in
      switch value {
      case 1:
        subjects[0].send(completion: .finished)
        middle.value.send(2)
        elsewhere {
          last.value.send(4)
          last.value.send(completion: .finished)
        }
        #expect(probe.values == [1, 2, 3])
      case 2:
        // Three is delivered on the same thread, during two.
        middle.value.send(3)
        middle.value.send(completion: .finished)
      default: break
      }
      return .none
    }
    subjects[0].append(subjects[1]).append(subjects[2]).subscribe(probe)
    subjects[0].send(1)
    Self.check(probe, begins: [1, 2, 3, 4], [.end(.finished)])
  }

  /// The end of each waits, and so does the start of the next.
  @Test func `Publishers that end on another thread one after the other follow when the delivery has returned`() {
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, TestError>() }
    let box = UncheckedBox(subjects)
    let probe = Probe()
    probe.onValue = { value in
      if value == 1 {
        subjects[0].send(completion: .finished)
        elsewhere {
          box.value[1].send(2)
          box.value[1].send(completion: .finished)
        }
      }
      // Called by the thread that was busy, and is busy again.
      if value == 2 { elsewhere { box.value[2].send(99) } }
      return .none
    }
    subjects[0].append(subjects[1]).append(subjects[2]).append(subjects[3]).subscribe(probe)
    subjects[0].send(1)
    subjects[2].send(3)
    subjects[2].send(completion: .finished)
    subjects[3].send(4)
    subjects[3].send(completion: .finished)
    Self.check(probe, begins: [1, 2, 3, 4], [.end(.finished)])
  }

  @Test(arguments: Kind.allCases, Source.allCases)
  func `A cancel drops what waits, and frees it`(_ kind: Kind, _ source: Source) {
    for place in ["inside", "elsewhere", "later"] {
      let first = PassthroughSubject<Int, TestError>()
      let (second, send) = source.make()
      let probe = Probe()
      probe.onValue = { value in
        if value == 1 {
          first.send(completion: Self.ending(kind))
          elsewhere { [2, 3, 4].forEach { send.value(.value($0)) } }
          if place == "inside" { probe.cancel() }
          if place == "elsewhere" { elsewhere { probe.cancel() } }
        }
        if value == 3 { probe.cancel() }
        return .none
      }
      Self.join(kind, first, second).subscribe(probe)
      first.send(1)
      send.value(.value(5))
      send.value(.end(.finished))
      Self.check(probe, begins: place == "later" ? [1, 2, 3] : [1], [])
    }
  }
}
