// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A target of requests that a ``SerialSubscription`` makes after it has left its loop.
@usableFromInline
package class DemandTarget {
  @_alwaysEmitIntoClient
  internal init() {}

  /// Requests values; called after the loop has been left, by the thread that owned it.
  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {}
}

/// One upstream of a ``SerialSubscription``, with the slot for its subscription.
///
/// Subclasses also keep values that have arrived from it; only the owner of the loop accesses those.
@usableFromInline
package class Inlet: DemandTarget {
  @usableFromInline package final let slot = SubscriptionSlot()

  /// Whether the owner of the loop knows that the subscription has arrived.
  ///
  /// Accessed only by that owner, so that demand is requested exactly once: demand from before the arrival is requested
  /// when the subscription arrives.
  @_alwaysEmitIntoClient
  package final var hasBegun: Bool {
    get { storedHasBegun }
    set { storedHasBegun = newValue }
  }

  // Internal, since other modules do not see that an access is unchecked: they would call the run-time for each.
  @exclusivity(unchecked) @usableFromInline internal final var storedHasBegun = false

  @inlinable
  package override init() {}

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) { slot.request(demand) }

  /// Whether the subscription has arrived and not ended.
  ///
  /// Defined here, because reading the slot from outside would count a reference to its owner.
  @_alwaysEmitIntoClient
  package final var isActive: Bool { slot.phase == .active }

  /// Whether the subscription has ended or been cancelled.
  @_alwaysEmitIntoClient
  package final var hasEnded: Bool { slot.phase == .terminal }
}

/// Requests to upstreams that wait until the loop has been left.
///
/// The first two are stored inline, so that an operator with a few upstreams allocates nothing.
@usableFromInline
internal struct PendingRequests: ~Copyable {
  /// A structure, and its target optional, because a place for an optional tuple would be freed by way of its type.
  @usableFromInline
  internal struct Request {
    @usableFromInline internal var target: DemandTarget?
    internal var demand = Subscribers.Demand.none

    internal func perform() { target?.request(demand) }
  }

  @usableFromInline internal var first = Request()
  internal var second = Request()
  @usableFromInline internal var others: ContiguousArray<Request> = []
  /// Stored separately: comparing an optional target with `nil` would count a reference to it.
  @usableFromInline internal private(set) var isEmpty = true

  @_alwaysEmitIntoClient
  internal init() {}

  @usableFromInline
  internal mutating func append(_ demand: Subscribers.Demand, from target: DemandTarget) {
    let request = Request(target: target, demand: demand)
    if isEmpty {
      isEmpty = false
      first = request
    } else if second.target == nil {
      second = request
    } else {
      others.append(request)
    }
  }

  internal func perform() {
    first.perform()
    second.perform()
    for request in others { request.perform() }
  }
}
