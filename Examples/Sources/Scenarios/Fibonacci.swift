// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock

/// How many Fibonacci numbers to publish.
public struct FibonacciConfiguration: Sendable {
  /// The number of values; `.unlimited` for all that an `Int` can hold.
  public var count: Subscribers.Demand

  public init(count: Subscribers.Demand) {
    self.count = count
  }
}

/// A publisher of the Fibonacci numbers: a custom publisher that computes its values, and knows which is the last one.
///
/// **Demand:** counted. A subscriber that asks for 3 of 5 numbers gets 3; asking for 2 more continues where that
/// stopped.
///
/// **Completion:** `.finished` right after the last number: after `count` of them, or after the last that an `Int` can
/// hold.
///
/// **Failure:** none.
///
/// **Concurrency:** numbers are delivered on the thread that requests them, one at a time. Any thread may request or cancel.
public struct FibonacciPublisher: Publisher, Sendable {
  public typealias Output = Int
  public typealias Failure = Never

  private let configuration: FibonacciConfiguration

  public init(configuration: FibonacciConfiguration) {
    self.configuration = configuration
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    if configuration.count == .none {
      // There is nothing to wait for: a completion needs no demand.
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: .finished)
    } else {
      FibonacciSubscription(count: configuration.count, subscriber: subscriber).begin(with: subscriber)
    }
  }
}

extension Publishers {
  /// A publisher of the first Fibonacci numbers.
  public static func fibonacci(count: Subscribers.Demand = .max(6)) -> FibonacciPublisher {
    FibonacciPublisher(configuration: FibonacciConfiguration(count: count))
  }
}

/// The subscription, which does all the work of the publisher.
private final class FibonacciSubscription<Downstream: Subscriber>: Subscription, CustomStringConvertible
where Downstream.Input == Int, Downstream.Failure == Never {
  /// Guards everything below.
  ///
  /// Never held while the subscriber runs, which may call back, from this thread or another.
  private let lock = NSLock()

  /// `nil` once the stream has ended: nothing is delivered any more, and the subscriber is released.
  private var downstream: Downstream?

  /// The demand that has not been met.
  private var demand = Subscribers.Demand.none

  /// How many numbers are still to come.
  private var left: Subscribers.Demand

  /// The next number, and the one after it; `nil` where an `Int` cannot hold it.
  private var next = 0
  private var following: Int? = 1

  /// Whether some thread is delivering: the subscription first, and then values.
  ///
  /// Requests then only add to the demand, so that deliveries never nest or overlap.
  private var isDelivering = true

  init(count: Subscribers.Demand, subscriber: Downstream) {
    left = count
    downstream = subscriber
  }

  var description: String { "FibonacciPublisher" }

  /// Delivers the subscription, and then the numbers that have been requested meanwhile, on any thread.
  func begin(with subscriber: Downstream) {
    subscriber.receive(subscription: self)
    deliver()
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "Ask for at least one Fibonacci number: request(.none) means nothing.")
    let deliversAlready = lock.withLock {
      self.demand += demand
      defer { isDelivering = true }
      return isDelivering
    }
    if !deliversAlready { deliver() }
  }

  func cancel() {
    _ = end()
  }

  /// Delivers the numbers that have been requested.
  private func deliver() {
    while let (downstream, number, isLast) = take() {
      // The returned demand counts like another request.
      let more = downstream.receive(number)
      lock.withLock { self.demand += more }
      if isLast, end() != nil { downstream.receive(completion: .finished) }
    }
  }

  /// Takes the next number, if one has been requested; ends the delivery otherwise.
  private func take() -> (Downstream, number: Int, isLast: Bool)? {
    lock.withLock {
      guard let downstream, demand > .none else {
        isDelivering = false
        return nil
      }
      let number = next
      demand -= 1
      left -= 1
      let isLast = left == .none || following == nil
      if let following {
        let (sum, overflow) = number.addingReportingOverflow(following)
        next = following
        self.following = overflow ? nil : sum
      }
      return (downstream, number, isLast)
    }
  }

  /// Releases the subscriber; it is returned so that it is freed outside the lock.
  private func end() -> Downstream? {
    lock.withLock {
      defer { downstream = nil }
      return downstream
    }
  }
}

extension Scenario {
  static let fibonacci = Scenario(
    name: "fibonacci", heading: "Fibonacci: a publisher that honours demand"
  ) { page, _ in
    for count in [10, 1] {
      let numbers = Publishers.fibonacci(count: .max(count)).map(String.init).collect()
      let cancellable = numbers.sink { page.print($0.joined(separator: " ")) }
      cancellable.cancel()
    }

    page.print("The first five of all there are:")
    let firstFive = Publishers.fibonacci(count: .unlimited)
      .print(to: page)
      .prefix(5)
      .sink { page.print("\($0)") }
    firstFive.cancel()

    page.print("Three of five, and then two more:")
    let subscriber = DemandingSubscriber(page: page)
    Publishers.fibonacci(count: .max(5)).subscribe(subscriber)
    subscriber.ask(for: .max(3))
    subscriber.ask(for: .max(2))
  }
}
