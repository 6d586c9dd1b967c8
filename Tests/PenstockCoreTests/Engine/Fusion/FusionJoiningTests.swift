// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A publisher that follows a subject, or is beside one, and something that happens at one point in the stream.
struct JoiningScene: Scene {
  enum Kind: CaseIterable, Sendable {
    case appended, appendedTwice, prepended, replacing, replacingTwice
    case merged, mergedFirst, mergedAlone, mergedMany, zipped, zippedTwice, combined
  }

  enum Interruption: CaseIterable, Sendable {
    case none, value, finish, fail, cancel, requestAll
    case valueOnAnotherThread, finishOnAnotherThread, cancelOnAnotherThread
  }

  final class Streams: @unchecked Sendable {
    let a = PassthroughSubject<Int, TestError>()
    let b = PassthroughSubject<Int, TestError>()
    var recorder: Recorder<Int, TestError>?
  }

  let kind: Kind
  let appetite: Appetite
  var interruption = Interruption.none
  /// The number of the note at which the interruption happens.
  var point = 0

  func run<P: Publisher<Int, TestError>>(_ publisher: P, _ happenings: Happenings) {
    let streams = Streams()
    interrupt(streams, happenings)
    let recorder = subscribe(publisher, streams, happenings)
    streams.recorder = recorder
    happenings.note("subscribed")
    for number in 50..<53 {
      streams.a.send(number)
      streams.b.send(number + 10)
      appetite.request(by: recorder, happenings)
    }
    let isReplacing = kind == .replacing || kind == .replacingTwice
    streams.a.send(completion: isReplacing ? .failure(.oops) : .finished)
    streams.b.send(99)
    happenings.note("ended")
    for _ in 0..<9 { appetite.request(by: recorder, happenings) }
    happenings.keepPromises()
    for _ in 0..<3 { appetite.request(by: recorder, happenings) }
    streams.b.send(completion: .finished)
    for complaint in recorder.complaints { happenings.note("complaint: \(complaint)") }
    recorder.dismiss()
  }

  private func subscribe<P: Publisher<Int, TestError>>(
    _ publisher: P, _ streams: Streams, _ happenings: Happenings
  ) -> Recorder<Int, TestError> {
    let (a, b) = (streams.a, streams.b)
    return switch kind {
    case .appended: appetite.subscribe(to: a.append(publisher), happenings)
    case .appendedTwice: appetite.subscribe(to: a.append(publisher).append(publisher).append(b), happenings)
    case .prepended: appetite.subscribe(to: a.prepend(publisher), happenings)
    case .replacing: appetite.subscribe(to: a.catch { _ in publisher }, happenings)
    case .replacingTwice:
      appetite.subscribe(to: a.catch { _ in publisher }.map { $0 }.catch { _ in publisher }, happenings)
    case .merged: appetite.subscribe(to: a.merge(with: publisher, b), happenings)
    case .mergedFirst: appetite.subscribe(to: publisher.merge(with: a), happenings)
    case .mergedAlone: appetite.subscribe(to: publisher.merge(with: publisher), happenings)
    case .mergedMany: appetite.subscribe(to: Publishers.MergeMany(publisher, publisher, publisher), happenings)
    case .zipped: appetite.subscribe(to: a.zip(publisher) { $0 * 100 + $1 }, happenings)
    case .zippedTwice: appetite.subscribe(to: publisher.zip(publisher, a) { $0 * 100 + $1 + $2 }, happenings)
    case .combined: appetite.subscribe(to: a.combineLatest(publisher) { $0 * 100 + $1 }, happenings)
    }
  }

  private func interrupt(_ streams: Streams, _ happenings: Happenings) {
    if interruption == .none { return }
    var count = 0
    happenings.onNote = {
      count += 1
      guard count == point else { return }
      happenings.onNote = nil
      happenings.note("(")
      perform(streams)
      happenings.note(")")
    }
  }

  private func perform(_ streams: Streams) {
    switch interruption {
    case .none: break
    case .value: streams.a.send(90)
    case .finish: streams.a.send(completion: .finished)
    case .fail: streams.a.send(completion: .failure(TestError("a")))
    case .cancel: streams.recorder?.cancel()
    case .requestAll: streams.recorder?.request(.unlimited)
    case .valueOnAnotherThread: elsewhere { streams.a.send(91) }
    case .finishOnAnotherThread: elsewhere { streams.a.send(completion: .finished) }
    case .cancelOnAnotherThread: elsewhere { streams.recorder?.cancel() }
    }
  }

  static let quiet: [JoiningScene] = Kind.allCases.flatMap { kind in
    Appetite.allCases.map { JoiningScene(kind: kind, appetite: $0) }
  }

  static let interrupted: [JoiningScene] = Kind.allCases.flatMap { kind in
    Interruption.allCases.filter { $0 != .none }.flatMap { interruption in
      [Appetite.everything, .allWithinDelivery].flatMap { appetite in
        (1...12).map { JoiningScene(kind: kind, appetite: appetite, interruption: interruption, point: $0) }
      }
    }
  }
}

/// Publishers that follow another one, or are beside it, and need no subscription.
@Suite struct FusionJoiningTests {
  /// The publishers in which code of the user's runs at different times.
  private static let sources = Fusible.sources.filter { source in
    !["path", "ignoreOutput", "compactMap", "scan", "without", "map, erased"].contains {
      source.testDescription.contains($0)
    }
  }

  @Test(arguments: Fusible.sources)
  func `Beside a subject or after it, all that can be seen is what a publisher does that is not fused`(
    _ fusible: Fusible
  ) {
    for scene in JoiningScene.quiet {
      let expected = fusible.happenings(in: scene, hidden: true)
      #expect(!expected.contains { $0.hasPrefix("complaint") }, "\(scene)")
      #expect(fusible.happenings(in: scene, hidden: false) == expected, "\(scene)")
    }
  }

  @Test(arguments: sources)
  func `Whatever the user's code does meanwhile has the consequences that it has otherwise`(_ fusible: Fusible) {
    for scene in JoiningScene.interrupted.sampled(oneIn: 13, for: fusible.testDescription) {
      let expected = fusible.happenings(in: scene, hidden: true)
      #expect(fusible.happenings(in: scene, hidden: false) == expected, "\(scene)")
    }
  }

  /// A sink relies on upstream to report when no delivery is running any more: its closures are freed then, and not
  /// before.
  @Test(arguments: [false, true])
  func `A sink that is cancelled while a replacement delivers keeps its closures until that has returned`(
    _ isElsewhere: Bool
  ) {
    let subject = PassthroughSubject<Int, TestError>()
    var cancellable: AnyCancellable?
    var seen: [Int] = []
    weak var token: AnyObject?
    do {
      let object = Token()
      token = object
      cancellable = subject.catch { _ in [1, 2, 3].publisher }.append([4, 5]).sink { value in
        seen.append(value)
        guard value == 2 else { return }
        let cancel = UncheckedBox(cancellable)
        cancellable = nil
        if isElsewhere { elsewhere { cancel.value?.cancel() } } else { cancel.value?.cancel() }
        // Captured by this closure alone, which is running.
        #expect(token != nil)
        withExtendedLifetime(object) {}
      }
    }
    subject.send(completion: .failure(.oops))
    #expect(seen == [1, 2])
    #expect(token == nil)
  }

  @Test func `What follows is not kept when its values have been delivered`() {
    let first = PassthroughSubject<Int, TestError>()
    weak var token: AnyObject?
    do {
      let object = Token()
      token = object
      let suffix = Just(1).setFailureType(to: TestError.self).map { number -> Int in
        withExtendedLifetime(object) { number }
      }
      let recorder = Recorder<Int, TestError>()
      first.append(suffix).append(PassthroughSubject<Int, TestError>()).subscribe(recorder)
      first.send(completion: .finished)
      #expect(recorder.values == [1])
      #expect(!recorder.isFinished)
      withExtendedLifetime(recorder) {}
    }
    #expect(token == nil)
  }
}

/// An object whose life is watched.
private final class Token {}
