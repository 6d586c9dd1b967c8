// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// Calls the closure for the subscription, and holds signals meanwhile; a separate type, since few breakpoints have
/// one.
@usableFromInline
internal final class BreakpointSubscriber<Downstream: Subscriber>: Subscriber {
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let receiveSubscription: (any Subscription) -> Bool
  @usableFromInline internal let downstream: Downstream
  @exclusivity(unchecked) @usableFromInline internal var prelude = SubscriptionHold()
  /// The subscription that downstream has while held signals are delivered; used only while upstream delivers.
  @exclusivity(unchecked) @usableFromInline internal var held: BreakpointSubscription?

  @inlinable
  internal init(_ receiveSubscription: @escaping (any Subscription) -> Bool, before downstream: Downstream) {
    self.receiveSubscription = receiveSubscription
    self.downstream = downstream
  }

  @inlinable
  internal func receive(subscription: any Subscription) {
    prelude.begin()
    if receiveSubscription(subscription) { stopInDebugger() }
    prelude.end()
    guard prelude.isHolding else { return downstream.receive(subscription: subscription) }
    carryOutHeld(from: subscription)
  }

  /// Delivers the held signals, until downstream cancels: it gets a subscription that records a cancel, in place of
  /// upstream's own.
  @inlinable @inline(never)
  internal func carryOutHeld(from upstream: any Subscription) {
    let subscription = BreakpointSubscription(upstream)
    held = subscription
    downstream.receive(subscription: subscription)
    while let signal = prelude.next() {
      if !subscription.isCancelled { signal() }
    }
    held = nil
  }

  @inlinable
  internal func receive(_ input: Input) -> Subscribers.Demand {
    guard prelude.isHolding else { return downstream.receive(input) }
    prelude.hold {
      let more = self.downstream.receive(input)
      if more != .none { self.held?.request(more) }
    }
    return .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) {
    guard prelude.isHolding else { return downstream.receive(completion: completion) }
    prelude.hold { self.downstream.receive(completion: completion) }
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

/// Upstream's subscription, and whether it was cancelled from here.
@usableFromInline
internal final class BreakpointSubscription: BaseSubscription {
  @usableFromInline internal let upstream: any Subscription
  @usableFromInline internal let cancelled = AtomicCell(false)

  @usableFromInline
  internal init(_ upstream: any Subscription) { self.upstream = upstream }

  @usableFromInline
  internal var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

  @usableFromInline
  package override func cancel() {
    cancelled.store(true, ordering: .releasing)
    upstream.cancel()
  }

  @usableFromInline
  package override var above: BaseSubscription? { upstream.untapped.base }

  @usableFromInline
  package override var description: String { String(describing: upstream) }
}
