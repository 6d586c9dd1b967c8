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

  /// A signal in the queue: in a structure, since a closure by itself is wrapped in another when it is put in, and again
  /// when it is taken out.
  @usableFromInline
  internal struct Postponed {
    internal let carryOut: () -> Void
  }

  /// What any thread may reach, under the lock.
  @usableFromInline
  internal struct Shared {
    @usableFromInline internal var queue: Deque<Postponed> = []
    @usableFromInline internal var observer: (any IdleObserver)?
    /// Whether observers have been told, so that there is nothing left to promise.
    @usableFromInline internal var hasEnded = false

    @inlinable
    internal init() {}
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

  @exclusivity(unchecked) @usableFromInline internal var asks = AskList()
  /// What has been taken from the queue, and has not had its turn.
  @exclusivity(unchecked) @usableFromInline internal var due: Deque<Postponed> = []
  @exclusivity(unchecked) @usableFromInline internal var isDiscarded = false
  /// Whether to leave the loop is more than to let it go: there is something to ask for, or the loop is kept.
  @exclusivity(unchecked) @usableFromInline internal var hasDuties = false
  /// Whether the loop is kept for the thread that subscribes to the upstreams, between signals, too.
  @exclusivity(unchecked) internal var isKept = false
  /// The thread that the loop is kept for, or zero.
  @usableFromInline internal let joiner = Atomic<UInt>(0)
  /// Whether an operator below says when that ends.
  @exclusivity(unchecked) internal var isDeferred = false
  /// What is above and waits for the end of that.
  @exclusivity(unchecked) internal var deferred: [CoreSubscription] = []
  /// Whether the thread that the loop is kept for is between two signals.
  @exclusivity(unchecked) @usableFromInline internal var isResting = false

  /// The number of signals beyond which their storage is freed.
  private static var spareLimit: Int { 1_024 }

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
    // Demand only adds up, so a request may overtake what is queued.
    let entry = loop.enter(thread)
    // Between two signals of the joining thread nothing is running that it could nest in.
    switch isResting(entry) ? enter(thread) : entry {
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
    // Who owns the loop frees what is left when it leaves: that may be the caller.
    submit {}
  }

  @usableFromInline
  package final override func observeIdle(_ observer: any IdleObserver) -> Bool {
    endsWithReturn && shared.withLock { $0.observer.accept(observer, unless: $0.hasEnded) }
  }

  @usableFromInline
  package override var description: String { name }

  @usableFromInline
  package final override func deferJoining() -> CoreSubscription? { leaveJoiningToBelow() ? self : nil }

  @usableFromInline
  package final override func finishJoining() { releaseLoop() }

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

  /// Hands downstream its subscription, before anything is subscribed to.
  @inlinable
  package final func start(_ downstream: some Subscriber) {
    let thread = currentThread()
    // Nobody else knows of the subscription yet.
    _ = enter(thread)
    downstream.receive(subscription: self)
    leave(thread)
  }

  /// Whether the loop is kept for the calling thread, and it is between two signals.
  private func isResting(_ entry: DrainLoop.Entry) -> Bool {
    if case .nested = entry { return isResting }
    return false
  }

  /// How the calling thread finds the loop; where it is `.busy`, also if the thread itself owns it, the signal goes into
  /// the queue, by ``postpone(_:_:)``.
  ///
  /// The owner may bring a signal by way of a source that has left an earlier one in the queue, from another thread.
  /// That one goes first, also where it has been taken from the queue and waits for its turn.
  @inlinable
  package final func enter(_ thread: UInt) -> DrainLoop.Entry {
    let entry = loop.enter(thread)
    if case .nested = entry { return enterNested(thread) }
    return entry
  }

  @usableFromInline @inline(never)
  internal final func enterNested(_ thread: UInt) -> DrainLoop.Entry {
    if isResting {
      // An upstream may have left an earlier value there, on another thread.
      if loop.isAnnounced { leaveBusy(thread, isQueued: false) }
      isResting = false
      return .entered
    }
    return loop.isAnnounced || !due.isEmpty ? .busy : .nested
  }

  /// Carries out what has been queued, leaves the loop, and asks upstreams for what they are to be asked for.
  @inlinable @inline(__always)
  package final func leave(_ thread: UInt) {
    if isClosed || hasDuties {
      leaveBusy(thread, isQueued: false)
    } else if !loop.leave(thread) {
      leaveBusy(thread, isQueued: true)
    }
  }

  /// - Parameter isQueued: Whether the loop has refused to be left. It has taken its mark back, so nobody but the caller
  ///   will look into the queue.
  @usableFromInline
  internal final func leaveBusy(_ thread: UInt, isQueued: Bool) {
    if isKept, !isClosed, asks.isEmpty, !loop.isAnnounced {
      isResting = true
      return
    }
    if isQueued { performQueued() }
    while true {
      if isClosed { discardOnce() }
      var asks = AskList()
      swap(&asks, &self.asks)
      hasDuties = isKept
      if isKept ? rest(thread) : loop.leave(thread) { return asks.perform() }
      // What is queued may bring more to ask for.
      swap(&asks, &self.asks)
      hasDuties = true
      performQueued()
    }
  }

  /// Stays in the loop between two signals, unless something is queued.
  private func rest(_ thread: UInt) -> Bool {
    isResting = !loop.isAnnounced
    if !isResting { loop.acknowledge(thread) }
    return isResting
  }

  /// Carries a signal out as soon as that is its turn: at once, or from the queue; or never, if the stream ends first.
  @usableFromInline
  package final func submit(_ signal: @escaping () -> Void) {
    Unmanaged<SerialSubscription>.passUnretained(self).act(or: (), signal, later: { postpone($0, signal) })
  }

  /// Leaves a signal to the owner of the loop, who may be the caller by then.
  @usableFromInline
  package final func postpone(_ thread: UInt, _ signal: @escaping () -> Void) {
    shared.withLock { $0.queue.append(Postponed(carryOut: signal)) }
    if loop.announce(thread) { leave(thread) }
  }

  private func performQueued() {
    // The storage goes to and fro, so that senders who queue all the time do not allocate it again and again.
    shared.withLock { swap(&due, &$0.queue) }
    let isKept = due.count <= Self.spareLimit
    while !isClosed, let signal = due.popFirst() { signal.carryOut() }
    if isKept, due.isEmpty { return }
    // After the end, signals are freed and nothing else; in a variable, since that may run code of the user's.
    var rest: Deque<Postponed> = []
    swap(&rest, &due)
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
  package final func ask(_ supply: Supply, for demand: Subscribers.Demand) {
    if demand != .none { pass(demand, to: supply) }
  }

  /// Passes a request on to an upstream, as soon as the loop has been left: also `request(.none)`.
  ///
  /// Called by the owner.
  @inlinable
  package final func pass(_ demand: Subscribers.Demand, to supply: Supply) {
    asks.append(supply, demand)
    hasDuties = true
  }
}

/// For those who hold the subscription: a reference in a variable would be counted for each signal.
extension Unmanaged<SerialSubscription> {
  /// Acts at once where the calling thread owns the loop, or comes to; otherwise the signal is left to the owner.
  ///
  /// - Parameters:
  ///   - answer: The answer where the stream is over.
  ///   - now: Acts.
  ///   - later: Leaves the signal to the owner, by `postpone`; it is given the calling thread.
  @inlinable @inline(__always)
  package func act<Answer>(
    or answer: Answer, _ now: () -> Answer, later: (_ thread: UInt) -> Answer
  ) -> Answer {
    let thread = currentThread()
    let entry = _withUnsafeGuaranteedRef { $0.enter(thread) }
    if case .busy = entry { return later(thread) }
    // Once for both of the other cases: what is inlined here is all that is downstream.
    let answer = _withUnsafeGuaranteedRef { $0.isClosed } ? answer : now()
    if case .entered = entry { _withUnsafeGuaranteedRef { $0.leave(thread) } }
    return answer
  }
}
