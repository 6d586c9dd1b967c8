// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
public import PenstockCore

/// A subscriber that detects calls on two threads at once; calls that nest on one thread are permitted.
///
/// Apart from that its records are not behind a lock, so that the thread sanitizer reports deliveries that are not
/// ordered.
public final class ThreadProbe<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  private struct Inside {
    var threads: [ObjectIdentifier] = []
    var hasOverlapped = false
  }

  private let inside = Locked(Inside())
  private let current = Locked<(any Subscription)?>(nil)

  public private(set) var values: [Input] = []
  public private(set) var completions: [Subscribers.Completion<Failure>] = []

  /// Called during the introduction.
  public var onSubscription: (any Subscription) -> Void
  /// Called during each delivery of a value.
  public var onValue: (Input) -> Subscribers.Demand
  /// Called during the completion.
  public var onCompletion: () -> Void = {}

  /// - Parameter demand: The demand to request during the introduction.
  public init(demand: Subscribers.Demand = .unlimited) {
    onSubscription = { if demand != .none { $0.request(demand) } }
    onValue = { _ in .none }
  }

  public var hasOverlapped: Bool { inside.value.hasOverlapped }

  /// Whether no call is running.
  public var isIdle: Bool { inside.value.threads.isEmpty }

  public var subscription: (any Subscription)? { current.value }

  public func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
  public func cancel() { subscription?.cancel() }
  public func forgetSubscription() { current.change { $0 = nil } }

  public func receive(subscription: any Subscription) {
    enter()
    defer { leave() }
    current.change { $0 = subscription }
    onSubscription(subscription)
  }

  public func receive(_ input: Input) -> Subscribers.Demand {
    enter()
    defer { leave() }
    values.append(input)
    return onValue(input)
  }

  public func receive(completion: Subscribers.Completion<Failure>) {
    enter()
    defer { leave() }
    completions.append(completion)
    onCompletion()
  }

  private func enter() {
    let thread = ObjectIdentifier(Thread.current)
    inside.change { inside in
      if inside.threads.contains(where: { $0 != thread }) { inside.hasOverlapped = true }
      inside.threads.append(thread)
    }
  }

  private func leave() { inside.change { _ = $0.threads.popLast() } }
}
