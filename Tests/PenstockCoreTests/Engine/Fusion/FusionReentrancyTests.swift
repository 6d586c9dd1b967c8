// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Something happens at one point in a stream: in the user's code that makes or changes a value, or that takes one.
private struct Interrupted: Scene {
  enum Kind: CaseIterable, Sendable {
    case every, one, latest
  }

  enum Interruption: CaseIterable, Sendable {
    case valueOfAnother, newSubject, newPublisher, finish, fail, failureOfAnother, endOfAnother, cancel
    case valueFromAnotherThread, publisherFromAnotherThread, cancelOnAnotherThread
  }

  final class Streams: @unchecked Sendable {
    let outer = PassthroughSubject<Int, TestError>()
    let a = PassthroughSubject<Int, TestError>()
    let b = PassthroughSubject<Int, TestError>()
    var recorder: Recorder<Int, TestError>?
  }

  let kind: Kind
  let interruption: Interruption
  let appetite: Appetite
  /// The number of the note at which it happens.
  let point: Int

  /// Whether a further publisher is sent to `switchToLatest` from within.
  var opensWithin: Bool {
    kind == .latest && (interruption == .newPublisher || interruption == .publisherFromAnotherThread)
  }

  func run<P: Publisher<Int, TestError>>(_ publisher: P, _ happenings: Happenings) {
    let streams = Streams()
    let inner: (Int) -> Either<P> = { number in
      happenings.note("inner \(number)")
      return switch number {
      case 0: .subject(streams.a)
      case 2: .subject(streams.b)
      default: .publisher(publisher)
      }
    }
    switch kind {
    case .every: streams.recorder = appetite.subscribe(to: streams.outer.flatMap(inner), happenings)
    case .one:
      streams.recorder = appetite.subscribe(to: streams.outer.flatMap(maxPublishers: .max(2), inner), happenings)
    case .latest: streams.recorder = appetite.subscribe(to: streams.outer.map(inner).switchToLatest(), happenings)
    }
    streams.outer.send(0)
    streams.a.send(50)
    streams.a.send(51)
    interrupt(streams, happenings)
    streams.outer.send(1)
    happenings.note("sent")
    streams.a.send(52)
    streams.b.send(60)
    streams.outer.send(3)
    happenings.keepPromises()
    streams.outer.send(completion: .finished)
    streams.a.send(completion: .finished)
    streams.b.send(completion: .finished)
    for complaint in streams.recorder?.complaints ?? [] { happenings.note("complaint: \(complaint)") }
    streams.recorder?.dismiss()
  }

  private func interrupt(_ streams: Streams, _ happenings: Happenings) {
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
    case .valueOfAnother: streams.a.send(90)
    case .newSubject: streams.outer.send(2)
    case .newPublisher: streams.outer.send(3)
    case .finish: streams.outer.send(completion: .finished)
    case .fail: streams.outer.send(completion: .failure(TestError("outer")))
    case .failureOfAnother: streams.a.send(completion: .failure(TestError("another")))
    case .endOfAnother: streams.a.send(completion: .finished)
    case .cancel: streams.recorder?.cancel()
    case .valueFromAnotherThread: elsewhere { streams.a.send(91) }
    case .publisherFromAnotherThread: elsewhere { streams.outer.send(3) }
    case .cancelOnAnotherThread: elsewhere { streams.recorder?.cancel() }
    }
  }

  /// With everything that may happen, at every point.
  static let all: [Interrupted] = Kind.allCases.flatMap { kind in
    Interruption.allCases.flatMap { interruption in
      [Appetite.everything, .allWithinDelivery].flatMap { appetite in
        (1...12).map { Interrupted(kind: kind, interruption: interruption, appetite: appetite, point: $0) }
      }
    }
  }
}

@Suite struct FusionReentrancyTests {
  /// The publishers in which code of the user's runs at different times.
  private static let sources = Fusible.sources.filter { source in
    !["path", "ignoreOutput", "compactMap", "scan", "without", "map, erased"].contains {
      source.testDescription.contains($0)
    }
  }

  @Test(arguments: sources)
  func `Whatever the user's code does during a fused publisher has the consequences that it has otherwise`(
    _ fusible: Fusible
  ) {
    for scene in Interrupted.all.sampled(oneIn: 13, for: fusible.testDescription) where !scene.opensWithin {
      let expected = fusible.happenings(in: scene, hidden: true)
      let seen = fusible.happenings(in: scene, hidden: false)
      #expect(seen == expected, "\(scene)")
    }
  }

  /// A stream of its own is requested from when the loop has been left, so that its values come after the running
  /// delivery.
  @Test(arguments: sources)
  func `A publisher that is sent to switchToLatest during a delivery delivers when others do`(_ fusible: Fusible) {
    for scene in Interrupted.all.sampled(oneIn: 5, for: fusible.testDescription) where scene.opensWithin {
      #expect(fusible.happenings(in: scene, hidden: false) == fusible.happenings(in: scene, hidden: true), "\(scene)")
    }
  }
}
