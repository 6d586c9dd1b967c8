// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import Foundation

/// A publisher of the app's own, which counts down as far as it is requested.
public struct Countdown: Publisher {
  public typealias Output = Int
  public typealias Failure = Never

  public let start: Int

  public init(from start: Int) { self.start = start }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: CountdownSubscription(start: start, subscriber: subscriber))
  }
}

private final class CountdownSubscription<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
  private var next: Int
  private var subscriber: S?
  private var demand = Subscribers.Demand.none
  private var isRunning = false

  init(start: Int, subscriber: S) {
    next = start
    self.subscriber = subscriber
  }

  func request(_ more: Subscribers.Demand) {
    demand += more
    guard !isRunning else { return }
    isRunning = true
    defer { isRunning = false }
    while let subscriber, demand > 0 {
      demand -= 1
      demand += subscriber.receive(next)
      next -= 1
      if next < 0 {
        self.subscriber = nil
        subscriber.receive(completion: .finished)
      }
    }
  }

  func cancel() { subscriber = nil }
}
