// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The subscription of an operator that several threads feed: several upstreams, or one upstream and a scheduler.
///
/// It embeds the downstream subscriber without its type. As in Combine the subscriber stays there for as long as the
/// subscription lives, unless the subscription ``releasesDownstream`` with the end of the stream.
///
/// All signals pass through one ``SerialQueue``. So deliveries to downstream never overlap, and no thread waits for
/// another.
///
/// Upstreams are requested from only after the loop has been left, by ``requestLater(_:from:)``. An upstream that
/// delivers during the request then enters the loop once per value, and does not keep other threads out until its last
/// one.
///
/// After ``close()`` no delivery starts. A delivery has started once it has found the stream open: if the stream is
/// closed on another thread right after that, the delivery is one that was running. Values that are still kept are
/// discarded when no delivery is running.
@usableFromInline
package class SerialSubscription: EmbeddingSubscription {
  /// The calls to the ``SerialCore``.
  ///
  /// A closure made where the types of the core are concrete; see ``BaseSubscription``.
  @usableFromInline
  package struct TypedWork {
    @usableFromInline
    package enum Call: Sendable {
      case add(Subscribers.Demand)
      case cancel
      case discard
    }

    @usableFromInline internal let perform: (SerialSubscription, Call) -> Void

    @_alwaysEmitIntoClient
    package init(_ perform: @escaping (SerialSubscription, Call) -> Void) { self.perform = perform }

    @_alwaysEmitIntoClient @inline(__always)
    package init<Core: SerialCore>(of core: Core.Type) {
      self.init { subscription, call in
        // Each subscription makes the calls that were made for its class.
        let core = unsafeDowncast(subscription, to: Core.self)
        switch call {
        case .add(let demand): core.add(demand)
        case .cancel: core.takeCancel()
        case .discard: core.discard()
        }
      }
    }
  }

  /// Whether a thread is subscribing to the upstreams: the loop is kept for it meanwhile, also between signals.
  @usableFromInline
  internal enum Joining: Sendable {
    /// No thread is: the loop is left after each signal.
    case none
    case betweenSignals
    case withinSignal
  }

  @usableFromInline package final let name: String
  @usableFromInline internal final let work: TypedWork
  @usableFromInline internal final let queue = SerialQueue<DeferredCall, NoState>()
  @usableFromInline internal final let closed = AtomicCell(false)
  /// The thread for which the loop is kept, or zero.
  internal final let joiner = AtomicCell<UInt>(0)

  // Accessed only by the owner of the loop, which `queue` orders between threads: run-time exclusivity checks would find
  // nothing, and cost as much as a call.

  /// The upstream subscriptions whose joining ends together with this one's.
  @exclusivity(unchecked) internal final var deferred: [BaseSubscription] = []
  @exclusivity(unchecked) @usableFromInline internal final var requests = PendingRequests()
  @exclusivity(unchecked) internal final var isDiscarded = false
  /// Whether leaving takes more than releasing the loop: requests are pending, or the loop is kept.
  @exclusivity(unchecked) @usableFromInline internal final var hasWorkOnLeaving = false
  @exclusivity(unchecked) @usableFromInline internal final var joining = Joining.none
  /// Whether an operator downstream determines when the joining ends.
  @exclusivity(unchecked) internal final var isDeferred = false

  /// Whether downstream is released when the stream is over and no delivery is running: if it is a resident, which
  /// nobody else could release, or if blocks may keep the operator for long.
  @exclusivity(unchecked) @usableFromInline package final var releasesDownstream = false

  @usableFromInline internal final let acceptsZeroDemand: Bool

  /// - Parameters:
  ///   - name: The text that `print()` prints.
  ///   - acceptsZeroDemand: Whether `request(.none)` is accepted; otherwise it traps.
  ///   - work: The work that depends on types.
  ///   - downstream: The calls of the subscriber, which the caller embeds.
  @usableFromInline
  package init(name: String, acceptsZeroDemand: Bool, work: TypedWork, downstream: SubscriberCalls) {
    self.name = name
    self.acceptsZeroDemand = acceptsZeroDemand
    self.work = work
    super.init(downstream: downstream)
  }

  // MARK: The subscription

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none, !acceptsZeroDemand { trap(.requestedNothing) }
    if isClosed { return }
    let thread = currentThread()
    // Demand is only added up, so a request may overtake queued signals.
    let entry = queue.loop.enter(thread)
    // Between two signals of the joining thread no action is running in which the request could nest.
    switch isBetweenSignals(entry) ? enter(thread) : entry {
    case .entered:
      work.perform(self, .add(demand))
      leave(thread)
    case .nested:
      work.perform(self, .add(demand))
    case .busy:
      postpone(thread) { self.work.perform(self, .add(demand)) }
    }
  }

  @usableFromInline
  package override func cancel() {
    noteCancel()
    work.perform(self, .cancel)
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { link.phase = .ended }
    link.isDelivering = queue.loop.isOwned
  }

  @usableFromInline
  package override var description: String { name }

  @usableFromInline
  package final override func deferJoining() -> BaseSubscription? { leaveJoiningToDownstream() ? self : nil }

  @usableFromInline
  package final override func finishJoining() { releaseLoop() }

  // MARK: The end

  /// Whether the stream is over, so that nothing is delivered any more.
  ///
  /// One relaxed load.
  @_alwaysEmitIntoClient
  package final var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Closes the stream: from now on only the caller may deliver, and only the completion.
  ///
  /// - Returns: Whether the stream was open.
  @_alwaysEmitIntoClient
  package final func close() -> Bool {
    if closed.exchange(true, ordering: .acquiringAndReleasing) { return false }
    noteCompletion()
    return true
  }

  // MARK: The loop

  /// Asserts, in builds with the define `PENSTOCK_CHECKS`, that the calling thread owns the loop.
  @_alwaysEmitIntoClient @inline(__always)
  package final func assertOwned() { queue.assertOwned() }

  /// Delivers the subscription to downstream, before any upstream is subscribed to.
  @usableFromInline
  package final func introduce() {
    let thread = currentThread()
    // No other thread knows the subscription yet, so the loop is free.
    _ = enter(thread)
    deliver(subscription: self)
    leave(thread)
  }

  /// Enters the loop.
  ///
  /// If the result is `.busy`, the signal goes into the queue by ``postpone(_:_:)``, even if the calling thread is the
  /// owner: the owner's signal may come from a source that has queued an earlier one on another thread. The earlier
  /// signal goes first, also when it has been taken from the queue and not yet performed.
  @_alwaysEmitIntoClient
  package final func enter(_ thread: UInt) -> DrainLoop.Entry {
    let entry = queue.loop.enter(thread)
    if case .nested = entry { return enterNested(thread) }
    return entry
  }

  @usableFromInline @inline(never)
  internal final func enterNested(_ thread: UInt) -> DrainLoop.Entry {
    if joining == .betweenSignals {
      // An upstream may have queued an earlier value on another thread.
      if queue.hasWaiting { leaveBusy(thread, isRefused: false) }
      joining = .withinSignal
      return .entered
    }
    return queue.hasWaiting ? .busy : .nested
  }

  /// Whether no thread is in the loop at this moment.
  @_alwaysEmitIntoClient
  internal final var isFree: Bool { queue.loop.isFree }

  /// Whether the owner of the loop has to leave it before it delivers more: signals wait, or requests to upstreams.
  @_alwaysEmitIntoClient
  internal final var hasOtherWork: Bool { queue.hasWaiting || (hasWorkOnLeaving && !(isKept && requests.isEmpty)) }

  /// Whether the loop stays owned between signals.
  @_alwaysEmitIntoClient
  internal final var isKept: Bool { joining != .none }

  /// Performs what is queued, leaves the loop, and performs the pending requests to upstreams.
  @_alwaysEmitIntoClient @inline(__always)
  package final func leave(_ thread: UInt) {
    if isClosed || hasWorkOnLeaving {
      leaveBusy(thread, isRefused: false)
    } else if !queue.leave(thread) {
      leaveBusy(thread, isRefused: true)
    }
  }

  /// The part of ``leave(_:)`` that is not on the fast path.
  ///
  /// - Parameter isRefused: Whether ``SerialQueue/leave(_:)`` has refused to release the loop. It has cleared the mark
  ///   then, so only the caller will read the queue.
  @usableFromInline
  internal final func leaveBusy(_ thread: UInt, isRefused: Bool) {
    if isKept, !isClosed, requests.isEmpty, !queue.hasWaiting {
      joining = .betweenSignals
    } else {
      performDuties(thread, isRefused: isRefused)
    }
  }

  /// A function of its own, so that an upstream that delivers many values while the loop is kept saves no registers for it.
  @inline(never)
  private func performDuties(_ thread: UInt, isRefused: Bool) {
    if isRefused { performQueued() }
    while true {
      if isClosed { discardOnce() }
      if requests.isEmpty {
        hasWorkOnLeaving = isKept
        if isKept ? keepLoop(thread) : queue.leave(thread) { return }
        hasWorkOnLeaving = true
        performQueued()
        continue
      }
      var requests = PendingRequests()
      swap(&requests, &self.requests)
      hasWorkOnLeaving = isKept
      if isKept ? keepLoop(thread) : queue.leave(thread) { return requests.perform() }
      // The queued signals may add pending requests.
      swap(&requests, &self.requests)
      hasWorkOnLeaving = true
      performQueued()
    }
  }

  /// Performs a signal when its turn comes: at once, or from the queue; never, if the stream ends first.
  @usableFromInline
  package final func submit(_ signal: @escaping () -> Void) {
    Unmanaged<SerialSubscription>.passUnretained(self).act(or: (), signal, later: { postpone($0, signal) })
  }

  /// Queues a signal for the owner of the loop; if the loop is free by then, the caller becomes the owner and performs
  /// it.
  @usableFromInline
  package final func postpone(_ thread: UInt, _ signal: @escaping () -> Void) {
    if queue.append(DeferredCall(signal), thread) { leave(thread) }
  }

  private func performQueued() {
    queue.performQueued(unless: isClosed) { $0.perform() }
  }

  /// Discards the values that will not be delivered.
  private func discardOnce() {
    guard !isDiscarded else { return }
    isDiscarded = true
    work.perform(self, .discard)
    if releasesDownstream { disembed() }
  }

  /// Requests more from an upstream, as soon as the loop has been left.
  ///
  /// Called by the owner of the loop.
  @_alwaysEmitIntoClient
  package final func requestLater(_ demand: Subscribers.Demand, from target: DemandTarget) {
    if demand != .none { forwardLater(demand, to: target) }
  }

  /// Forwards a request to an upstream as soon as the loop has been left, even `request(.none)`.
  ///
  /// Called by the owner of the loop.
  @_alwaysEmitIntoClient
  package final func forwardLater(_ demand: Subscribers.Demand, to target: DemandTarget) {
    assertOwned()
    requests.append(demand, from: target)
    hasWorkOnLeaving = true
  }
}

/// Unmanaged, for callers that keep the subscription alive: a reference in a variable would be counted for each signal.
extension Unmanaged<SerialSubscription> {
  /// Acts at once if the calling thread owns the loop or can enter it; otherwise the signal is queued for the owner.
  ///
  /// - Parameters:
  ///   - answer: The result if the stream is over.
  ///   - now: Acts.
  ///   - later: Queues the signal by `postpone`; its argument is the calling thread.
  @inlinable @inline(__always)
  package func act<Answer>(
    or answer: Answer, _ now: () -> Answer, later: (_ thread: UInt) -> Answer
  ) -> Answer {
    let thread = currentThread()
    let entry = _withUnsafeGuaranteedRef { $0.enter(thread) }
    if case .busy = entry { return later(thread) }
    // Called once for both remaining cases, since everything downstream may be inlined here.
    let answer = _withUnsafeGuaranteedRef { $0.isClosed } ? answer : now()
    if case .entered = entry { _withUnsafeGuaranteedRef { $0.leave(thread) } }
    return answer
  }
}
