// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import Synchronization
import TestSupport

/// A subscriber that finds out whether two of its calls overlap, and how deep they nest.
///
/// What it counts is not behind a lock: as long as nothing overlaps, the deliveries are ordered, and the thread
/// sanitizer says so if they are not.
final class SerialProbe<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  private let inside = Atomic<Int>(0)
  let overlapped = Atomic<Bool>(false)

  private(set) var values: [Input] = []
  private(set) var completions = 0
  private(set) var subscription: (any Subscription)?

  /// Called inside of each delivery of a value.
  var onValue: ((SerialProbe, Input) -> Subscribers.Demand)?

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
  func cancel() { subscription?.cancel() }
  func forgetSubscription() { subscription = nil }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    enter()
    defer { leave() }
    values.append(input)
    return onValue?(self, input) ?? .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    enter()
    completions += 1
    leave()
  }

  private func enter() {
    if inside.add(1, ordering: .relaxed).newValue > 1 { overlapped.store(true, ordering: .relaxed) }
  }

  private func leave() {
    inside.subtract(1, ordering: .relaxed)
  }

  var hasOverlapped: Bool { overlapped.load(ordering: .relaxed) }
}

extension Subscription {
  /// What a debugger shows of the subscription, by value.
  var mirrored: [String] {
    (self as? any CustomReflectable)?.customMirror.children.map { String(describing: $0.value) } ?? ["no mirror"]
  }
}
