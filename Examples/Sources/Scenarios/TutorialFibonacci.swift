// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// The Fibonacci publisher of a tutorial, with its mistakes, for the verification to find: not to be used.
///
/// Each request starts again from 0; the demand that the subscriber returns counts only for the later numbers; the
/// first two numbers are delivered whatever was requested; unlimited demand ends only with a trap.
public struct TutorialFibonacciPublisher: Publisher, Sendable {
  public typealias Output = Int
  public typealias Failure = Never

  private let configuration: FibonacciConfiguration

  public init(configuration: FibonacciConfiguration) {
    self.configuration = configuration
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: TutorialSubscription(configuration: configuration, subscriber: subscriber))
  }
}

private final class TutorialSubscription<Downstream: Subscriber>: Subscription
where Downstream.Input == Int, Downstream.Failure == Never {
  private let configuration: FibonacciConfiguration
  private var subscriber: Downstream?

  init(configuration: FibonacciConfiguration, subscriber: Downstream) {
    self.configuration = configuration
    self.subscriber = subscriber
  }

  func request(_ demand: Subscribers.Demand) {
    var count = configuration.count
    guard let first = subscriber, count > .none else {
      finish()
      return
    }
    _ = first.receive(0)
    count -= 1
    if count > .none {
      _ = first.receive(1)
      count -= 1
    }
    var demand = demand == .unlimited ? demand : .max(max(0, (demand.max ?? 0) - 2))
    var (previous, current) = (0, 1)
    while let subscriber, demand > .none, count > .none {
      (previous, current) = (current, previous + current)
      demand += subscriber.receive(current)
      demand -= 1
      count -= 1
    }
    if count == .none { finish() }
  }

  func cancel() { subscriber = nil }

  private func finish() {
    subscriber?.receive(completion: .finished)
  }
}
