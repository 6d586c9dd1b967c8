// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Calls before upstream's subscription, from a publisher that uses its subscriber as a subscription.
@Suite struct SplitOperatorTests {
  private typealias Keeping = KeepingPublisher<Int, TestError>

  private func operators() -> [(name: String, apply: (Keeping) -> AnyPublisher<Int, TestError>)] {
    [
      ("Reduce", { $0.reduce(0, +).eraseToAnyPublisher() }),
      ("ReplaceEmpty", { $0.replaceEmpty(with: 9).eraseToAnyPublisher() }),
      ("ReplaceError", { $0.replaceError(with: 9).setFailureType(to: TestError.self).eraseToAnyPublisher() }),
      ("Drop", { $0.dropFirst(2).eraseToAnyPublisher() }),
      ("HandleEvents", { $0.handleEvents().eraseToAnyPublisher() }),
      ("CollectByCount", { $0.collect(2).map { $0.reduce(0, +) }.eraseToAnyPublisher() }),
      ("TryMap", { $0.tryMap { $0 }.mapError { _ in .oops }.eraseToAnyPublisher() }),
    ]
  }

  @Test func `The two halves show one identity and one text`() throws {
    for (name, apply) in operators() {
      let upstream = Keeping()
      let recorder = Recorder<Int, TestError>(demand: nil)
      apply(upstream).subscribe(recorder)
      let subscription = try #require(upstream.asSubscription, "\(name)")
      #expect(String(describing: subscription) == name)
      upstream.subscriber?.receive(subscription: ManualSubscription())
      #expect(recorder.subscriptions.first?.combineIdentifier == subscription.combineIdentifier, "\(name)")
      #expect(String(describing: recorder.subscriptions[0]) == name)
    }
  }

  /// Table 12.6: the requests upstream gets after a request that came too early and one that came in time.
  @Test(arguments: [
    ("Reduce", [Demand.unlimited]), ("ReplaceError", [.max(1)]), ("Drop", [.max(5), .max(1)]),
    ("HandleEvents", [.max(1)]), ("CollectByCount", [.max(2)]), ("TryMap", [.max(1)]),
  ])
  func `A request before the subscription is remembered or ignored`(_ name: String, _ expected: [Demand]) throws {
    let upstream = Keeping()
    let recorder = Recorder<Int, TestError>(demand: nil)
    try #require(operators().first { $0.name == name }).apply(upstream).subscribe(recorder)
    upstream.asSubscription?.request(.max(3))
    let subscription = ManualSubscription()
    upstream.subscriber?.receive(subscription: subscription)
    recorder.request(.max(1))
    #expect(subscription.requests == expected)
  }

  @Test func `A result goes out without another request if there was one before the subscription`() {
    let upstream = Keeping()
    let recorder = Recorder<Int, TestError>(demand: nil)
    upstream.reduce(0, +).subscribe(recorder)
    upstream.asSubscription?.request(.max(1))
    upstream.subscriber?.receive(subscription: ManualSubscription())
    _ = upstream.subscriber?.receive(4)
    upstream.subscriber?.receive(completion: .finished)
    #expect(recorder.values == [4])
    #expect(recorder.isFinished)
  }

  @Test func `A cancel before the subscription has no effect, but for dropFirst`() {
    for (name, apply) in operators() {
      let upstream = Keeping()
      let recorder = Recorder<Int, TestError>(demand: nil)
      apply(upstream).subscribe(recorder)
      upstream.asSubscription?.cancel()
      let subscription = ManualSubscription()
      upstream.subscriber?.receive(subscription: subscription)
      #expect(subscription.cancellations == (name == "Drop" ? 1 : 0), "\(name)")
    }
  }
}
