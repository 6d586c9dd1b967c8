// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The untyped half of a ``RationedSubscriber``: the demand of downstream, and the demand that upstream has been asked
/// for.
///
/// Values are counted by the thread on which upstream delivers, without a lock. Decisions about the counts are made
/// under the lock of the stage, by any thread that finds a reason: a request, a value at the mark, a timer.
@usableFromInline
package class RationedSubscription: EmbeddingSubscription {
  /// The calls to the stage; made where the types are concrete, see ``BaseSubscription``.
  @usableFromInline
  package enum Call: Sendable {
    /// Decide what to request from upstream.
    case ration
    /// The stream is over.
    case end
  }

  /// Asserts that deliveries do not overlap.
  @usableFromInline internal final let deliveries = OwnerCheck()
  @usableFromInline internal final let slot = SubscriptionSlot()
  @usableFromInline internal final let name: String
  @usableFromInline internal final let perform: (RationedSubscription, Call) -> Subscribers.Demand

  /// The demand of downstream that upstream has not been asked for.
  @usableFromInline package final let wanted = DemandLedger()

  /// The number of values requested from upstream so far; written under the stage's lock.
  @usableFromInline internal final let granted = AtomicCell<UInt>(0)

  /// The number of values that have arrived so far; written by the thread on which upstream delivers.
  @usableFromInline internal final let arrived = AtomicCell<UInt>(0)

  /// The stage is called for each value from this one on; written under the stage's lock.
  ///
  /// A thread that delivers may read an older mark. So a stage that needs the call, because nothing else would make it
  /// ask for more, sets no mark beyond the granted values: the last outstanding value is always at the mark, whether
  /// the older or the newer mark is read.
  @usableFromInline internal final let mark = AtomicCell<UInt>(0)

  /// The introduction of downstream, which holds the demand that has been granted on other threads.
  @usableFromInline internal final let introduction = DemandHold()

  @usableFromInline
  internal init(
    name: String, perform: @escaping (RationedSubscription, Call) -> Subscribers.Demand, downstream: SubscriberCalls
  ) {
    self.name = name
    self.perform = perform
    super.init(downstream: downstream)
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    guard slot.phase != .awaiting, wanted.add(demand) != nil else { return }
    ask(for: perform(self, .ration))
  }

  @usableFromInline
  package final override func cancel() {
    guard slot.phase != .awaiting, case let closing = wanted.close() else { return }
    if case .already = closing { return }
    _ = perform(self, .end)
    slot.cancel()
  }

  /// Stores upstream's subscription, and delivers downstream its own.
  @usableFromInline
  internal final func introduce(_ subscription: any Subscription) {
    guard slot.attach(subscription) else { return }
    introduction.begin()
    deliver(subscription: self)
    if let demand = introduction.end() { slot.request(demand) }
  }

  /// Ends the stream where upstream has completed.
  ///
  /// - Returns: Whether the completion is to be delivered.
  @usableFromInline
  internal final func finish() -> Bool {
    guard slot.finish() else { return false }
    _ = wanted.close()
    _ = perform(self, .end)
    return true
  }

  // MARK: What a stage may do

  /// The number of values that have been requested from upstream and not delivered.
  ///
  /// Called under the stage's lock. It may be too large, never too small: the thread that delivers may have counted
  /// more arrivals by now. Values that were not requested count as granted from here on.
  ///
  /// - Parameter arrivals: The number of values that have arrived.
  @_alwaysEmitIntoClient
  package final func countOutstanding(at arrivals: UInt) -> Int {
    let outstanding = Int(bitPattern: granted.load(ordering: .relaxed) &- arrivals)
    if outstanding >= 0 { return outstanding }
    granted.store(granted.load(ordering: .relaxed) &- UInt(bitPattern: outstanding), ordering: .relaxed)
    return 0
  }

  /// The number of values that have arrived so far.
  @_alwaysEmitIntoClient
  package final var arrivals: UInt { arrived.load(ordering: .relaxed) }

  /// Takes from downstream's demand, and counts it as granted.
  ///
  /// Called under the stage's lock.
  ///
  /// - Returns: The demand to request from upstream.
  @_alwaysEmitIntoClient
  package final func grant(upTo most: Int) -> Int {
    let count = wanted.take(upTo: most)
    if count > 0 {
      granted.store(granted.load(ordering: .relaxed) &+ UInt(bitPattern: count), ordering: .relaxed)
    }
    return count
  }

  /// Sets the mark to the value after whose arrival no more than a number of values are outstanding.
  ///
  /// Called under the stage's lock.
  @_alwaysEmitIntoClient
  package final func markValues(leaving count: Int) {
    mark.store(granted.load(ordering: .relaxed) &- UInt(bitPattern: count), ordering: .relaxed)
  }

  /// Sets the mark to the next value.
  ///
  /// Called under the stage's lock.
  @_alwaysEmitIntoClient
  package final func markNextValue() { mark.store(0, ordering: .relaxed) }

  /// Asks upstream; on any thread, and never under a lock.
  @usableFromInline
  package final func ask(for demand: Subscribers.Demand) {
    if demand != .none, let demand = introduction.admit(demand) { slot.request(demand) }
  }

  // MARK: What is shown

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.take(slot)
    link.take(wanted)
    let outstanding = Int(bitPattern: granted.load(ordering: .relaxed) &- arrivals)
    if outstanding > 0, let demand = link.demand { link.demand = demand + .max(outstanding) }
    if wanted.isClosed { link.phase = .ended }
  }

  @usableFromInline
  package final override var upstreamBase: BaseSubscription? { slot.base }

  @usableFromInline
  package final override var description: String { name }
}
