// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of an operator with a fixed number of upstreams.
///
/// It is independent of their number and types: `merge`, `zip` and `combineLatest` have one core each, for all arities.
@usableFromInline
package class FanInSubscription: SerialSubscription {
  @usableFromInline package final let inlets: ContiguousArray<Inlet>
  @usableFromInline internal final let shownDemand = ShownDemand()

  /// The outstanding demand, where the operator counts it; accessed only by the owner of the loop.
  @_alwaysEmitIntoClient
  package final var demand: Subscribers.Demand {
    get { shownDemand.value }
    set { shownDemand.value = newValue }
  }

  @usableFromInline
  package init(
    name: String, inlets: ContiguousArray<Inlet>, acceptsZeroDemand: Bool, work: TypedWork, downstream: SubscriberCalls
  ) {
    self.inlets = inlets
    super.init(name: name, acceptsZeroDemand: acceptsZeroDemand, work: work, downstream: downstream)
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { return }
    for (index, inlet) in inlets.enumerated() { link.add(inlet.slot.base, role: "\(index + 1)") }
    if inlets.allSatisfy({ $0.slot.phase == .awaiting }), !inlets.isEmpty { link.phase = .awaiting }
  }

  /// Cancels every upstream that has not ended, also those whose subscription has not arrived.
  @usableFromInline
  package final func cancelUpstreams() {
    for inlet in inlets { inlet.slot.cancel(early: true) }
  }

  /// Requests more from every upstream whose subscription has arrived, as soon as the loop has been left.
  ///
  /// - Parameter answered: An upstream that gets the demand as the result of its `receive(_:)` instead.
  @usableFromInline
  package final func askAll(for demand: Subscribers.Demand, but answered: Inlet? = nil) {
    if demand == .none { return }
    for inlet in inlets where inlet.hasBegun && inlet !== answered { requestLater(demand, from: inlet) }
  }
}
