// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A `flatMap` without its types: the subscriptions of the streams that it delivers from.
@usableFromInline
package class FlatMapSubscription: SerialSubscription {
  // Any thread may reach these: streams are opened outside of the loop, and cancelled from anywhere.

  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let streams = Guarded(InnerStreams())
  /// How many streams there have been.
  @usableFromInline internal let opened = Atomic(0)

  @usableFromInline
  internal final func cancelAbove() {
    for subscription in streams.withLock({ $0.close() }) { subscription.cancel() }
    upstream.slot.cancel(early: true)
  }

  /// Asks every stream for everything, as soon as the loop has been left, and from now on every stream that comes.
  @usableFromInline
  internal final func askForAll() {
    if streams.withLock({ $0.wantAll() }) { ask(LimitedStreams(of: self), for: .unlimited) }
  }
}

/// One of the streams that `flatMap` delivers from: where its subscription is found.
@usableFromInline
package final class InnerStream: Supply {
  /// Not counted: only its loop asks a stream for anything, and only streams of its own.
  @usableFromInline internal let flatMap: Unmanaged<FlatMapSubscription>

  /// The place of its subscription, or one of the marks below; written under the lock of ``FlatMapSubscription/streams``.
  @usableFromInline internal let place = Atomic(InnerStream.awaiting)

  /// The subscription has not come.
  @inlinable
  internal static var awaiting: Int { -1 }

  /// The subscription has ended, or has come too late.
  @inlinable
  internal static var ended: Int { -2 }

  @inlinable
  internal init(of flatMap: Unmanaged<FlatMapSubscription>) { self.flatMap = flatMap }

  @inlinable
  internal var isActive: Bool { place.load(ordering: .relaxed) >= 0 }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    flatMap._withUnsafeGuaranteedRef { $0.streams.withLock { $0.subscription(of: self) } }?.request(demand)
  }
}

/// The streams that had been asked for a limited number of values when everything came to be wanted.
internal final class LimitedStreams: Supply {
  private unowned(unsafe) let flatMap: FlatMapSubscription

  internal init(of flatMap: FlatMapSubscription) {
    self.flatMap = flatMap
    super.init()
  }

  internal override func request(_ demand: Subscribers.Demand) {
    for subscription in flatMap.streams.withLock({ $0.takeLimited() }) { subscription.request(demand) }
  }
}

/// The subscriptions of the streams that are running.
///
/// Each stream knows the place of its own, so that coming and going cost the same whatever their number; their order means
/// nothing. The streams themselves are not here: one that its publisher has forgotten is gone.
@usableFromInline
internal struct InnerStreams {
  @usableFromInline
  internal struct Entry {
    @usableFromInline internal let subscription: any Subscription
    /// Whether it has been asked for everything, or is about to be.
    @usableFromInline internal var isUnlimited: Bool

    @inlinable
    internal init(_ subscription: any Subscription, isUnlimited: Bool) {
      self.subscription = subscription
      self.isUnlimited = isUnlimited
    }
  }

  @usableFromInline internal var entries: ContiguousArray<Entry?> = []
  /// The places in between that are free.
  @usableFromInline internal var vacant: ContiguousArray<Int> = []
  @usableFromInline internal var wantsAll = false
  @usableFromInline internal var isClosed = false

  @inlinable
  internal init() {}

  /// Takes in the subscription of a stream that has none.
  ///
  /// - Returns: What it is to be asked for; `nil` if it is to be cancelled.
  @inlinable
  internal mutating func add(_ subscription: any Subscription, of stream: InnerStream) -> Subscribers.Demand? {
    guard !isClosed, stream.place.load(ordering: .relaxed) == InnerStream.awaiting else { return nil }
    if let place = vacant.popLast() {
      entries[place] = Entry(subscription, isUnlimited: wantsAll)
      stream.place.store(place, ordering: .relaxed)
    } else {
      stream.place.store(entries.count, ordering: .relaxed)
      entries.append(Entry(subscription, isUnlimited: wantsAll))
    }
    return wantsAll ? .unlimited : .max(1)
  }

  @inlinable
  internal func subscription(of stream: InnerStream) -> (any Subscription)? {
    let place = stream.place.load(ordering: .relaxed)
    return place < 0 || isClosed ? nil : entries[place]?.subscription
  }

  /// Removes the subscription of a stream, if it is there.
  ///
  /// - Returns: What the caller is to free when the lock has been released.
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

  /// Called when all places are free.
  @usableFromInline
  internal mutating func forgetPlaces() {
    let isKept = entries.count <= 1_024
    entries.removeAll(keepingCapacity: isKept)
    vacant.removeAll(keepingCapacity: isKept)
  }

  /// - Returns: Whether there are streams that have not been asked for everything.
  internal mutating func wantAll() -> Bool {
    if wantsAll { return false }
    wantsAll = true
    return !entries.isEmpty
  }

  /// The subscriptions that have not been asked for everything.
  internal mutating func takeLimited() -> ContiguousArray<any Subscription> {
    var limited: ContiguousArray<any Subscription> = []
    for place in entries.indices where entries[place]?.isUnlimited == false {
      entries[place]?.isUnlimited = true
      if let entry = entries[place] { limited.append(entry.subscription) }
    }
    return limited
  }

  /// Removes all, and lets no more in.
  internal mutating func close() -> ContiguousArray<any Subscription> {
    isClosed = true
    let removed = ContiguousArray(entries.lazy.compactMap { $0?.subscription })
    entries = []
    vacant = []
    return removed
  }
}
