// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The untyped half of the queued shape: the subscription that downstream gets, and the rules for which thread delivers
/// held outputs.
///
/// Upstream delivers serially, while requests may come from any thread. As long as nothing is held, only upstream's
/// thread delivers, without a lock. Held outputs are delivered in a loop, by one thread at a time: by the one that
/// requests them, or by upstream's if it is calling downstream at that moment.
@usableFromInline
package class QueuedSubscription: EmbeddingSubscription {
  @usableFromInline
  internal struct State: ~Copyable {
    /// Whether a thread is delivering held outputs, and so serves all demand that is added meanwhile.
    @usableFromInline internal var isDraining = false
    /// The thread that was in a delivery, or in the introduction, when something had to be held; otherwise zero.
    ///
    /// Until its call has returned, no other thread delivers.
    internal var busyThread: UInt = 0

    @_alwaysEmitIntoClient
    internal init() {}
  }

  /// The demand that has been requested from upstream and whose values have not been handled.
  internal enum Awaited: UInt {
    case nothing, one, all
  }

  /// Asserts that upstream's deliveries do not overlap: the stage's state belongs to them.
  @usableFromInline internal final let deliveries = OwnerCheck()
  @usableFromInline internal final let slot = SubscriptionSlot()
  @usableFromInline internal final let ledger = DemandLedger()
  @usableFromInline internal final let state = Guarded(State())

  /// Written under the lock.
  @usableFromInline internal final let held = AtomicCell(false)

  /// The demand that has been requested from upstream and whose values have not been handled, for
  /// ``QueuedDemand/whileUnmet``: a raw value of ``Awaited``.
  @usableFromInline internal final let awaited = AtomicCell(Awaited.nothing.rawValue)

  @usableFromInline internal final let name: String
  internal final let demand: QueuedDemand
  /// Whether outputs may be held before upstream has ended.
  internal final let holdsValues: Bool

  /// Delivers held outputs as far as demand reaches, or frees them after a cancel.
  ///
  /// A closure made where the types are concrete.
  @usableFromInline internal final let drain: (QueuedSubscription) -> Void

  /// Whether downstream is being called by upstream's thread, so that another thread has to wait for the end of the
  /// call before it delivers held outputs.
  ///
  /// Belongs to upstream's deliveries.
  @exclusivity(unchecked) @usableFromInline internal final var isDelivering = false

  @usableFromInline
  internal init(
    name: String, demand: QueuedDemand, holdsValues: Bool, drain: @escaping (QueuedSubscription) -> Void,
    downstream: SubscriberCalls
  ) {
    self.name = name
    self.demand = demand
    self.holdsValues = holdsValues
    self.drain = drain
    super.init(downstream: downstream)
  }

  /// Whether outputs or the completion are held, or the last of them is being delivered.
  ///
  /// An acquiring load: if nothing is held, all deliveries of other threads have happened before.
  @_alwaysEmitIntoClient
  internal final var isHolding: Bool { held.load(ordering: .acquiring) }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    let factor: Int
    switch self.demand {
    case .unlimited:
      // A request that comes before the subscription is remembered.
      if ledger.add(demand) != nil { drain(self) }
      return
    case .whileUnmet:
      guard slot.phase != .awaiting, ledger.add(demand) != nil else { return }
      drain(self)
      return requestUnmet()
    case .multiplied(by: let count, operator: _): factor = count
    }
    self.demand.check()
    guard slot.phase != .awaiting, ledger.add(demand) != nil else { return }
    // The ledger is credited before the slot is read, while upstream's completion empties the slot before it reads the
    // ledger: one of the two sees the other, so a request never misses a held output.
    let upstream = slot.base
    if upstream == nil || holdsValues { drain(self) }
    let values = demand * factor
    if values != .none { upstream?.request(values) }
  }

  /// Requests the next value, or all of them, if downstream's demand is not met, nothing is held, and no value is
  /// awaited.
  @usableFromInline
  internal final func requestUnmet() {
    let demand = awaitUnmet()
    if demand != .none { slot.request(demand) }
  }

  /// The same demand, as the answer to a value that has been handled.
  @usableFromInline
  internal final func unmetAfterValue() -> Subscribers.Demand {
    if awaited.load(ordering: .relaxed) == Awaited.all.rawValue { return .none }
    awaited.store(Awaited.nothing.rawValue, ordering: .relaxed)
    return awaitUnmet()
  }

  /// Claims for the calling thread the demand that is not met and has to be requested.
  ///
  /// Two threads may come here at the same time: one after it has added demand, or delivered the last of what was held,
  /// the other after it has cleared the mark. Each writes first, then passes the fence, then reads what the other has
  /// written: so at least one of them sees both.
  private func awaitUnmet() -> Subscribers.Demand {
    fullFence()
    guard ledger.balance != .none, !isHolding else { return .none }
    let demand: Subscribers.Demand = ledger.isUnlimited ? .unlimited : .max(1)
    let next: Awaited = demand == .unlimited ? .all : .one
    let (won, _) = awaited.compareExchange(
      expected: Awaited.nothing.rawValue, desired: next.rawValue, ordering: .acquiringAndReleasing)
    return won ? demand : .none
  }

  /// Cancels; held outputs are dropped, since no delivery starts after a cancel.
  @usableFromInline
  package final override func cancel() {
    guard slot.phase != .awaiting else { return }
    _ = ledger.close()
    slot.cancel()
    drain(self)
  }

  /// Drops an output without demand, which comes after a cancel or from a publisher that does not count demand;
  /// otherwise traps.
  @usableFromInline @inline(never)
  internal final func refuse() {
    // In this order: a cancel closes the ledger before it releases upstream, and `exceedsDemand` needs upstream.
    if !exceedsDemand, !ledger.isClosed { trap(.unrequestedValue(operator: name)) }
  }

  /// Marks a call of downstream.
  ///
  /// - Returns: Whether it is not nested in another one: ``endDelivery()`` has to be called then.
  @_alwaysEmitIntoClient
  internal final func beginDelivery() -> Bool {
    if isDelivering { return false }
    isDelivering = true
    return true
  }

  /// Ends the mark, and delivers the outputs that other threads have requested meanwhile.
  @inlinable
  internal final func endDelivery() {
    isDelivering = false
    if isHolding { release() }
  }

  @usableFromInline
  internal final func release() {
    state.withLock { $0.busyThread = 0 }
    drain(self)
  }

  /// Called under the lock: records that something is held from now on.
  @usableFromInline
  internal final func beginHolding(_ state: inout State) {
    held.store(true, ordering: .relaxed)
    state.busyThread = isDelivering ? currentThread() : 0
  }

  /// Called under the lock, when everything that was held has been delivered or dropped.
  @usableFromInline
  internal final func endHolding(_ state: inout State) {
    state.isDraining = false
    held.store(false, ordering: .releasing)
  }

  /// Tries to become the one thread that delivers held outputs.
  @usableFromInline
  internal final func beginDraining() -> Bool {
    state.withLock { state in
      guard isHolding, !state.isDraining else { return false }
      guard state.busyThread == 0 || state.busyThread == currentThread() || ledger.isClosed else { return false }
      state.isDraining = true
      return true
    }
  }

  /// Upstream's subscription, unless upstream's deliveries depend on nothing that downstream does.
  @usableFromInline
  package final override var upstreamBase: BaseSubscription? {
    if case .unlimited = demand { nil } else { slot.base }
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.take(slot)
    link.take(ledger)
    // Held outputs are still to be delivered, though upstream has ended.
    link.phase = ledger.isClosed ? .ended : link.phase == .ended && isHolding ? .active : link.phase
  }

  @usableFromInline
  package final override var exceedsDemand: Bool { holdsValues ? false : super.exceedsDemand }

  @usableFromInline
  package final override var description: String { name }
}
