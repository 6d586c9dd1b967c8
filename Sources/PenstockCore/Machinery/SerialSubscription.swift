// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The subscription of an operator that is fed by more than one thread: by several upstreams, or by one and a clock.
///
/// One owner, one queue. Whoever brings a signal enters the ``DrainLoop`` and acts at once; what that causes on the same
/// thread nests. A thread that finds the loop taken leaves its signal in the queue and goes on, and the owner carries it
/// out before it leaves. So deliveries to downstream never overlap, and no thread waits for another.
///
/// Upstreams are asked for more only when the loop has been left, by ``ask(_:for:)``: an upstream that delivers inside
/// of the request enters the loop once for each value, and does not keep other threads out until its last one.
///
/// Once ``close()`` has been called nothing is delivered any more. What was kept for later is freed when no delivery is
/// running.
@usableFromInline
package class SerialSubscription: CoreSubscription {
  /// What only code that knows the types can do.
  ///
  /// Made where they are known; see ``CoreSubscription``.
  @usableFromInline
  package struct TypedWork {
    /// Does what a request asks for.
    ///
    /// Called by the owner.
    @usableFromInline internal let request: (SerialSubscription, Subscribers.Demand) -> Void
    /// Cancels everything above.
    ///
    /// Called once at most, on any thread.
    @usableFromInline internal let cancel: (SerialSubscription) -> Void
    /// Frees what was kept to be delivered later.
    ///
    /// Called once, by the owner, when nothing is being delivered and nothing will be.
    @usableFromInline internal let discard: (SerialSubscription) -> Void

    @inlinable
    package init(
      request: @escaping (SerialSubscription, Subscribers.Demand) -> Void,
      cancel: @escaping (SerialSubscription) -> Void,
      discard: @escaping (SerialSubscription) -> Void
    ) {
      self.request = request
      self.cancel = cancel
      self.discard = discard
    }
  }

  /// What any thread may reach, under the lock.
  @usableFromInline
  internal struct Shared {
    @usableFromInline internal var queue: Deque<() -> Void> = []
    @usableFromInline internal var observer: (any IdleObserver)?
    /// Whether observers have been told, so that there is nothing left to promise.
    @usableFromInline internal var hasEnded = false

    @inlinable
    internal init() {}
  }

  /// More values that an upstream is to be asked for.
  @usableFromInline
  internal struct Ask {
    @usableFromInline internal let inlet: Inlet
    @usableFromInline internal let demand: Subscribers.Demand

    @inlinable
    internal init(_ inlet: Inlet, _ demand: Subscribers.Demand) {
      self.inlet = inlet
      self.demand = demand
    }
  }

  @usableFromInline package let name: String
  @usableFromInline internal let work: TypedWork
  @usableFromInline internal let acceptsNothing: Bool
  /// Whether a delivery has ended when the subscriber below has returned.
  @usableFromInline internal let endsWithReturn: Bool

  @usableFromInline internal let loop = DrainLoop()
  @usableFromInline internal let closed = Atomic(false)
  @usableFromInline internal let shared = Guarded(Shared())

  // These belong to the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var asks: ContiguousArray<Ask> = []
  @exclusivity(unchecked) @usableFromInline internal var isDiscarded = false

  /// - Parameters:
  ///   - name: What `print()` shows.
  ///   - acceptsNothing: Whether `request(.none)` is let through; otherwise it traps.
  ///   - endsWithReturn: Whether a delivery has ended when the subscriber below has returned: whether that is a relay.
  ///   - work: What depends on types.
  @inlinable
  package init(name: String, acceptsNothing: Bool, endsWithReturn: Bool, work: TypedWork) {
    self.name = name
    self.acceptsNothing = acceptsNothing
    self.endsWithReturn = endsWithReturn
    self.work = work
  }

  // MARK: The subscription

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none, !acceptsNothing { trap(.requestedNothing) }
    if isClosed { return }
    let thread = currentThread()
    switch enter(thread) {
    case .entered:
      work.request(self, demand)
      leave(thread)
    case .nested:
      work.request(self, demand)
    case .busy:
      postpone(thread) { self.work.request(self, demand) }
    }
  }

  @usableFromInline
  package override func cancel() {
    guard close() else { return }
    work.cancel(self)
    let thread = currentThread()
    switch enter(thread) {
    case .entered: leave(thread)
    // Whoever owns the loop frees what is left when its delivery has returned.
    case .nested: break
    case .busy: postpone(thread) {}
    }
  }

  @usableFromInline
  package final override func observeIdle(_ observer: any IdleObserver) -> Bool {
    endsWithReturn
      && shared.withLock { shared in
        guard shared.observer == nil, !shared.hasEnded else { return false }
        shared.observer = observer
        return true
      }
  }

  @usableFromInline
  package override var description: String { name }

  // MARK: The end

  /// Whether nothing is to be delivered any more.
  ///
  /// One relaxed load.
  @inlinable
  package final var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Lets nothing be delivered any more, unless by the caller.
  ///
  /// - Returns: Whether the stream was open.
  @inlinable
  package final func close() -> Bool {
    !closed.exchange(true, ordering: .acquiringAndReleasing)
  }

  // MARK: The loop

  /// How the calling thread finds the loop; where it is `.busy`, also if the thread itself owns it, the signal goes into
  /// the queue, by ``postpone(_:_:)``.
  ///
  /// The owner may bring a signal by way of a source that has left an earlier one in the queue, from another thread.
  /// That one goes first.
  @inlinable
  package final func enter(_ thread: UInt) -> DrainLoop.Entry {
    let entry = loop.enter(thread)
    if case .nested = entry, loop.isAnnounced { return .busy }
    return entry
  }

  /// Carries out what has been queued, leaves the loop, and asks upstreams for what they are to be asked for.
  @inlinable
  package final func leave(_ thread: UInt) {
    if isClosed || !asks.isEmpty { return leaveBusy(thread) }
    if loop.leave(thread) { return }
    // The announcement has been taken back with that, so the queue has to be looked at now.
    performQueued()
    leaveBusy(thread)
  }

  @usableFromInline
  internal final func leaveBusy(_ thread: UInt) {
    while true {
      if isClosed { discardOnce() }
      var asks: ContiguousArray<Ask> = []
      swap(&asks, &self.asks)
      if loop.leave(thread) {
        for ask in asks { ask.inlet.slot.request(ask.demand) }
        return
      }
      // What is queued may bring more to ask for.
      swap(&asks, &self.asks)
      performQueued()
    }
  }

  /// Leaves a signal to the owner of the loop, who may be the caller by then.
  @usableFromInline
  package final func postpone(_ thread: UInt, _ signal: @escaping () -> Void) {
    shared.withLock { $0.queue.append(signal) }
    if loop.announce(thread) { leave(thread) }
  }

  @usableFromInline
  internal final func performQueued() {
    var queue: Deque<() -> Void> = []
    shared.withLock { swap(&queue, &$0.queue) }
    // After the end, signals are freed and nothing else.
    while !isClosed, let signal = queue.popFirst() { signal() }
  }

  /// Frees what will not be delivered, and tells whoever waits for the end of deliveries.
  private func discardOnce() {
    guard !isDiscarded else { return }
    isDiscarded = true
    work.discard(self)
    let observer = shared.withLock { shared in
      shared.hasEnded = true
      return shared.observer.take()
    }
    observer?.deliveriesEnded()
  }

  /// Asks an upstream for more, as soon as the loop has been left.
  ///
  /// Called by the owner.
  @inlinable
  package final func ask(_ inlet: Inlet, for demand: Subscribers.Demand) {
    if demand != .none { asks.append(Ask(inlet, demand)) }
  }
}

/// One upstream of a ``SerialSubscription``: where its subscription is kept.
///
/// Subclasses keep what has come from there, too; that belongs to the owner of the loop.
@usableFromInline
package class Inlet {
  @usableFromInline package let slot = SubscriptionSlot()

  @inlinable
  package init() {}
}

@available(*, unavailable)
extension SerialSubscription.TypedWork: Sendable {}

@available(*, unavailable)
extension SerialSubscription.Shared: Sendable {}

@available(*, unavailable)
extension SerialSubscription.Ask: Sendable {}

@available(*, unavailable)
extension Inlet: Sendable {}
