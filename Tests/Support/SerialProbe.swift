// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
import Synchronization

/// A subscriber that detects overlapping calls, including nested ones.
///
/// Its records are deliberately not behind a lock: if nothing overlaps, the deliveries are ordered, and otherwise the
/// thread sanitizer reports it. The subscription is behind a lock, since any thread may use it.
public final class SerialProbe<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  private let inside = Atomic<Int>(0)
  private let overlapped = Atomic<Bool>(false)
  private let initialDemand: Subscribers.Demand?
  private let current = Locked<(any Subscription)?>(nil)

  public private(set) var values: [Input] = []
  public private(set) var completions = 0

  /// Called during each delivery of a value.
  public var onValue: ((SerialProbe, Input) -> Subscribers.Demand)?

  /// - Parameter demand: The demand to request when the subscription has arrived; `nil` to request nothing.
  public init(demand: Subscribers.Demand? = nil) {
    initialDemand = demand
  }

  public var hasOverlapped: Bool { overlapped.load(ordering: .relaxed) }

  public var subscription: (any Subscription)? { current.value }

  public func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
  public func cancel() { subscription?.cancel() }
  public func forgetSubscription() { current.change { $0 = nil } }

  public func receive(subscription: any Subscription) {
    enter()
    current.change { $0 = subscription }
    leave()
    if let initialDemand { subscription.request(initialDemand) }
  }

  public func receive(_ input: Input) -> Subscribers.Demand {
    enter()
    defer { leave() }
    values.append(input)
    return onValue?(self, input) ?? .none
  }

  public func receive(completion: Subscribers.Completion<Failure>) {
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
}
