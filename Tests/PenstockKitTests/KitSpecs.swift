// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit
import PenstockTesting
import TestSupport

extension OperatorSpec {
  /// One operator of each shape, made by the kit.
  static let ofKit: [OperatorSpec] = [
    .init("TransparentStage", .transparent, shown: "PlusTen") { $0.lift(PlusTenStage()).eraseToAnyPublisher() },
    .init("ManagedStage") { $0.lift { PairsStage() }.eraseToAnyPublisher() },
    .init("ManagedStage, ending") { $0.lift { ThroughStage(1_000_000_000) }.eraseToAnyPublisher() },
    .init("QueuedStage, expanding", requests: .oneByOne) { $0.lift { TwiceStage() }.eraseToAnyPublisher() },
    .init("QueuedStage, at the end", requests: .more, traits: [.losesValuesWithFailure, .buffers]) {
      $0.lift { BackwardsStage() }.eraseToAnyPublisher()
    },
    .init("SteeredStage") {
      $0.steered(by: Just(true).setFailureType(to: TestError.self), OpenStage()).eraseToAnyPublisher()
    },
    .init("SteeredStage, a rest", requests: .oneByOne, traits: [.losesValuesWithFailure, .buffers]) {
      $0.steered(by: Empty<Int, TestError>(completeImmediately: false), ChunksStage()).map(\.count)
        .eraseToAnyPublisher()
    },
    .init("SequentialRule", traits: [.releasesSubscriber]) { upstream in
      upstream.followed { AgainRule(upstream: upstream, times: 1) }.eraseToAnyPublisher()
    },
    .init("SequentialRule, again", traits: [.releasesSubscriber]) { upstream in
      upstream.followed { AgainRule(upstream: upstream, times: 4) }.eraseToAnyPublisher()
    },
  ]

  /// Those that deliver as time passes.
  static let ofKitDelaying: [OperatorSpec] = [
    .init("ScheduledStage") { stream in
      stream.scheduled { LateStage(scheduler: stream.clock) { _ in 0 } }.eraseToAnyPublisher()
    },
    .init("ScheduledStage, later") { stream in
      stream.scheduled { LateStage(scheduler: stream.clock) { VirtualTime.Stride(nanoseconds: Int($0.magnitude % 3)) } }
        .eraseToAnyPublisher()
    },
    .init("TimedStage", requests: .oneByOne) {
      $0.scheduled { [clock = $0.clock] in IdleFlushStage<Int, TestError, OperatorSpec.Clock>(.seconds(1), clock) }
        .flatMap(maxPublishers: .max(1)) { Publishers.Sequence<[Int], TestError>(sequence: $0) }
    },
    .init("TimedStage, a time-out") { stream in
      stream.scheduled { AliveStage(.seconds(1_000_000), stream.clock) }.eraseToAnyPublisher()
    },
    .init("sample by SteeredStage", varies: "it keeps the latest value only") {
      let stream = $0.share()
      return stream.steered(by: stream, LatestAtSignalStage()).eraseToAnyPublisher()
    },
  ]

  /// One of each kind of Combine's operators: those that count, collect, queue, flatten and delay.
  static let combinesKinds: [OperatorSpec] = [
    "map", "tryFilter", "dropFirst", "collect", "collect(3)", "collect by time", "replaceError", "catch", "append",
    "buffer, keepFull", "flatMap", "switchToLatest", "merge with nothing", "zip", "receive(on:), later", "share",
  ].map(named)
}
