// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Rule 6: work loops instead of recursing.
@Suite struct StackTests {
  /// The caller's position on the stack, in bytes.
  private static func stackPosition() -> Int {
    withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { Int(bitPattern: $0.baseAddress!) }
  }

  /// Ways to request a million values one by one.
  enum Requesting: CaseIterable { case all, returning, requesting, requestingTwice }

  @Test(arguments: Requesting.allCases)
  func `A million synchronous values leave the stack as it was`(_ asking: Requesting) {
    let result = Locked((count: 0, deepest: 0, finished: false))
    onSmallStack(kibibytes: 512) {
      let recorder = CountingSubscriber(asking)
      (0..<1_000_000).publisher.map { $0 }.subscribe(recorder)
      result.change { $0 = (recorder.count, recorder.deepest, recorder.finished) }
    }
    #expect(result.value.count == 1_000_000)
    #expect(result.value.finished)
    #expect(result.value.deepest < 4_096)
  }

  private final class CountingSubscriber: Subscriber {
    typealias Input = Int
    typealias Failure = Never
    let asking: Requesting
    var subscription: (any Subscription)?
    var count = 0
    var finished = false
    var first = 0
    var deepest = 0

    init(_ asking: Requesting) { self.asking = asking }

    func receive(subscription: any Subscription) {
      self.subscription = subscription
      subscription.request(asking == .all ? .unlimited : .max(1))
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      let here = stackPosition()
      if count == 0 { first = here }
      deepest = max(deepest, abs(first - here))
      count += 1
      switch asking {
      case .all: return .none
      case .returning: return .max(1)
      case .requesting: subscription?.request(.max(1))
      case .requestingTwice:
        subscription?.request(.max(1))
        return .max(1)
      }
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
      subscription = nil
      finished = true
    }
  }
}
