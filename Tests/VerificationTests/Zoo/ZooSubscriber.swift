// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting

/// The mistakes of subscribers, each of which breaks one rule.
enum SubscriberFault: String, CaseIterable, Sendable {
  case requestsZero, overwritesSubscription, unwrapsLastAtEnd, cancelsAfterEnd, keepsSubscription, ignoresTheRest
  case unwrapsAfterCancel, waits, requestsOnTwoThreads

  var rule: String {
    switch self {
    case .requestsZero: "R-01"
    case .overwritesSubscription: "R-02"
    case .unwrapsLastAtEnd: "R-03"
    case .cancelsAfterEnd, .keepsSubscription: "R-04"
    case .ignoresTheRest: "R-05"
    case .unwrapsAfterCancel: "R-06"
    case .waits: "R-08"
    case .requestsOnTwoThreads: "R-07"
    }
  }
}

/// A subscriber that takes three values, one at a time, and cancels; with or without a mistake.
final class ZooSubscriber: Subscriber, Sendable {
  typealias Input = Int
  typealias Failure = VerificationError

  private struct State {
    var subscription: (any Subscription)?
    var values: [Int] = []
    var hasEnded = false
    var isCancelled = false
  }

  private let fault: SubscriberFault?
  private nonisolated(unsafe) var state = State()
  private let lock = NSLock()

  init(_ fault: SubscriberFault?) { self.fault = fault }

  func receive(subscription: any Subscription) {
    let isFirst = lock.withLock {
      guard state.subscription == nil || fault == .overwritesSubscription else { return false }
      state.subscription = subscription
      return true
    }
    guard isFirst else { return subscription.cancel() }
    subscription.request(.max(1))
    if fault == .requestsZero { subscription.request(.none) }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    if fault == .waits { DispatchSemaphore(value: 0).wait() }
    if fault == .unwrapsAfterCancel, lock.withLock({ state.isCancelled }) { fatalError("the buffer is nil") }
    let (isEnough, subscription) = lock.withLock {
      if state.values.count < 3 { state.values.append(input) }
      return (state.values.count == 3, state.subscription)
    }
    if !isEnough, fault == .requestsOnTwoThreads, let subscription {
      requestTwice(subscription)
      return .none
    }
    guard isEnough else { return .max(1) }
    if fault == .ignoresTheRest { return .max(1) }
    lock.withLock { state.isCancelled = true }
    subscription?.cancel()
    lock.withLock { state.subscription = nil }
    return .none
  }

  /// Requests 2 values, from two threads that wait for each other first.
  private func requestTwice(_ subscription: any Subscription) {
    let (here, there, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    nonisolated(unsafe) var other: (any Subscription)? = subscription
    Thread.detachNewThread {
      here.signal()
      there.wait()
      other.take()?.request(.max(1))
      done.signal()
    }
    here.wait()
    there.signal()
    subscription.request(.max(1))
    done.wait()
  }

  func receive(completion: Subscribers.Completion<VerificationError>) {
    if fault == .unwrapsLastAtEnd, lock.withLock({ state.values.isEmpty }) { fatalError("there is no last value") }
    if fault == .cancelsAfterEnd { lock.withLock { state.subscription }?.cancel() }
    lock.withLock {
      state.hasEnded = true
      if fault != .keepsSubscription { state.subscription = nil }
    }
  }
}
