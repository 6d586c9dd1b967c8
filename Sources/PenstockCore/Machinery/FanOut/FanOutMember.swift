// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The publisher to which a ``FanOut`` belongs, as far as its conduits use it.
@usableFromInline
package protocol FanOutSource: AnyObject {
  /// Called when a subscriber has requested values.
  func demandRose()

  /// Called when a subscriber has cancelled, and has been removed or will be.
  func memberLeft()
}

extension FanOutSource {
  /// Most sources do nothing then.
  @inlinable
  package func memberLeft() {}
}

/// The subscription of one subscriber of a ``FanOut``.
@usableFromInline
package final class FanOutMember: BaseSubscription {
  /// The objects that the conduit keeps alive until its subscriber has been removed.
  @usableFromInline
  internal struct Link {
    /// The publisher to which the fan-out belongs, and which keeps the fan-out alive.
    @usableFromInline internal let source: any FanOutSource
    @usableFromInline internal let downstream: ErasedSubscriber
    @usableFromInline internal var observer: (any QuiescenceObserver)?
    /// Serves requests of the joining thread until the introduction is over.
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
  /// Unretained: valid only while the source is retained.
  @usableFromInline internal let fanOut: Unmanaged<FanOutBase>
  /// Whether demand is counted.
  ///
  /// If not, the first request, even `request(.none)`, makes demand unlimited.
  @usableFromInline internal let countsDemand: Bool
  /// Whether a delivery is over when downstream's `receive` has returned: whether downstream is a relay.
  @usableFromInline package let downstreamIsSynchronous: Bool

  /// The number of the last value that was delivered, for fan-outs that number their values.
  ///
  /// Requests read it on any thread; an outdated number only causes one superfluous request.
  @usableFromInline internal let seen = AtomicCell<UInt>(0)

  /// The outstanding demand at the time when the ledger was closed.
  @usableFromInline internal let lastBalance = AtomicCell<UInt>(0)

  // The remaining variables are accessed only by the owner of the fan-out's loop.

  /// Unretained, since the link keeps it alive: so a delivery counts no references.
  ///
  /// The link is freed when no delivery can be running.
  @exclusivity(unchecked) @usableFromInline internal var downstream: Unmanaged<ErasedSubscriber>?

  /// The introduction in progress on another thread; possibly over, if nothing has been delivered since.
  @exclusivity(unchecked) @usableFromInline internal var introduction: Introduction?

  /// The owner's thread while it delivers the subscription; otherwise zero.
  @usableFromInline internal let starter = AtomicCell<UInt>(0)

  /// Whether a running loop delivers values, and will see those that are added meanwhile; in fan-outs that keep values.
  @exclusivity(unchecked) @usableFromInline internal var isServed = false

  /// The index of this conduit in the fan-out's list.
  @exclusivity(unchecked) @usableFromInline internal var place: Int?

  @inlinable
  package init(
    _ downstream: ErasedSubscriber, of fanOut: FanOutBase, source: any FanOutSource, name: String,
    countsDemand: Bool = true
  ) {
    link = Guarded(Link(source, downstream: downstream))
    self.fanOut = .passUnretained(fanOut)
    self.downstream = .passUnretained(downstream)
    self.name = name
    self.countsDemand = countsDemand
    downstreamIsSynchronous = downstream.isSynchronous
    if !countsDemand { Self.noteUncountedDemand() }
  }

  @usableFromInline
  internal static func noteUncountedDemand() { isDemandUncounted.store(true, ordering: .relaxed) }

  /// Closes the ledger, and records the outstanding demand for the mirror.
  ///
  /// - Returns: Whether this call has closed it.
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
      // Otherwise there was demand already, so the subscriber has missed nothing.
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
  package override func observeQuiescence(_ observer: any QuiescenceObserver) -> Bool {
    downstreamIsSynchronous && link.withLock { $0?.observer.accept(observer, unless: ledger.isClosed) ?? false }
  }

  @usableFromInline
  package override var exceedsDemand: Bool { !countsDemand }

  // MARK: Calls of the fan-out

  /// Delivers a value, if there is demand and the value has not been delivered before.
  @inlinable @inline(__always)
  internal func offer<Output>(_ value: Output, number: UInt) {
    if introduction != nil { return offerLater(value, number: number) }
    give(value, number: number)
  }

  // A function of its own: a closure that captures the value would count references even where no closure is needed.
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

  /// Delivers a value that has been debited.
  @inlinable @inline(__always)
  internal func deliver<Output>(_ value: Output) {
    let more = downstream.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.receive(value) }
    if more != .none { ledger.add(more) }
  }

  /// Stores a delivery for the thread that introduces the subscriber, as long as that is in progress; otherwise
  /// performs it.
  @usableFromInline @inline(never)
  internal func hold(_ delivery: @escaping (FanOutMember) -> Void) {
    if let introduction, introduction.hold(delivery) { return }
    introduction = nil
    delivery(self)
  }

  /// Sets the introduction, before another thread knows the subscriber.
  internal func prepare(_ introduction: Introduction) {
    self.introduction = introduction
    link.withLock { $0?.introduction = introduction }
  }

  /// Delivers the subscription to the subscriber.
  ///
  /// Called by the owner of the loop.
  @usableFromInline
  internal func start(on thread: UInt) {
    starter.store(thread, ordering: .relaxed)
    downstream?._withUnsafeGuaranteedRef { $0.receive(subscription: self) }
    starter.store(0, ordering: .relaxed)
  }

  /// Introduces the subscriber on a thread that does not own the loop, or that has to wait for queued signals.
  internal func start(_ introduction: Introduction) {
    downstream?._withUnsafeGuaranteedRef { $0.receive(subscription: self) }
    if !introduction.isDeferred { finish(introduction) }
  }

  /// Delivers what has been stored during the introduction, and then lets the owner of the loop deliver.
  private func finish(_ introduction: Introduction) {
    // Serves what another thread has requested meanwhile.
    introduction.serve(self)
    introduction.present = nil
    // From here on, requests take the usual path: values may have been skipped for lack of demand.
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
        // Serves outstanding demand for a value that has been skipped.
        return withExtendedLifetime(source) { fanOut._withUnsafeGuaranteedRef { $0.demandRose(of: self) } }
      }
    }
  }

  @usableFromInline
  package override func deferJoining() -> BaseSubscription? {
    let thread = currentThread()
    if let introduction = link.withLock({ $0?.introduction }) {
      guard introduction.thread == thread else { return nil }
      introduction.isDeferred = true
      return self
    }
    // The owner of the loop is delivering the subscription, and leaves the loop after that: the introduction has to be
    // continued like that of a joining thread.
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

  /// Delivers the completion to a subscriber that has come too late.
  @inlinable
  internal func refuse<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    _ = ledger.close()
    let downstream = downstream?.takeUnretainedValue()
    downstream?.receive(subscription: Subscriptions.empty)
    downstream?.receive(completion: completion)
    free()
  }

  /// Delivers the completion, unless a cancel came first.
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

  /// Frees everything, now or when the introduction is over.
  ///
  /// Called by the owner of the loop when the member has been removed and no delivery of the owner's to it is running.
  internal func retire() {
    if introduction?.retire(discarding: ledger.isClosed) ?? true { free() }
  }

  /// Frees everything.
  ///
  /// Called only when no delivery is running and none will start.
  @usableFromInline
  internal func free() {
    downstream = nil
    let link = link.withLock { $0.take() }
    link?.observer?.deliveriesEnded()
  }

  // MARK: Descriptions

  @usableFromInline
  package override var description: String { name }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    // Called on any thread, so it uses the references that the lock guards.
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
