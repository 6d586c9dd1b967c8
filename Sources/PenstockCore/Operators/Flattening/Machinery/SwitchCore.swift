// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// An inner stream of `switchToLatest`: the latest one, or an earlier one.
@usableFromInline
package final class SwitchInlet: Inlet {
  /// Whether a newer stream has replaced this one.
  ///
  /// Not the same as the end of its slot: values that it queued before it finished are still delivered.
  @usableFromInline internal let isStale = AtomicCell(false)

  @inlinable
  package override init() {}

  /// Makes a stream that has been replaced already.
  @usableFromInline
  internal init(stale: Void) {
    super.init()
    isStale.store(true, ordering: .relaxed)
    slot.cancel(early: true)
  }
}

/// The core of `switchToLatest`.
///
/// Demand that one inner stream has not met is requested from the next one.
@usableFromInline
package final class SwitchCore<Downstream: Subscriber>: SerialSubscription, SerialCore {
  /// State that any thread may access: inner streams are opened outside the loop, and cancelled on any thread.
  @usableFromInline
  internal struct Latest {
    @usableFromInline internal var stream: SwitchInlet?
    @usableFromInline internal var isClosed = false

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let latest = Guarded(Latest())
  /// Whether there may be a latest stream; `false` only where there is none, so that a fused publisher needs no lock.
  @usableFromInline internal let hasStream = AtomicCell(false)
  /// The number of the fused publisher that is being delivered, or zero.
  @usableFromInline internal let fused = AtomicCell<UInt>(0)
  /// Whether downstream has requested everything; written only by the owner of the loop.
  @usableFromInline internal let wantsAll = AtomicCell(false)

  /// The number of fused publishers; accessed only where upstream delivers.
  @exclusivity(unchecked) @usableFromInline internal var fusedCount: UInt = 0

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var demand = Subscribers.Demand.none
  @exclusivity(unchecked) @usableFromInline internal var upstreamHasFinished = false

  @inlinable
  package init(to downstream: Downstream) {
    self.downstream = downstream
    super.init(
      name: "SwitchToLatest", acceptsZeroDemand: false, downstreamIsSynchronous: downstream._isSynchronous,
      work: TypedWork(of: SwitchCore.self))
  }

  // MARK: Upstream

  /// Makes a stream the latest one, for a publisher that has replaced the one before.
  ///
  /// - Returns: The new stream; `nil` if the stream is over.
  @inlinable
  internal func admit() -> SwitchInlet? {
    let stream = SwitchInlet()
    fused.store(0, ordering: .relaxed)
    return replaceLatest(by: stream) ? stream : nil
  }

  /// Replaces the latest stream by a publisher, fused until it has a stream of its own, and cancels the stream.
  ///
  /// - Returns: The publisher's number.
  @inlinable
  internal func admitNext() -> UInt {
    fusedCount += 1
    // The cancel of the stream may have a further publisher replace this one.
    let number = fusedCount
    fused.store(number, ordering: .relaxed)
    if hasStream.load(ordering: .relaxed) { _ = replaceLatest(by: nil) }
    return number
  }

  /// - Returns: Whether the stream has been stored; not if all is over.
  @usableFromInline
  internal func replaceLatest(by stream: SwitchInlet?) -> Bool {
    let (isAdmitted, old) = latest.withLock { latest -> (Bool, SwitchInlet?) in
      if latest.isClosed { return (false, nil) }
      hasStream.store(stream != nil, ordering: .relaxed)
      defer { latest.stream = stream }
      return (true, latest.stream)
    }
    if let old {
      old.isStale.store(true, ordering: .relaxed)
      old.slot.cancel(early: true)
    }
    return isAdmitted
  }

  @inlinable
  package func cancelUpstreams() {
    let stream = latest.withLock { latest in
      latest.isClosed = true
      return latest.stream.take()
    }
    stream?.slot.cancel(early: true)
    upstream.slot.cancel(early: true)
  }

  // MARK: Called by the owner

  @inlinable
  internal func begin(_ stream: SwitchInlet) {
    if stream.isStale.load(ordering: .relaxed) { return }
    requestLater(demand, from: stream)
  }

  @inlinable
  package func add(_ more: Subscribers.Demand) {
    if isClosed { return }
    grant(more)
    askLatest(for: more)
  }

  /// Adds to downstream's demand.
  @inlinable
  internal func grant(_ more: Subscribers.Demand) {
    demand += more
    if demand.isUnlimited { wantsAll.store(true, ordering: .relaxed) }
  }

  /// Requests more from the latest stream, unless its subscription has yet to arrive, which requests the whole demand.
  @usableFromInline
  internal func askLatest(for more: Subscribers.Demand) {
    if let stream = latest.withLock({ $0.stream }), stream.hasBegun { requestLater(more, from: stream) }
  }

  @inlinable @inline(__always)
  internal func take(_ input: Downstream.Input, from stream: SwitchInlet) -> Subscribers.Demand {
    if isClosed || stream.isStale.load(ordering: .relaxed) { return .none }
    let isUnlimited = demand.isUnlimited
    if !isUnlimited {
      if demand == .none { return refuse(from: stream) }
      demand -= 1
    }
    let more = downstream.receive(input)
    if isUnlimited || more == .none { return more }
    grant(more)
    if !stream.isStale.load(ordering: .relaxed) { return more }
    // A newer stream has been opened meanwhile, perhaps during the delivery.
    askLatest(for: more)
    return .none
  }

  /// Drops a value without demand, which only a stream that does not count demand may deliver.
  @usableFromInline @inline(never)
  internal func refuse(from stream: SwitchInlet) -> Subscribers.Demand {
    // In this order: a stream that was cancelled meanwhile has no subscription to ask whether it counts demand.
    if !stream.slot.exceedsDemand, !isClosed, !stream.isStale.load(ordering: .relaxed) {
      trap(.unrequestedValue(operator: name))
    }
    return .none
  }

  @inlinable
  internal func end(_ stream: SwitchInlet, _ completion: Subscribers.Completion<Downstream.Failure>) {
    if stream.isStale.load(ordering: .relaxed) { return }
    if case .failure = completion { return finish(completion) }
    latest.withLock { latest in
      guard latest.stream === stream else { return }
      latest.stream = nil
      hasStream.store(false, ordering: .relaxed)
    }
    finishIfDone()
  }

  /// Ends a fused publisher.
  @inlinable
  internal func end(fused number: UInt, _ completion: Subscribers.Completion<Downstream.Failure>) {
    if case .failure = completion { return finish(completion) }
    // Not a store: upstream may deliver the next publisher at this moment, if this end has been queued.
    _ = fused.compareExchange(expected: number, desired: 0, ordering: .relaxed)
    finishIfDone()
  }

  @inlinable
  internal func endUpstream(_ completion: Subscribers.Completion<Downstream.Failure>) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    upstreamHasFinished = true
    finishIfDone()
  }

  @inlinable
  internal func finishIfDone() {
    assertOwned()
    if upstreamHasFinished, fused.load(ordering: .relaxed) == 0, latest.withLock({ $0.stream == nil }) {
      finish(.finished)
    }
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard close() else { return }
    cancelUpstreams()
    downstream.receive(completion: completion)
  }
}

/// The signals of the upstream of a ``SwitchCore``.
@usableFromInline
internal struct SwitchUpstreamHandler<Inner: Publisher, Downstream: Subscriber>: SubscriptionInletHandler,
  DirectInletHandler
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline internal let switching: SwitchCore<Downstream>

  @inlinable
  internal init(_ switching: SwitchCore<Downstream>) { self.switching = switching }

  @inlinable
  internal var core: SerialSubscription { switching }

  @inlinable
  internal var inlet: Inlet { switching.upstream }

  /// As in Combine: an inner publisher is subscribed to even before upstream has delivered a subscription.
  @inlinable
  internal static var acceptsEarlySignals: Bool { true }

  @inlinable
  internal func arrive(_ subscription: any Subscription) { subscription.request(.unlimited) }

  /// Subscribes to the inner publisher of a value.
  ///
  /// Outside the loop: an inner publisher that delivers at once does not keep other threads out.
  @inlinable
  internal func takeOutsideLoop(_ input: Inner) -> Bool {
    if switching.isClosed { return true }
    let target = SwitchTarget(switching, switching.admitNext())
    // The cancel of the previous stream may have run any code.
    if target.isCurrent { input._fuse(into: target) }
    return true
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    switching.endUpstream(completion)
  }
}

/// The signals of one inner stream of a ``SwitchCore``.
@usableFromInline
internal struct SwitchInnerHandler<Downstream: Subscriber>: InletHandler {
  @usableFromInline internal let switching: SwitchCore<Downstream>
  @usableFromInline internal let stream: SwitchInlet

  @inlinable
  internal init(_ switching: SwitchCore<Downstream>, _ stream: SwitchInlet) {
    self.switching = switching
    self.stream = stream
  }

  @inlinable
  internal static var trapsEarlyCompletion: Bool { true }

  @inlinable
  internal var core: SerialSubscription { switching }

  @inlinable
  internal var inlet: Inlet { stream }

  @inlinable
  internal func begin() { switching.begin(stream) }

  @inlinable
  internal func take(_ input: Downstream.Input) -> Subscribers.Demand {
    switching.take(input, from: stream)
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    switching.end(stream, completion)
  }
}
