// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// A subscription that requests from upstream, and cancels it, on a scheduler.
@usableFromInline
package class SubscribeOnSubscription: EmbeddingSubscription {
  @usableFromInline internal final let slot = SubscriptionSlot()
  @usableFromInline internal final let name: String
  @usableFromInline internal final let schedule: (@escaping () -> Void) -> Void
  /// The introduction of downstream: until it is over, requests that a block makes on another thread are held.
  @usableFromInline internal final let introduction = DemandHold()
  /// The number of requests that have been scheduled and have not run.
  private let scheduled = AtomicCell<UInt>(0)

  @usableFromInline
  internal init(name: String, schedule: @escaping (@escaping () -> Void) -> Void, downstream: SubscriberCalls) {
    self.name = name
    self.schedule = schedule
    super.init(downstream: downstream)
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    guard slot.phase == .active else { return }
    _ = scheduled.wrappingAdd(1, ordering: .relaxed)
    schedule {
      _ = self.scheduled.wrappingAdd(.max, ordering: .relaxed)
      if let demand = self.introduction.admit(demand) { self.slot.request(demand) }
    }
  }

  @usableFromInline
  package final override func cancel() {
    // The slot is emptied at once, so nothing is delivered any more, whenever the block runs.
    if let subscription = slot.end().subscription { schedule { subscription.cancel() } }
  }

  package final override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.take(slot)
    let requests = scheduled.load(ordering: .relaxed)
    if link.phase == .awaiting || link.phase == .active && requests > 0 { link.wait = .scheduler }
    if requests > 0 { link.isAsking = true }
    guard link.phase == .awaiting, let downstream = underlying else { return }
    link.awaitedBy = downstream as? any InspectableLink ?? (downstream as? any LinkPart)?.link
  }

  @usableFromInline
  package final override var upstreamBase: BaseSubscription? { slot.base }

  @usableFromInline
  package final override var description: String { name }
}
