// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// The untyped half of a ``BufferSubscriber``: the subscription that downstream gets, and the loop that serialises
/// deliveries.
///
/// Values come from upstream's thread, requests from any thread. The thread that enters the loop delivers; any other
/// thread stores its value in the queue, or its demand in the ledger, announces that and returns.
///
/// It uses the ``DrainLoop`` without a ``SerialQueue``: the queue contains values that wait for demand, not signals that
/// wait for the owner, and it is bounded. The owner's work follows from the queue and the ledger, and the ledger is not
/// behind the queue's lock; so the proof of ``SerialQueue`` does not hold here, and there are fences instead.
@usableFromInline
package class BufferSubscription: EmbeddingSubscription {
  @usableFromInline internal final let slot = SubscriptionSlot()
  @usableFromInline internal final let ledger = DemandLedger()
  @usableFromInline internal final let loop = DrainLoop()

  /// The number of values in the queue, plus one for a completion that waits after them.
  ///
  /// Written under the queue's lock.
  @usableFromInline internal final let backlog = AtomicCell<Int>(0)

  /// How many values have been dropped because the queue was full, for tools; written under the queue's lock.
  @usableFromInline internal final let overflows = ShownCell<UInt>(0)

  /// Delivers as much as demand allows, and returns the number of values; called by the owner of the loop.
  ///
  /// Made where the types are concrete; see ``BaseSubscription``.
  @usableFromInline internal final let drain: (BufferSubscription) -> Int

  /// The initial demand on upstream.
  @usableFromInline internal final let prefetch: Subscribers.Demand

  /// Whether downstream's `receive(subscription:)` is running, and no request made during it is being served.
  ///
  /// Accessed only by the owner of the loop.
  @exclusivity(unchecked) internal final var isIntroducing = false

  /// Whether the owner, serving such a request, requests from upstream outside every delivery: values that arrive
  /// during that are delivered as if the loop were free.
  ///
  /// Accessed only by the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal final var isAnswering = false

  @usableFromInline
  internal init(
    prefetch: Subscribers.Demand, drain: @escaping (BufferSubscription) -> Int, downstream: SubscriberCalls
  ) {
    self.prefetch = prefetch
    self.drain = drain
    super.init(downstream: downstream)
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    guard slot.phase != .awaiting, ledger.add(demand) != nil else { return }
    let thread = currentThread()
    switch loop.enter(thread) {
    case .entered:
      replenish(drain(self) + leave(thread))
    case .nested where isIntroducing:
      answerWithin()
    case .nested, .busy:
      signal(thread)
    }
  }

  /// Serves a request that is made during the introduction.
  ///
  /// The loop stays owned, so that no other thread delivers before the introduction is over.
  private func answerWithin() {
    loop.assertOwned()
    isIntroducing = false
    var delivered = drain(self)
    while keepsFull, delivered > 0 {
      isAnswering = true
      replenish(delivered)
      isAnswering = false
      delivered = drain(self)
    }
    isIntroducing = true
  }

  @usableFromInline
  package final override func cancel() {
    guard slot.phase != .awaiting else { return }
    if case .already = ledger.close() { return }
    slot.cancel()
    signal(currentThread())
  }

  /// Makes the owner of the loop handle what has been stored for it.
  ///
  /// No lock orders changes of the ledger against changes of the loop's mark. So there is a fence between the change
  /// and the read of the mark, and another one between the owner's clearing of the mark and its read of the ledger: at
  /// least one of the two threads sees the other's write.
  @usableFromInline
  internal final func signal(_ thread: UInt) {
    fullFence()
    if loop.announce(thread) { replenish(leave(thread)) }
  }

  /// Leaves the loop as soon as there is nothing left to do.
  ///
  /// - Returns: The number of values that have been delivered meanwhile.
  @inlinable
  internal final func leave(_ thread: UInt) -> Int {
    var delivered = 0
    while !loop.leave(thread) {
      // Paired with the fence in `signal`.
      fullFence()
      delivered += drain(self)
    }
    return delivered
  }

  /// Whether a new value is requested from upstream for each delivered one.
  @_alwaysEmitIntoClient
  internal final var keepsFull: Bool { !prefetch.isUnlimited }

  private func replenish(_ delivered: Int) {
    if keepsFull, delivered > 0 { slot.request(.max(delivered)) }
  }

  /// Stores the first subscription, requests as much as fits into the buffer, and delivers downstream its subscription.
  ///
  /// The thread owns the loop meanwhile, so that neither values nor a failure reach downstream before its subscription.
  @usableFromInline
  internal final func introduce(_ subscription: any Subscription) {
    let thread = currentThread()
    // While the slot awaits a subscription no other thread enters the loop.
    guard slot.phase == .awaiting, case .entered = loop.enter(thread) else { return subscription.cancel() }
    guard slot.attach(subscription) else {
      _ = leave(thread)
      return
    }
    if prefetch != .none { slot.request(prefetch) }
    isIntroducing = true
    deliver(subscription: self)
    isIntroducing = false
    replenish(drain(self) + leave(thread))
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.take(slot)
    link.take(ledger)
    link.waiting = backlog.load(ordering: .relaxed)
    link.drop(overflows.value, .bufferFull)
    // The queue's values are still to be delivered, though upstream has ended.
    link.phase = ledger.isClosed ? .ended : link.phase == .ended && link.waiting != 0 ? .active : link.phase
  }

  @usableFromInline
  package final override var description: String { "Buffer" }
}
