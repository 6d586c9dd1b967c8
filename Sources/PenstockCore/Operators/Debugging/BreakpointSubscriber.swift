// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Calls the closure for the subscription, and holds signals meanwhile; a separate type, since few breakpoints have
/// one.
@usableFromInline
internal final class BreakpointSubscriber<Downstream: Subscriber>: Subscriber {
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let receiveSubscription: (any Subscription) -> Bool
  @usableFromInline internal let downstream: Downstream
  @exclusivity(unchecked) @usableFromInline internal var held = SubscriptionHold()

  @_alwaysEmitIntoClient
  internal init(_ receiveSubscription: @escaping (any Subscription) -> Bool, before downstream: Downstream) {
    self.receiveSubscription = receiveSubscription
    self.downstream = downstream
  }

  @_alwaysEmitIntoClient
  internal func receive(subscription: any Subscription) {
    held.begin()
    if receiveSubscription(subscription) { stopInDebugger() }
    held.end()
    guard held.isHolding else { return downstream.receive(subscription: subscription) }
    carryOutHeld(from: subscription)
  }

  /// Delivers the held signals, until downstream cancels: it gets a subscription that knows of a cancel, in place of
  /// upstream's own.
  @inlinable @inline(never)
  internal func carryOutHeld(from upstream: any Subscription) {
    let subscription = ManagedSubscription(
      name: String(describing: upstream), rules: ManagedRules(acceptsZeroDemand: true))
    guard subscription.slot.attach(upstream) else { return }
    downstream.receive(subscription: subscription)
    while let signal = held.next() {
      if subscription.slot.phase == .active { signal(subscription) }
    }
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Subscribers.Demand {
    guard held.isHolding else { return downstream.receive(input) }
    held.hold { subscription in
      let more = self.downstream.receive(input)
      if more != .none { subscription.request(more) }
    }
    return .none
  }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Failure>) {
    guard held.isHolding else { return downstream.receive(completion: completion) }
    held.hold { _ in self.downstream.receive(completion: completion) }
  }
}

extension BreakpointSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  internal var description: String { "Breakpoint" }

  @usableFromInline
  internal var customMirror: Mirror { Mirror(reflecting: downstream) }

  @usableFromInline
  internal var playgroundDescription: Any { description }
}
