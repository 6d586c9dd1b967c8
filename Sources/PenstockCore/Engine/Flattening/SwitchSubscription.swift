// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// An inner stream of `switchToLatest`: the latest one, or an earlier one.
@usableFromInline
package final class SwitchInlet: Inlet {
  /// Whether a newer stream has replaced this one.
  ///
  /// Not the same as the end of its slot: values that it queued before it finished are still delivered.
  @_alwaysEmitIntoClient
  internal var isStale: Bool { replaced.load(ordering: .relaxed) }

  @usableFromInline internal let replaced = AtomicCell(false)

  @inlinable
  package override init() {}

  /// Makes a stream that has been replaced already.
  @usableFromInline
  internal init(stale: Void) {
    super.init()
    replaced.store(true, ordering: .relaxed)
    slot.cancel(early: true)
  }
}

/// The untyped half of `switchToLatest`: the latest stream, and demand.
///
/// Demand that one inner stream has not met is requested from the next one.
@usableFromInline
package class SwitchSubscription: FlatteningSubscription {
  /// State that any thread may access: inner streams are opened outside the loop, and cancelled on any thread.
  private struct Latest {
    var stream: SwitchInlet?
    var isClosed = false
  }

  private let latest = Guarded(Latest())
  /// Whether there may be a latest stream; `false` only where there is none, so that a fused publisher needs no lock.
  @usableFromInline internal final let hasStream = AtomicCell(false)
  /// The number of the fused publisher that is being delivered, or zero.
  @usableFromInline internal final let fused = AtomicCell<UInt>(0)
  /// Whether downstream has requested everything; written only by the owner of the loop.
  @usableFromInline internal final let isUnlimited = AtomicCell(false)

  /// The number of fused publishers; accessed only where upstream delivers.
  @exclusivity(unchecked) @usableFromInline internal final var fusedCount: UInt = 0

  @usableFromInline
  internal init(work: TypedWork, downstream: SubscriberCalls) {
    super.init(name: "SwitchToLatest", work: work, downstream: downstream)
  }

  package final override func show(in link: inout LinkState) {
    super.show(in: &link)
    let stream = latest.withLock { $0.stream }
    link.add(stream?.slot.base, role: "latest")
    if stream != nil { link.wait = .inner(1) }
  }

  // MARK: Upstream

  /// Makes a stream the latest one, for a publisher that has replaced the one before.
  ///
  /// - Returns: The new stream; `nil` if the stream is over.
  @usableFromInline
  internal final func admit() -> SwitchInlet? {
    let stream = SwitchInlet()
    fused.store(0, ordering: .relaxed)
    return replaceLatest(by: stream) ? stream : nil
  }

  /// Replaces the latest stream by a publisher, fused until it has a stream of its own, and cancels the stream.
  ///
  /// - Returns: The publisher's number.
  @_alwaysEmitIntoClient
  internal final func admitNext() -> UInt {
    fusedCount += 1
    // The cancel of the stream may have a further publisher replace this one.
    let number = fusedCount
    fused.store(number, ordering: .relaxed)
    if hasStream.load(ordering: .relaxed) { _ = replaceLatest(by: nil) }
    return number
  }

  /// - Returns: Whether the stream has been stored; not if the operator's stream is over.
  @usableFromInline
  internal final func replaceLatest(by stream: SwitchInlet?) -> Bool {
    let (isAdmitted, old) = latest.withLock { latest -> (Bool, SwitchInlet?) in
      if latest.isClosed { return (false, nil) }
      hasStream.store(stream != nil, ordering: .relaxed)
      defer { latest.stream = stream }
      return (true, latest.stream)
    }
    if let old {
      old.replaced.store(true, ordering: .relaxed)
      old.slot.cancel(early: true)
    }
    return isAdmitted
  }

  @usableFromInline
  package final func cancelUpstreams() {
    let stream = latest.withLock { latest in
      latest.isClosed = true
      return latest.stream.take()
    }
    stream?.slot.cancel(early: true)
    upstreamSlot.cancel(early: true)
  }

  // MARK: Called by the owner

  @usableFromInline
  internal final func begin(_ stream: SwitchInlet) {
    if stream.isStale { return }
    requestLater(demand, from: stream)
  }

  @usableFromInline
  package final func add(_ more: Subscribers.Demand) {
    if isClosed { return }
    grant(more)
    askLatest(for: more)
  }

  /// Adds to downstream's demand.
  @_alwaysEmitIntoClient
  internal final func grant(_ more: Subscribers.Demand) {
    demand += more
    if demand.isUnlimited { isUnlimited.store(true, ordering: .relaxed) }
  }

  /// Requests more from the latest stream, unless its subscription has yet to arrive, which requests the whole demand.
  @usableFromInline
  internal final func askLatest(for more: Subscribers.Demand) {
    if let stream = latest.withLock({ $0.stream }), stream.hasBegun { requestLater(more, from: stream) }
  }

  /// Drops a value without demand, which only a stream that does not count demand may deliver.
  @usableFromInline @inline(never)
  internal final func refuse(from stream: SwitchInlet) -> Subscribers.Demand {
    // In this order: a stream that was cancelled meanwhile has no subscription to ask whether it counts demand.
    if !stream.slot.exceedsDemand, !isClosed, !stream.isStale {
      trap(.unrequestedValue(operator: name))
    }
    return .none
  }

  /// Forgets a stream that has finished.
  ///
  /// - Returns: Whether all have finished.
  @usableFromInline
  internal final func remove(_ stream: SwitchInlet) -> Bool {
    latest.withLock { latest in
      guard latest.stream === stream else { return }
      latest.stream = nil
      hasStream.store(false, ordering: .relaxed)
    }
    return isDone
  }

  /// Forgets a fused publisher that has finished.
  ///
  /// - Returns: Whether all have finished.
  @inlinable
  internal final func remove(fused number: UInt, isQueued: Bool) -> Bool {
    if isQueued {
      // Not a store: upstream may deliver the next publisher at this moment.
      _ = fused.compareExchange(expected: number, desired: 0, ordering: .relaxed)
    } else {
      fused.store(0, ordering: .relaxed)
    }
    return isDone
  }

  /// Whether upstream and the latest stream have finished.
  @inlinable
  internal final var isDone: Bool {
    assertOwned()
    return upstreamHasFinished && fused.load(ordering: .relaxed) == 0 && !hasLatest
  }

  @usableFromInline
  internal final var hasLatest: Bool { latest.withLock { $0.stream != nil } }
}
