// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// Delivers 1, 2, 3 … one at a time, in steps and within demand, and its completion together with the last of them.
///
/// Each subscriber gets all the numbers. It must not be used on several threads.
public final class PacedPublisher: Publisher, @unchecked Sendable {
  public typealias Output = Int
  public typealias Failure = TestError

  private let count: Int
  private let completion: Subscribers.Completion<TestError>
  private var subscriptions: [PacedSubscription] = []

  public init(_ count: Int, completion: Subscribers.Completion<TestError> = .finished) {
    self.count = count
    self.completion = completion
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    let subscription = PacedSubscription(AnySubscriber(subscriber), count, completion)
    subscriptions.append(subscription)
    subscriber.receive(subscription: subscription)
  }

  /// Delivers one value to each subscriber with demand.
  public func step() {
    for subscription in subscriptions { subscription.step() }
    subscriptions.removeAll { $0.isOver }
  }
}

private final class PacedSubscription: Subscription {
  private var downstream: AnySubscriber<Int, TestError>?
  private let count: Int
  private let completion: Subscribers.Completion<TestError>
  private var delivered = 0
  private var demand = Subscribers.Demand.none

  init(
    _ downstream: AnySubscriber<Int, TestError>, _ count: Int, _ completion: Subscribers.Completion<TestError>
  ) {
    self.downstream = downstream
    self.count = count
    self.completion = completion
  }

  var isOver: Bool { downstream == nil }

  func request(_ demand: Subscribers.Demand) { self.demand += demand }

  func cancel() { downstream = nil }

  func step() {
    guard let downstream, demand > 0 else { return }
    demand -= 1
    delivered += 1
    demand += downstream.receive(delivered)
    guard delivered == count, !isOver else { return }
    self.downstream = nil
    downstream.receive(completion: completion)
  }
}
