// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A way for a downstream to request.
enum Appetite: CaseIterable, Sendable {
  case everything, limitedThenAll, allWithinDelivery, allReturned, oneByOne, oneReturned, oneWithinDelivery

  /// Subscribes a recorder that requests in this way, and notes what it gets.
  func subscribe(to publisher: some Publisher<Int, TestError>, _ happenings: Happenings) -> Recorder<Int, TestError> {
    let recorder = Recorder<Int, TestError>(demand: initial)
    recorder.onSubscription = { happenings.note("subscription \($0)") }
    recorder.onValue = { [unowned recorder] value in
      happenings.note("value \(value)")
      switch self {
      case .allWithinDelivery where recorder.values.count == 1: recorder.request(.unlimited)
      case .allReturned where recorder.values.count == 2: return .unlimited
      case .allReturned, .oneReturned: return .max(1)
      case .oneWithinDelivery: recorder.request(.max(1))
      default: break
      }
      return .none
    }
    recorder.onCompletion = { happenings.note("completion \($0)") }
    publisher.subscribe(recorder)
    return recorder
  }

  private var initial: Subscribers.Demand? {
    switch self {
    case .everything: .unlimited
    case .oneByOne: nil
    case .limitedThenAll: .max(2)
    default: .max(1)
    }
  }

  /// Makes the requests from outside of any delivery.
  func request(by recorder: Recorder<Int, TestError>, _ happenings: Happenings) {
    happenings.note("request")
    switch self {
    case .limitedThenAll: recorder.request(.unlimited)
    case .oneByOne: recorder.request(.max(1))
    default: break
    }
  }
}

/// A publisher as the inner one of an operator that flattens.
struct FlatteningScene: Scene {
  enum Kind: CaseIterable, Sendable {
    case every, two, one, latest
  }

  let kind: Kind
  let appetite: Appetite
  /// Whether the outer publisher is a subject, and not a sequence that delivers at once.
  let isDriven: Bool
  /// Whether there is an operator between the sequence and the one that flattens, which then asks for each value.
  var isApart = false

  func run<P: Publisher<Int, TestError>>(_ publisher: P, _ happenings: Happenings) {
    if isDriven {
      let outer = PassthroughSubject<Int, TestError>()
      let recorder = flatten(outer, publisher, happenings)
      for number in 0..<3 {
        happenings.note("outer \(number)")
        outer.send(number)
        appetite.request(by: recorder, happenings)
      }
      outer.send(completion: .finished)
      end(recorder, happenings)
    } else if isApart {
      end(
        flatten(
          Publishers.Sequence<[Int], TestError>(sequence: [0, 1, 2]).handleEvents(), publisher, happenings),
        happenings)
    } else {
      end(
        flatten(Publishers.Sequence<[Int], TestError>(sequence: [0, 1, 2]), publisher, happenings), happenings)
    }
  }

  private func flatten<Outer: Publisher<Int, TestError>, P: Publisher<Int, TestError>>(
    _ outer: Outer, _ publisher: P, _ happenings: Happenings
  ) -> Recorder<Int, TestError> {
    switch kind {
    case .every: appetite.subscribe(to: outer.flatMap { _ in publisher }, happenings)
    case .two: appetite.subscribe(to: outer.flatMap(maxPublishers: .max(2)) { _ in publisher }, happenings)
    case .one: appetite.subscribe(to: outer.flatMap(maxPublishers: .max(1)) { _ in publisher }, happenings)
    case .latest: appetite.subscribe(to: outer.map { _ in publisher }.switchToLatest(), happenings)
    }
  }

  private func end(_ recorder: Recorder<Int, TestError>, _ happenings: Happenings) {
    for _ in 0..<15 { appetite.request(by: recorder, happenings) }
    happenings.keepPromises()
    for _ in 0..<3 { appetite.request(by: recorder, happenings) }
    for complaint in recorder.complaints { happenings.note("complaint: \(complaint)") }
    recorder.dismiss()
  }

  static let all: [FlatteningScene] = Kind.allCases.flatMap { kind in
    Appetite.allCases.flatMap { appetite in
      [false, true].map { FlatteningScene(kind: kind, appetite: appetite, isDriven: $0) }
    }
  }
}

/// A publisher directly upstream of `sink`.
private struct Sinking: Scene {
  func run<P: Publisher<Int, TestError>>(_ publisher: P, _ happenings: Happenings) {
    let cancellable = publisher.sink(
      receiveCompletion: { happenings.note("completion \($0)") }, receiveValue: { happenings.note("value \($0)") })
    happenings.note("subscribed")
    happenings.keepPromises()
    cancellable.cancel()
  }
}

/// The demand decides how values are handed over, and nobody can see it.
@Suite struct FusionEquivalenceTests {
  @Test(arguments: Fusible.sources)
  func `Before a sink, all that can be seen is what a publisher does that is not fused`(_ fusible: Fusible) {
    let expected = fusible.happenings(in: Sinking(), hidden: true)
    #expect(expected.contains("subscribed"))
    #expect(fusible.happenings(in: Sinking(), hidden: false) == expected)
  }

  @Test(arguments: Fusible.sources)
  func `In an operator that flattens, all that can be seen is what a publisher does that is not fused`(
    _ fusible: Fusible
  ) {
    for scene in FlatteningScene.all {
      let expected = fusible.happenings(in: scene, hidden: true)
      #expect(!expected.contains { $0.hasPrefix("complaint") }, "\(scene)")
      #expect(fusible.happenings(in: scene, hidden: false) == expected, "\(scene)")
    }
  }
}
