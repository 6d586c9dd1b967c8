// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The common part of `zip` and `combineLatest`, for any number of upstreams.
///
/// A completion that arrives before downstream has its subscription is held until then.
@usableFromInline
package class TupleCore<Inlets: TupleInlets, Failure: Error>: FanInSubscription {
  @usableFromInline package final let tuple: Inlets

  // Accessed only by the owner of the loop.

  /// The number of upstreams that have finished.
  @exclusivity(unchecked) @usableFromInline internal final var finished = 0
  /// The completion to deliver as soon as downstream has its subscription.
  @exclusivity(unchecked) @usableFromInline
  internal final var early = ValueSlot<Subscribers.Completion<Failure>>()
  /// Whether downstream has its subscription.
  @exclusivity(unchecked) @usableFromInline internal final var isOpen = false
  /// Whether a delivery is running.
  @exclusivity(unchecked) @usableFromInline internal final var isDelivering = false

  @_alwaysEmitIntoClient
  internal init(
    name: String, _ tuple: Inlets, work: TypedWork, downstream: __owned SubscriberCalls
  ) {
    self.tuple = tuple
    super.init(name: name, inlets: tuple.inlets, acceptsZeroDemand: false, work: work, downstream: downstream)
  }

  deinit {
    if early.isUsed { early.empty() }
  }

  @inlinable
  internal final func finish(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    guard isOpen else {
      if !early.isFull { early.put(completion) }
      return
    }
    guard close() else { return }
    cancelUpstreams()
    deliver(ending: completion)
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { return }
    for inlet in tupleInlets { link.moves &+= inlet.changes.value }
    let counts = tupleInlets.map(\.count)
    let missing = counts.indices.filter { counts[$0] == 0 }
    if missing.count < counts.count, !missing.isEmpty { link.wait = .upstreams(missing) }
  }

  @_alwaysEmitIntoClient
  internal final var tupleInlets: some Sequence<TupleInlet> {
    inlets.lazy.map { unsafeDowncast($0, to: TupleInlet.self) }
  }

  @inlinable
  package final func discard() {
    assertOwned()
    // Only those with a value: the method is generic, and looks its types up each time.
    for inlet in tupleInlets where !inlet.isEmpty { inlet.clear(of: self) }
  }
}
