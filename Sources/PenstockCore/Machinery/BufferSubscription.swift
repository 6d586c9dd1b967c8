// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The part of a ``BufferedSubscriber`` that depends on no type: the subscription that downstream gets, and the loop
/// through which everything goes down.
///
/// Values come from upstream's thread, requests from any. Whoever enters the loop delivers; anybody else leaves what it
/// brings, in the queue or in the ledger, says so and goes on.
@usableFromInline
package class BufferSubscription: CoreSubscription {
  @usableFromInline internal let slot = SubscriptionSlot()
  @usableFromInline internal let ledger = DemandLedger()
  @usableFromInline internal let loop = DrainLoop()

  /// The number of values in the queue, and one more for an end that waits behind them.
  ///
  /// Written to under the queue's lock.
  @usableFromInline internal let backlog = Atomic<Int>(0)

  /// Delivers what can be delivered, and returns the number of values; only for the owner of the loop.
  ///
  /// Made where the types are known; see ``CoreSubscription``.
  @usableFromInline internal let drain: (BufferSubscription) -> Int

  /// How many values to ask upstream for at first.
  @usableFromInline internal let prefetch: Subscribers.Demand
  /// Whether a delivery has ended when the subscriber below has returned.
  @usableFromInline internal let endsWithReturn: Bool
  @usableFromInline internal let observer = Guarded<(any IdleObserver)?>(nil)

  /// Whether downstream is being handed its subscription, and no request of that call's is being answered.
  ///
  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var isIntroducing = false

  /// Whether such a request has the owner ask upstream, outside of every delivery: what comes inside of that is delivered as
  /// if the loop were free.
  ///
  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var isAnswering = false

  @inlinable
  internal init(
    prefetch: Subscribers.Demand, endsWithReturn: Bool, drain: @escaping (BufferSubscription) -> Int
  ) {
    self.prefetch = prefetch
    self.endsWithReturn = endsWithReturn
    self.drain = drain
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

  /// Answers a request from inside of the introduction.
  ///
  /// The loop is kept, so that no other thread delivers before the introduction is over.
  private func answerWithin() {
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

  /// Has what has been left for the owner of the loop carried out.
  ///
  /// The ledger has no lock that would put its changes and the loop's mark into one order. So there is a fence between the
  /// change and the look at the mark, and one between the owner's taking the mark back and its look at the ledger: one of
  /// the two sees what the other has done.
  @usableFromInline
  internal final func signal(_ thread: UInt) {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if loop.announce(thread) { replenish(leave(thread)) }
  }

  /// Leaves the loop, when there is nothing left to do.
  ///
  /// - Returns: The number of values that have been delivered meanwhile.
  @inlinable
  internal final func leave(_ thread: UInt) -> Int {
    var delivered = 0
    while !loop.leave(thread) {
      // See `signal`.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      delivered += drain(self)
    }
    return delivered
  }

  /// Whether upstream is asked for a new value in the place of each that has been delivered.
  @inlinable
  internal final var keepsFull: Bool { !prefetch.isUnlimited }

  private func replenish(_ delivered: Int) {
    if keepsFull, delivered > 0 { slot.request(.max(delivered)) }
  }

  /// Takes the first subscription, asks upstream for what fits, and then hands downstream its own.
  ///
  /// The loop is held, so that nothing reaches downstream before: neither values nor a failure.
  @usableFromInline
  internal final func introduce(_ subscription: any Subscription, _ handOut: () -> Void) {
    let thread = currentThread()
    // While the slot awaits a subscription nobody else enters the loop.
    guard slot.phase == .awaiting, case .entered = loop.enter(thread) else { return subscription.cancel() }
    guard slot.attach(subscription) else {
      _ = leave(thread)
      return
    }
    if prefetch != .none { slot.request(prefetch) }
    isIntroducing = true
    handOut()
    isIntroducing = false
    replenish(drain(self) + leave(thread))
  }

  /// Deliveries end when the loop has been left for the last time.
  @usableFromInline
  package final override func observeIdle(_ observer: any IdleObserver) -> Bool {
    endsWithReturn && self.observer.withLock { $0.accept(observer, unless: ledger.isClosed) }
  }

  /// Called by the owner of the loop, outside of every delivery, when the stream is over.
  @usableFromInline
  internal final func settle() {
    observer.withLock { $0.take() }?.deliveriesEnded()
  }

  @usableFromInline
  package final override var description: String { "Buffer" }
}
