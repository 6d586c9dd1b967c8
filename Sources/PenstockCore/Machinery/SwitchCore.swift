// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The stream that `switchToLatest` delivers from, or has delivered from.
@usableFromInline
package final class LatestStream: Inlet {
  /// Whether a newer one has taken its place.
  ///
  /// Not the same as the end of its slot: what it has left in the queue before it finished is still delivered.
  @usableFromInline internal let isStale = Atomic(false)

  @inlinable
  package override init() {}
}

/// What is behind `switchToLatest`.
///
/// Demand that one stream has not met is what the next one is asked for.
@usableFromInline
package final class SwitchCore<Downstream: Subscriber>: SerialSubscription {
  /// What any thread may reach: streams are opened outside of the loop, and cancelled from anywhere.
  @usableFromInline
  internal struct Latest {
    @usableFromInline internal var stream: LatestStream?
    @usableFromInline internal var isClosed = false

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let latest = Guarded(Latest())

  // These belong to the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var demand = Subscribers.Demand.none
  @exclusivity(unchecked) @usableFromInline internal var upstreamHasFinished = false

  @inlinable
  package init(to downstream: Downstream) {
    self.downstream = downstream
    super.init(
      name: "SwitchToLatest", acceptsNothing: false, endsWithReturn: downstream.isRelay,
      work: TypedWork(
        request: { unsafeDowncast($0, to: SwitchCore.self).add($1) },
        cancel: { unsafeDowncast($0, to: SwitchCore.self).cancelAbove() },
        discard: { _ in }))
  }

  // MARK: Above

  /// Makes room for a new stream: the one before it is cancelled.
  ///
  /// - Returns: `nil` if the stream is over.
  @inlinable
  internal func admit() -> LatestStream? {
    let stream = LatestStream()
    let (isAdmitted, old) = latest.withLock { latest -> (Bool, LatestStream?) in
      if latest.isClosed { return (false, nil) }
      defer { latest.stream = stream }
      return (true, latest.stream)
    }
    if let old {
      old.isStale.store(true, ordering: .relaxed)
      old.slot.cancel(early: true)
    }
    return isAdmitted ? stream : nil
  }

  @inlinable
  internal func cancelAbove() {
    let stream = latest.withLock { latest in
      latest.isClosed = true
      return latest.stream.take()
    }
    stream?.slot.cancel(early: true)
    upstream.slot.cancel(early: true)
  }

  // MARK: For the owner

  @inlinable
  internal func begin(_ stream: LatestStream) {
    if stream.isStale.load(ordering: .relaxed) { return }
    ask(stream, for: demand)
  }

  @inlinable
  internal func add(_ more: Subscribers.Demand) {
    if isClosed { return }
    demand += more
    askLatest(for: more)
  }

  /// Asks the latest stream for more, unless it has yet to be asked for everything that is wanted.
  @usableFromInline
  internal func askLatest(for more: Subscribers.Demand) {
    if let stream = latest.withLock({ $0.stream }), stream.hasBegun { ask(stream, for: more) }
  }

  @inlinable @inline(__always)
  internal func take(_ input: Downstream.Input, from stream: LatestStream) -> Subscribers.Demand {
    if isClosed || stream.isStale.load(ordering: .relaxed) { return .none }
    let isUnlimited = demand.isUnlimited
    if !isUnlimited {
      if demand == .none { return refuse(from: stream) }
      demand -= 1
    }
    let more = downstream.receive(input)
    if isUnlimited || more == .none { return more }
    demand += more
    if !stream.isStale.load(ordering: .relaxed) { return more }
    // A newer one has come in the meantime, perhaps from inside of the delivery.
    askLatest(for: more)
    return .none
  }

  /// Drops a value that was not asked for, which only a stream that does not count demand may deliver.
  @usableFromInline @inline(never)
  internal func refuse(from stream: LatestStream) -> Subscribers.Demand {
    // In this order: without its subscription a stream that was cancelled meanwhile says nothing of its demand.
    if !stream.slot.exceedsDemand, !isClosed, !stream.isStale.load(ordering: .relaxed) {
      trap(.unrequestedValue(operator: name))
    }
    return .none
  }

  @inlinable
  internal func end(_ stream: LatestStream, _ completion: Subscribers.Completion<Downstream.Failure>) {
    if stream.isStale.load(ordering: .relaxed) { return }
    if case .failure = completion { return finish(completion) }
    latest.withLock { if $0.stream === stream { $0.stream = nil } }
    finishIfDone()
  }

  @inlinable
  internal func endUpstream(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if case .failure = completion { return finish(completion) }
    upstreamHasFinished = true
    finishIfDone()
  }

  @inlinable
  internal func finishIfDone() {
    if upstreamHasFinished, latest.withLock({ $0.stream == nil }) { finish(.finished) }
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard close() else { return }
    cancelAbove()
    downstream.receive(completion: completion)
  }
}

/// The signals of the upstream of a ``SwitchCore``.
@usableFromInline
internal struct SwitchOuterFlow<Inner: Publisher, Downstream: Subscriber>: OuterFlow
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline internal let switching: SwitchCore<Downstream>

  @inlinable
  internal init(_ switching: SwitchCore<Downstream>) { self.switching = switching }

  @inlinable
  internal var core: SerialSubscription { switching }

  @inlinable
  internal var inlet: Inlet { switching.upstream }

  @inlinable
  internal var demand: Subscribers.Demand { .unlimited }

  @inlinable
  internal func open(_ input: Inner) {
    guard let stream = switching.admit() else { return }
    // Cancelling the one before may have called anything.
    if switching.isClosed || stream.isStale.load(ordering: .relaxed) { return }
    input.subscribe(Tributary(SwitchFlow(switching, stream)))
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    switching.endUpstream(completion)
  }
}

/// The signals of one inner stream of a ``SwitchCore``.
@usableFromInline
internal struct SwitchFlow<Downstream: Subscriber>: Inflow {
  @usableFromInline internal let switching: SwitchCore<Downstream>
  @usableFromInline internal let stream: LatestStream

  @inlinable
  internal init(_ switching: SwitchCore<Downstream>, _ stream: LatestStream) {
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
