// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The publisher behind a ``FanOut``, as far as its conduits need to know it.
@usableFromInline
package protocol FanOutSource: AnyObject {
  /// A subscriber has asked for values.
  func demandRose()

  /// A subscriber has cancelled, and has been taken off the list, or will be.
  func memberLeft()
}

extension FanOutSource {
  /// Most do not care.
  @inlinable
  package func memberLeft() {}
}

/// One subscriber of a ``FanOut``, and its subscription.
@usableFromInline
package final class Conduit: CoreSubscription {
  /// What the conduit keeps alive until it has left.
  @usableFromInline
  internal struct Link {
    /// The publisher that the fan-out works for, which keeps the fan-out.
    @usableFromInline internal let source: any FanOutSource
    @usableFromInline internal let downstream: ErasedSubscriber
    @usableFromInline internal var observer: (any IdleObserver)?
    /// What answers the joining thread's own requests until the subscriber has returned from its introduction.
    @usableFromInline internal var introduction: Introduction?

    @inlinable
    internal init(_ source: any FanOutSource, downstream: ErasedSubscriber) {
      self.source = source
      self.downstream = downstream
    }
  }

  @usableFromInline internal let ledger = DemandLedger()
  @usableFromInline internal let name: String
  @usableFromInline internal let link: Guarded<Link?>
  /// Only to be used while the source is held.
  @usableFromInline internal let fanOut: Unmanaged<Membership>
  /// Whether values come only as far as they were asked for.
  ///
  /// If not, the first request of any size, even of nothing, is one for everything.
  @usableFromInline internal let countsDemand: Bool
  /// Whether a delivery has ended when the subscriber below has returned.
  @usableFromInline internal let endsWithReturn: Bool

  /// The number of the last value seen, for fan-outs that number theirs.
  ///
  /// Requests read it from any thread; an old number makes them ask once too often, no more.
  @usableFromInline internal let seen = Atomic<UInt>(0)

  /// What was outstanding when the ledger was closed.
  @usableFromInline internal let lastBalance = Atomic<UInt>(0)

  // The rest belongs to the owner of the fan-out's loop.

  /// Kept by the link, so that a delivery need not count references: that goes when none can be running.
  @exclusivity(unchecked) @usableFromInline internal var downstream: Unmanaged<ErasedSubscriber>?

  /// The introduction that another thread is still busy with, or was the last time that something was to be delivered.
  @exclusivity(unchecked) @usableFromInline internal var introduction: Introduction?

  /// The owner's thread, while that hands the subscriber its subscription; otherwise zero.
  @usableFromInline internal let starter = Atomic<UInt>(0)

  /// Whether values are being delivered by a loop that will see what is added meanwhile, in fan-outs that keep values.
  @exclusivity(unchecked) @usableFromInline internal var isServed = false

  /// Where the fan-out keeps this conduit.
  @exclusivity(unchecked) @usableFromInline internal var place: Int?

  @inlinable
  package init(
    _ downstream: ErasedSubscriber, of fanOut: Membership, source: any FanOutSource, name: String,
    countsDemand: Bool = true
  ) {
    link = Guarded(Link(source, downstream: downstream))
    self.fanOut = .passUnretained(fanOut)
    self.downstream = .passUnretained(downstream)
    self.name = name
    self.countsDemand = countsDemand
    endsWithReturn = downstream.isRelay
    if !countsDemand { Self.noteUncountedDemand() }
  }

  @usableFromInline
  internal static func noteUncountedDemand() { isDemandUncounted.store(true, ordering: .relaxed) }

  /// Wants nothing any more, and keeps for the mirror what it has wanted.
  ///
  /// - Returns: Whether it is the first to say so.
  @usableFromInline
  internal func close() -> Bool {
    let balance = ledger.balance
    if case .already = ledger.close() { return false }
    lastBalance.store(balance.rawValue, ordering: .relaxed)
    return true
  }

  // MARK: The subscription

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none, countsDemand { trap(.requestedNothing) }
    guard let before = ledger.add(countsDemand ? demand : .unlimited),
      let (source, introduction) = link.withLock({ link in link.map { ($0.source, $0.introduction) } })
    else { return }
    source.demandRose()
    if let introduction, introduction.thread == currentThread() {
      introduction.serve(self)
    } else if before == .none {
      // Otherwise there is nothing that the subscriber has missed for want of demand.
      withExtendedLifetime(source) { fanOut._withUnsafeGuaranteedRef { $0.demandRose(of: self) } }
    }
  }

  @usableFromInline
  package override func cancel() {
    if !close() { return }
    guard let source = link.withLock({ $0?.source }) else { return }
    withExtendedLifetime(source) { fanOut._withUnsafeGuaranteedRef { $0.detach(self) } }
    source.memberLeft()
  }

  @usableFromInline
  package override func observeIdle(_ observer: any IdleObserver) -> Bool {
    endsWithReturn && link.withLock { $0?.observer.accept(observer, unless: ledger.isClosed) ?? false }
  }

  @usableFromInline
  package override var exceedsDemand: Bool { !countsDemand }

  // MARK: What the fan-out does with its members

  /// Delivers a value, if one has been asked for and this one has not been seen.
  @inlinable @inline(__always)
  internal func offer<Output>(_ value: Output, number: UInt) {
    if introduction != nil { return offerLater(value, number: number) }
    give(value, number: number)
  }

  // A function of its own: a closure that keeps the value would have it counted where there is nothing to keep, too.
  @inlinable @inline(never)
  internal func offerLater<Output>(_ value: Output, number: UInt) {
    hold { $0.give(value, number: number) }
  }

  @inlinable @inline(__always)
  internal func give<Output>(_ value: Output, number: UInt) {
    if number != 0, seen.load(ordering: .relaxed) >= number { return }
    guard ledger.takeOne() else { return }
    if number != 0 { seen.store(number, ordering: .relaxed) }
    deliver(value)
  }

  /// Delivers a value that has been taken from the ledger.
  @inlinable @inline(__always)
  internal func deliver<Output>(_ value: Output) {
    let more = downstream.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.receive(value) }
    if more != .none { ledger.add(more) }
  }

  /// Leaves a delivery to the thread that introduces the subscriber, as long as it is busy with that.
  @usableFromInline @inline(never)
  internal func hold(_ delivery: @escaping (Conduit) -> Void) {
    if let introduction, introduction.hold(delivery) { return }
    introduction = nil
    delivery(self)
  }

  /// Says who introduces the subscriber, before anybody else knows of it.
  internal func prepare(_ introduction: Introduction) {
    self.introduction = introduction
    link.withLock { $0?.introduction = introduction }
  }

  /// Hands the subscriber its subscription.
  ///
  /// Called by the owner of the loop.
  @usableFromInline
  internal func start(on thread: UInt) {
    starter.store(thread, ordering: .relaxed)
    downstream?._withUnsafeGuaranteedRef { $0.receive(subscription: self) }
    starter.store(0, ordering: .relaxed)
  }

  /// Introduces the subscriber on a thread that does not own the loop, or that has to let others go first.
  internal func start(_ introduction: Introduction) {
    downstream?._withUnsafeGuaranteedRef { $0.receive(subscription: self) }
    if !introduction.isDeferred { finish(introduction) }
  }

  /// Delivers what came during the introduction, and leaves the rest to the owner of the loop.
  private func finish(_ introduction: Introduction) {
    // What another thread has asked for meanwhile.
    introduction.serve(self)
    introduction.present = nil
    // From here on a request goes the common way: values may have been passed over for want of demand.
    guard
      let source = link.withLock({
        $0?.introduction = nil; return $0?.source
      })
    else { return }
    while true {
      switch introduction.next() {
      case .deliver(let deliveries):
        for delivery in deliveries { delivery.carryOut(self) }
      case .end(isRetired: true):
        return free()
      case .end(isRetired: false):
        // What it has asked for and is not in what came.
        return withExtendedLifetime(source) { fanOut._withUnsafeGuaranteedRef { $0.demandRose(of: self) } }
      }
    }
  }

  @usableFromInline
  package override func deferJoining() -> CoreSubscription? {
    let thread = currentThread()
    if let introduction = link.withLock({ $0?.introduction }) {
      guard introduction.thread == thread else { return nil }
      introduction.isDeferred = true
      return self
    }
    // The owner of the loop hands out the subscription, and leaves the loop after that: it has to be as with the others.
    guard starter.load(ordering: .relaxed) == thread else { return nil }
    return fanOut._withUnsafeGuaranteedRef { fanOut in
      guard fanOut.repeatsLatest else { return nil }
      let introduction = Introduction(on: thread)
      introduction.isDeferred = true
      prepare(introduction)
      fanOut.typed.takeSnapshot(fanOut, self, introduction)
      return self
    }
  }

  @usableFromInline
  package override func finishJoining() {
    if let introduction = link.withLock({ $0?.introduction }) { finish(introduction) }
  }

  /// Tells the subscriber, who has come too late, of the end.
  @inlinable
  internal func refuse<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    _ = ledger.close()
    let downstream = downstream?.takeUnretainedValue()
    downstream?.receive(subscription: Subscriptions.empty)
    downstream?.receive(completion: completion)
    free()
  }

  /// Tells the subscriber of the end, unless a cancel came first.
  @inlinable
  internal func finish<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    if introduction != nil { return finishLater(completion) }
    end(completion)
  }

  @inlinable @inline(never)
  internal func finishLater<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    hold { $0.end(completion) }
  }

  @inlinable
  internal func end<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    if !close() { return }
    downstream?._withUnsafeGuaranteedRef { $0.receive(completion: completion) }
  }

  /// Lets go of everything, now or when the introduction is over.
  ///
  /// Called by the owner of the loop when the member has left and no delivery of its own is running.
  internal func retire() {
    if introduction?.retire(discarding: ledger.isClosed) ?? true { free() }
  }

  /// Lets go of everything.
  ///
  /// Only when no delivery is running and none will start.
  @usableFromInline
  internal func free() {
    downstream = nil
    let link = link.withLock { $0.take() }
    link?.observer?.deliveriesEnded()
  }

  // MARK: Texts

  @usableFromInline
  package override var description: String { name }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    // On any thread, so by the references that the lock guards.
    let link = link.withLock { $0 }
    guard countsDemand else { return [("downstream", link?.downstream.underlying as Any)] }
    let balance =
      ledger.isClosed ? Subscribers.Demand(rawValue: lastBalance.load(ordering: .relaxed)) : ledger.balance
    return [
      ("parent", link?.source as Any), ("downstream", link?.downstream.underlying as Any),
      ("demand", balance), ("subject", link?.source as Any),
    ]
  }
}
