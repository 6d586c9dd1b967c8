// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The subscription of one subscriber of a ``FanOutEngine``.
@usableFromInline
package final class FanOutMember: EmbeddingSubscription {
  // Flags come first, in the word that the base class has begun.

  /// Whether demand is counted.
  ///
  /// If not, the first request, even `request(.none)`, makes demand unlimited.
  internal let countsDemand: Bool

  /// Whether a running loop delivers values, and will see those that are added meanwhile; in engines that keep values.
  ///
  /// Accessed only by the owner of the engine's loop.
  @exclusivity(unchecked) @usableFromInline internal var isServed = false

  /// The index of this member in the engine's list; `-1` while it is not in the list.
  ///
  /// Accessed only by the owner of the engine's loop.
  @exclusivity(unchecked) @usableFromInline internal var index: Int32 = -1

  @usableFromInline package let ledger = DemandLedger()
  /// The name of the class of subscriptions, as a C string, since that is one word.
  private let name: UnsafePointer<UInt8>
  /// Guards ``references``, which are beside it: in it they would be freed by way of their type, which is looked up.
  internal let lock = Guarded<Void>(())
  @exclusivity(unchecked) internal var references: References
  /// Unretained: valid only while the source is retained.
  internal let engine: Unmanaged<AnyObject>
  internal let calls: FanOutCalls
  /// The number of the last value that was delivered, for fan-outs that number their values.
  ///
  /// Requests read it on any thread; an outdated number only causes one superfluous request.
  @usableFromInline package let seen = AtomicCell<UInt>(0)

  /// The outstanding demand at the time when the ledger was closed.
  internal let lastBalance = AtomicCell<UInt>(0)

  /// The number of values that came without demand, for tools; written by the owner of the engine's loop.
  @usableFromInline internal let dropped = ShownCell<UInt>(0)

  /// The owner's thread while it delivers the subscription; otherwise zero.
  @usableFromInline internal let starter = AtomicCell<UInt>(0)

  // The remaining variables are accessed only by the owner of the engine's loop.

  /// The introduction in progress on another thread; possibly over, if nothing has been delivered since.
  @exclusivity(unchecked) @usableFromInline package var introduction: Introduction?

  /// The index of this member in the engine's list; `nil` while it is not in the list.
  @inlinable
  package internal(set) var place: Int? {
    get { index < 0 ? nil : Int(index) }
    set { index = newValue.map { Int32($0) } ?? -1 }
  }

  @inlinable @inline(__always)
  package static func make<S: Subscriber>(
    _ subscriber: __owned S, of engine: some FanOutEngine, source: some FanOutSource
  ) -> FanOutMember {
    let member = make(for: S.self, of: engine, source: source)
    member.embed(subscriber)
    return member
  }

  /// Makes the subscription of a subscriber that the caller embeds.
  @inlinable @inline(__always)
  package static func make<S: Subscriber>(
    for type: S.Type, of engine: some FanOutEngine, source: some FanOutSource
  ) -> FanOutMember {
    make(of: engine, source, downstream: SubscriberCalls(of: S.self))
  }

  /// A function of its own, since it is the same for all subscribers of a source.
  @inlinable @inline(never)
  internal static func make<Source: FanOutSource>(
    of engine: some FanOutEngine, _ source: Source, downstream: __owned SubscriberCalls
  ) -> FanOutMember {
    FanOutMember(
      .passUnretained(engine), engine.calls, References(source), Source.memberName.utf8Start, Source.countsDemand,
      downstream: downstream)
  }

  @usableFromInline
  internal init(
    _ engine: Unmanaged<AnyObject>, _ calls: __owned FanOutCalls, _ references: __owned References,
    _ name: UnsafePointer<UInt8>, _ countsDemand: Bool, downstream: __owned SubscriberCalls
  ) {
    self.references = consume references
    self.engine = engine
    self.calls = consume calls
    self.name = name
    self.countsDemand = countsDemand
    super.init(downstream: consume downstream)
    if !countsDemand { Self.noteUncountedDemand() }
  }

  internal static func noteUncountedDemand() { isDemandUncounted.store(true, ordering: .relaxed) }

  // Engines of other modules use these on the path of each value: there, `@exclusivity(unchecked)` has no effect on a
  // variable of this module.

  /// Whether the member is being introduced on another thread, or has been and nothing has been delivered since.
  @_alwaysEmitIntoClient
  package var hasIntroduction: Bool { introduction != nil }

  /// Begins to deliver values that are kept.
  ///
  /// - Returns: Whether no loop does so already.
  @_alwaysEmitIntoClient
  package func beginServing() -> Bool {
    if isServed { return false }
    isServed = true
    return true
  }

  /// Ends what ``beginServing()`` has begun.
  @_alwaysEmitIntoClient
  package func endServing() { isServed = false }

  /// Closes the ledger, and records the outstanding demand for the mirror.
  ///
  /// - Returns: Whether this call has closed it.
  @usableFromInline
  internal func close() -> Bool {
    let balance = ledger.balance
    if case .already = ledger.close() { return false }
    lastBalance.store(balance.count, ordering: .relaxed)
    noteCompletion()
    return true
  }

  // MARK: The subscription

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none, countsDemand { trap(.requestedNothing) }
    guard let before = ledger.add(countsDemand ? demand : .unlimited),
      case let (source?, introduction) = withReferences({ ($0.source, $0.introduction) })
    else { return }
    source.demandRose()
    if let introduction, calls.repeats.presents, introduction.isHere {
      introduction.serve(self)
    } else if before == .none {
      // Otherwise there was demand already, so the subscriber has missed nothing.
      withExtendedLifetime(source) { serve() }
    }
  }

  /// Has the engine deliver what it kept for lack of demand.
  internal func serve() {
    if calls.repeats != .nothing { call(.serve) }
  }

  /// Calls the engine; only while its source is retained.
  internal func call(_ call: FanOutCalls.Call) {
    engine._withUnsafeGuaranteedRef { calls.perform($0, self, call) }
  }

  internal func look(_ call: (UnsafeMutablePointer<Bool>) -> FanOutCalls.Call) -> Bool {
    var answer = false
    withUnsafeMutablePointer(to: &answer) { self.call(call($0)) }
    return answer
  }

  @usableFromInline
  package override func cancel() { _ = withdraw() }

  /// Cancels.
  ///
  /// - Returns: Whether the stream was open.
  internal func withdraw() -> Bool {
    noteCancel()
    return leave()
  }

  /// Ends the stream from downstream.
  ///
  /// - Returns: Whether the stream was open, so that the caller, if it is the subscriber, may complete it.
  @usableFromInline
  internal func leave() -> Bool {
    // Read before the ledger is closed: from then on the owner of the loop may discard the member, if it finds it in
    // the queue, and the source still has to know that it has left.
    guard let source = withReferences({ $0.source }), close() else { return false }
    call(.remove)
    // The last use of the source, which therefore keeps the engine until here.
    source.memberLeft()
    return true
  }

  @usableFromInline
  package override var exceedsDemand: Bool { !countsDemand }

  // MARK: Calls of the engine

  /// Delivers a value, if there is demand and the value has not been delivered before; while another thread introduces
  /// the subscriber, that thread delivers it.
  @inlinable @inline(__always)
  internal func offer<Output>(_ value: Output, number: UInt) {
    if introduction != nil { return offerLater(value, number: number) }
    give(value, number: number)
  }

  // A function of its own: a closure that captures the value would count references even where no closure is needed.
  @inlinable @inline(never)
  internal func offerLater<Output>(_ value: Output, number: UInt) {
    let introduction = introduction
    hold { [unowned(unsafe) self] in
      if number != 0, ledger.balance == .none, let introduction, introduction.isHere {
        // Skipped: the next request is served with this value.
        introduction.replacePresent { $0.give(value, number: number) }
      } else {
        give(value, number: number)
      }
    }
  }

  /// Delivers a value, if there is demand and the value has not been delivered before.
  ///
  /// No delivery starts after a cancel: a delivery has started once the ledger has granted it. If the ledger is closed
  /// on another thread right after that, the delivery is one that was running.
  @inlinable @inline(__always)
  internal func give<Output>(_ value: Output, number: UInt) {
    if number != 0, seen.load(ordering: .relaxed) >= number { return }
    guard ledger.takeOne() else { return refuse(value, number) }
    if number != 0 { seen.store(number, ordering: .relaxed) }
    deliver(value)
  }

  /// Counts a value that came without demand, unless it is kept for a later request.
  @inlinable @inline(never)
  internal func refuse<Output>(_ value: Output, _ number: UInt) {
    if number != 0 || ledger.isClosed { return }
    dropped.add(1)
    noteDiscard(value, .withoutDemand)
  }

  /// Counts a value that an engine which keeps values has not kept for this member.
  @usableFromInline
  package func countOverflow() { dropped.add(1) }

  /// Delivers a value that has been debited.
  @_alwaysEmitIntoClient @inline(__always)
  package func deliver<Output>(_ value: Output) {
    let more = deliver(value: value)
    if more != .none { ledger.add(more) }
  }

  /// Delivers the completion, unless a cancel came first.
  @_alwaysEmitIntoClient
  package func finish<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    if introduction != nil { return finishLater(completion) }
    deliver(completion: completion)
  }

  @inlinable @inline(never)
  internal func finishLater<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    hold { [unowned(unsafe) self] in deliver(completion: completion) }
  }

  @_alwaysEmitIntoClient
  package func deliver<Failure: Error>(completion: Subscribers.Completion<Failure>) {
    if !close() || !hasSubscriber { return }
    deliver(ending: completion)
  }

  /// Delivers the completion to a subscriber that has come too late.
  @_alwaysEmitIntoClient
  package func refuse<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    _ = ledger.close()
    deliver(subscription: Subscriptions.empty)
    deliver(ending: completion)
    discard()
  }

  /// Releases the objects that the member references, now or when the introduction is over.
  ///
  /// Called by the owner of the loop when the member has been removed and no delivery of the owner's to it is running.
  @usableFromInline
  internal func discardInTurn() {
    if let introduction, !introduction.close(discarding: ledger.isClosed) { return }
    discard()
  }

  /// Releases the objects that the member references.
  ///
  /// Called only when no delivery is running and none will start.
  @usableFromInline
  internal func discard() {
    var last = References(nil)
    // In one step, for mirrors: the subscriber is shown as long as the source is.
    withReferences { swap(&$0, &last) }
    disembed()
  }

  // MARK: Introducing; see `FanOutMember+Introducing.swift`

  @usableFromInline
  package override func deferJoining() -> BaseSubscription? { deferIntroduction() ? self : nil }

  @usableFromInline
  package override func finishJoining() {
    if let introduction = withReferences({ $0.introduction }) { finish(introduction) }
  }

  // MARK: Descriptions

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.phase = LinkState.Phase(isClosed: ledger.isClosed)
    link.take(ledger)
    // An engine that keeps values drops one only where it keeps a limited number of them.
    link.drop(dropped.value, calls.repeats.keepsValues ? .bufferFull : .withoutDemand)
    // Under the lock, the source is present as long as the stream is open.
    guard let source = withReferences({ $0.source }) else { return }
    link.hub = LinkState.Hub(
      name: String(describing: type(of: source)), upstreams: source.feeds,
      engine: engine._withUnsafeGuaranteedRef { ObjectIdentifier($0) })
    if calls.repeats == .latest, ledger.balance == .none, look({ .lookIfUnseen($0) }) { link.waiting = 1 }
  }

  @usableFromInline
  package override var description: String { String(cString: name) }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    // Called on any thread: under the lock, the subscriber is present as long as the source is.
    let (source, downstream) = withReferences { ($0.source, $0.source == nil ? nil : underlying) }
    guard countsDemand else { return [("downstream", downstream as Any)] }
    let balance =
      ledger.isClosed ? Subscribers.Demand(count: lastBalance.load(ordering: .relaxed)) : ledger.balance
    return [
      ("parent", source as Any), ("downstream", downstream as Any),
      ("demand", balance), ("subject", source as Any),
    ]
  }
}
