// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The untyped half of `flatMap`: the subscriptions of its inner streams.
@usableFromInline
package class FlatMapSubscription: FlatteningSubscription {
  // First, since it is stored in the rest of a word that the superclass has begun. Internal, since other modules do not
  // see that an access is unchecked: they would call the run-time for each.
  @exclusivity(unchecked) @usableFromInline internal final var storedIsDelivering = false

  /// Whether a delivery is running: demand and signals that arrive meanwhile are served after it has returned; accessed
  /// only by the owner of the loop.
  @_alwaysEmitIntoClient
  package final var isDelivering: Bool {
    get { storedIsDelivering }
    set { storedIsDelivering = newValue }
  }

  /// The maximum number of publishers at the same time, which is the number of values requested from upstream at first.
  @usableFromInline package final let maxPublishers: Subscribers.Demand

  // Accessed by any thread: inner streams are opened outside the loop, and cancelled on any thread.

  @usableFromInline internal final let streams = Guarded(InnerStreams())
  /// The number of inner streams that have been opened.
  @usableFromInline package final let opened = AtomicCell<UInt>(0)
  /// The number of inner streams that have ended; written only by the owner of the loop.
  @usableFromInline internal final let ended = AtomicCell<UInt>(0)

  /// The number of inner streams that have not ended, and of publishers that are being made.
  ///
  /// Never zero while a value of upstream's is being handled: the operator does not finish then, though all streams end.
  @_alwaysEmitIntoClient
  package final var running: UInt {
    // Read first: what a value that has been handled has left behind is counted before the mark is cleared.
    let isHandling = handling.load(ordering: .acquiring) != 0
    let running = opened.load(ordering: .relaxed) &- ended.load(ordering: .relaxed)
    return running == 0 && isHandling ? 1 : running
  }

  /// The number of values that wait for demand, for tools on any thread; written only by the owner of the loop.
  @usableFromInline package final let shownWaiting = ShownCell(0)

  @usableFromInline
  internal init(name: String, _ maxPublishers: Subscribers.Demand, work: TypedWork, downstream: SubscriberCalls) {
    self.maxPublishers = maxPublishers
    super.init(name: name, work: work, downstream: downstream)
  }

  package final override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { return }
    for case let entry? in streams.withLock({ $0.entries }) { link.add(entry.subscription, role: "inner") }
    link.waiting = shownWaiting.value
    // An upstream that is answered is not asked.
    link.moves &+= opened.load(ordering: .relaxed)
    // No further publisher is requested if the maximum number run.
    let running = Int(self.running)
    if let limit = maxPublishers.max, running >= limit {
      link.wait = .limit(running: running)
    } else if running > 0 {
      link.wait = .inner(running)
    }
  }

  /// Counts a stream that is opened; any number of threads may open some.
  ///
  /// A publisher that is fused has no stream, and is counted only if its end has to be queued: while it delivers, its value
  /// is being handled.
  @_alwaysEmitIntoClient
  package final func noteOpening() { opened.wrappingAdd(1, ordering: .relaxed) }

  /// Counts a stream that has ended.
  ///
  /// Called by the owner of the loop.
  @_alwaysEmitIntoClient
  internal final func noteEnd() { ended.store(ended.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

  @usableFromInline
  package final func cancelUpstreams() {
    let entries = streams.withLock { $0.close() }
    if !entries.isEmpty { for case let entry? in entries { entry.subscription.cancel() } }
    upstreamSlot.cancel(early: true)
  }

  /// Requests without limit from every inner stream as soon as the loop has been left, and from every one opened later.
  @usableFromInline
  package final func askForAll() {
    if streams.withLock({ $0.wantAll() }) { requestLater(.unlimited, from: LimitedStreams(of: self)) }
  }
}

/// One inner stream of `flatMap`, with the location of its subscription.
@usableFromInline
package class InnerStream: DemandTarget {
  /// The operator, unretained, since it refers to the streams whose values wait.
  ///
  /// Only a method of the operator requests from an inner stream, and only from one of its own.
  @usableFromInline internal final let flatMap: Unmanaged<FlatMapSubscription>

  /// The index of its subscription, or one of the two values below; written under the lock of
  /// ``FlatMapSubscription/streams``.
  @usableFromInline internal final let place = AtomicCell(InnerStream.awaiting)

  /// The subscription has not arrived.
  @inlinable
  internal static var awaiting: Int { -1 }

  /// The subscription has ended, or arrived too late.
  @_alwaysEmitIntoClient
  internal static var ended: Int { -2 }

  @_alwaysEmitIntoClient
  package init(of flatMap: Unmanaged<FlatMapSubscription>) { self.flatMap = flatMap }

  /// Whether its values count: even before its subscription, as in `switchToLatest`.
  @_alwaysEmitIntoClient
  internal final var isOpen: Bool { place.load(ordering: .relaxed) != InnerStream.ended }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    flatMap._withUnsafeGuaranteedRef { $0.streams.withLock { $0.subscription(of: self) } }?.request(demand)
  }
}

/// An inner stream that knows how many have been opened before it.
@usableFromInline
package final class NumberedStream: InnerStream {
  @usableFromInline package let number: UInt

  @_alwaysEmitIntoClient
  package init(_ number: UInt, of flatMap: FlatMapSubscription) {
    self.number = number
    super.init(of: .passUnretained(flatMap))
  }
}

/// The inner streams with limited demand, as a target of the request that is made when downstream's demand becomes
/// unlimited.
internal final class LimitedStreams: DemandTarget {
  private let flatMap: FlatMapSubscription

  internal init(of flatMap: FlatMapSubscription) {
    self.flatMap = flatMap
    super.init()
  }

  internal override func request(_ demand: Subscribers.Demand) {
    for subscription in flatMap.streams.withLock({ $0.takeLimited() }) { subscription.request(demand) }
  }
}

/// The subscriptions of the running inner streams.
///
/// Each stream knows the index of its subscription, so that adding and removing have constant cost; the order has no
/// meaning. The streams themselves are not stored: one that its publisher has released is freed.
@usableFromInline
internal struct InnerStreams: ~Copyable {
  @usableFromInline
  internal struct Entry {
    @usableFromInline internal let subscription: BaseSubscription
    /// Whether it has been requested without limit, or is about to be.
    @usableFromInline internal var isUnlimited: Bool

    @_alwaysEmitIntoClient
    internal init(_ subscription: BaseSubscription, isUnlimited: Bool) {
      self.subscription = subscription
      self.isUnlimited = isUnlimited
    }
  }

  @usableFromInline internal var entries: ContiguousArray<Entry?> = []
  /// The free indices.
  @usableFromInline internal var vacant: ContiguousArray<Int> = []
  @usableFromInline internal var isUnlimited = false
  @usableFromInline internal var isClosed = false

  @_alwaysEmitIntoClient
  internal init() {}

  /// Stores the subscription of a stream that has none.
  ///
  /// - Parameters:
  ///   - subscription: The subscription.
  ///   - stream: The stream.
  ///   - prefetch: The demand that is requested from it at first, unless everything is.
  /// - Returns: The demand to request from it; `nil` if it has to be cancelled.
  @inlinable
  internal mutating func add(
    _ subscription: BaseSubscription, of stream: InnerStream, atFirst prefetch: Subscribers.Demand
  ) -> Subscribers.Demand? {
    guard !isClosed, stream.place.load(ordering: .relaxed) == InnerStream.awaiting else { return nil }
    if let place = vacant.popLast() {
      entries[place] = Entry(subscription, isUnlimited: isUnlimited)
      stream.place.store(place, ordering: .relaxed)
    } else {
      stream.place.store(entries.count, ordering: .relaxed)
      entries.append(Entry(subscription, isUnlimited: isUnlimited))
    }
    return isUnlimited ? .unlimited : prefetch
  }

  @_alwaysEmitIntoClient
  internal func subscription(of stream: InnerStream) -> BaseSubscription? {
    let place = stream.place.load(ordering: .relaxed)
    return place < 0 || isClosed ? nil : entries[place]?.subscription
  }

  /// Removes the subscription of a stream, if there is one.
  ///
  /// - Returns: The entry, for the caller to release outside the lock.
  @inlinable
  internal mutating func remove(_ stream: InnerStream) -> Entry? {
    let place = stream.place.load(ordering: .relaxed)
    if place < 0 || isClosed { return nil }
    stream.place.store(InnerStream.ended, ordering: .relaxed)
    let entry: Entry?
    if place == entries.count - 1 {
      entry = entries.removeLast()
    } else {
      entry = entries[place].take()
      vacant.append(place)
    }
    if !vacant.isEmpty, vacant.count == entries.count { forgetPlaces() }
    return entry
  }

  /// Called when all indices are free.
  @usableFromInline
  internal mutating func forgetPlaces() {
    let isKept = entries.count <= 1_024
    entries.removeAll(keepingCapacity: isKept)
    vacant.removeAll(keepingCapacity: isKept)
  }

  /// Records that downstream's demand is unlimited.
  ///
  /// - Returns: Whether there are streams with limited demand.
  internal mutating func wantAll() -> Bool {
    if isUnlimited { return false }
    isUnlimited = true
    return !entries.isEmpty
  }

  /// Returns the subscriptions with limited demand, and marks them as unlimited.
  internal mutating func takeLimited() -> ContiguousArray<BaseSubscription> {
    var limited: ContiguousArray<BaseSubscription> = []
    for place in entries.indices where entries[place]?.isUnlimited == false {
      entries[place]?.isUnlimited = true
      if let entry = entries[place] { limited.append(entry.subscription) }
    }
    return limited
  }

  /// Removes all subscriptions, and accepts no more.
  internal mutating func close() -> ContiguousArray<Entry?> {
    isClosed = true
    var removed: ContiguousArray<Entry?> = []
    if !entries.isEmpty { swap(&removed, &entries) }
    if !vacant.isEmpty { vacant = [] }
    return removed
  }
}
