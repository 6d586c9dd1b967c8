// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting

// Publishers as they are shown in tutorials and found in libraries, each with its mistake or, for comparison, without.

/// A control that is pressed, such as a button.
final class Control {
  fileprivate var handlers: [(Int) -> Void] = []
  private var presses = 0

  func press() {
    presses += 1
    for handler in handlers { handler(presses) }
  }
}

/// The presses of a control, for subscribers that have asked for them; or for all, because `request(_:)` is empty.
struct ControlPublisher: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let control: Control
  let ignoresDemand: Bool

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let subscription = ControlSubscription(AnySubscriber(subscriber), ignoresDemand)
    control.handlers.append { [weak subscription] in subscription?.press($0) }
    subscriber.receive(subscription: subscription)
  }
}

private final class ControlSubscription: Subscription {
  private let lock = NSLock()
  private var downstream: AnySubscriber<Int, Never>?
  private var demand = Subscribers.Demand.none
  private let ignoresDemand: Bool

  init(_ downstream: AnySubscriber<Int, Never>, _ ignoresDemand: Bool) {
    (self.downstream, self.ignoresDemand) = (downstream, ignoresDemand)
  }

  func press(_ number: Int) {
    let target: AnySubscriber<Int, Never>? = lock.withLock {
      if ignoresDemand { return downstream }
      guard demand > .none else { return nil }
      demand -= 1
      return downstream
    }
    let more = target?.receive(number) ?? .none
    lock.withLock { demand += more }
  }

  func request(_ demand: Subscribers.Demand) {
    if ignoresDemand { return }
    lock.withLock { self.demand += demand }
  }

  func cancel() {
    let old = lock.withLock {
      defer { downstream = nil }
      return downstream
    }
    withExtendedLifetime(old) {}
  }
}

enum FibonacciMistake: Sendable { case startsAgain, trapsAtUnlimited, miscountsTheFirstTwo }

/// The first Fibonacci numbers.
struct FibonacciPublisher: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  let mistake: FibonacciMistake?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let subscription = FibonacciSubscription(self, AnySubscriber(subscriber))
    subscriber.receive(subscription: subscription)
    subscription.begin()
  }
}

private final class FibonacciSubscription: Subscription {
  private let lock = NSLock()
  private let plan: FibonacciPublisher
  private var downstream: AnySubscriber<Int, Never>?
  private var demand = Subscribers.Demand.none
  private var place = 0
  private var numbers = (0, 1)
  private var isBusy = true

  init(_ plan: FibonacciPublisher, _ downstream: AnySubscriber<Int, Never>) {
    (self.plan, self.downstream) = (plan, downstream)
  }

  func begin() {
    lock.withLock { isBusy = false }
    deliver()
  }

  func request(_ demand: Subscribers.Demand) {
    if plan.mistake == .trapsAtUnlimited { _ = demand.max! }
    lock.withLock {
      self.demand += demand
      if plan.mistake == .startsAgain, !isBusy { numbers = (0, 1) }
    }
    deliver()
  }

  private func deliver() {
    let isFree = lock.withLock {
      defer { isBusy = true }
      return !isBusy
    }
    guard isFree else { return }
    while true {
      let (target, number): (AnySubscriber<Int, Never>?, Int?) = lock.withLock {
        guard let downstream else { return (nil, nil) }
        if place == plan.count {
          self.downstream = nil
          return (downstream, nil)
        }
        guard demand > .none else {
          isBusy = false
          return (nil, nil)
        }
        if plan.mistake != .miscountsTheFirstTwo || place != 1 { demand -= 1 }
        place += 1
        defer { numbers = (numbers.1, numbers.0 &+ numbers.1) }
        return (downstream, numbers.0)
      }
      guard let target else { return }
      guard let number else { return target.receive(completion: .finished) }
      let more = target.receive(number)
      lock.withLock { demand += more }
    }
  }

  func cancel() {
    let old = lock.withLock {
      defer { downstream = nil }
      return downstream
    }
    withExtendedLifetime(old) {}
  }
}

/// Lines of a file that does not exist, opened with `try!` at the first request.
struct FileLines: Publisher {
  typealias Output = String
  typealias Failure = any Error

  private struct Missing: Error {}

  let forces: Bool

  func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == any Error {
    subscriber.receive(subscription: Reader(AnySubscriber(subscriber), forces))
  }

  private final class Reader: Subscription {
    private var downstream: AnySubscriber<String, any Error>?
    private let forces: Bool

    init(_ downstream: AnySubscriber<String, any Error>, _ forces: Bool) {
      (self.downstream, self.forces) = (downstream, forces)
    }

    private func open() throws -> String { throw Missing() }

    func request(_ demand: Subscribers.Demand) {
      if forces { _ = downstream?.receive(try! open()) }
      downstream.take()?.receive(completion: .failure(Missing()))
    }

    func cancel() { downstream = nil }
  }
}

/// Numbers, whose subscriptions are kept by the identifiers of their subscribers, or each separately.
struct RegisteredPublisher: Publisher {
  typealias Output = Int
  typealias Failure = Never

  final class Register {
    var members: [CombineIdentifier: Subscriptions] = [:]
  }

  typealias Subscriptions = [any Subscription]

  let count: Int
  let isBySubscriber: Bool
  private let register = Register()

  init(count: Int, isBySubscriber: Bool) { (self.count, self.isBySubscriber) = (count, isBySubscriber) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    guard isBySubscriber else { return (0..<count).publisher.receive(subscriber: subscriber) }
    let (key, register) = (subscriber.combineIdentifier, register)
    (0..<count).publisher.handleEvents(
      receiveSubscription: { register.members[key, default: []].append($0) },
      receiveCancel: {
        for subscription in register.members.removeValue(forKey: key) ?? [] { subscription.cancel() }
      }
    ).receive(subscriber: subscriber)
  }
}
