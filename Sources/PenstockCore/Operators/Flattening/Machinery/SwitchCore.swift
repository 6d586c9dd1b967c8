// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The core of `switchToLatest`: what depends on the type of downstream.
@usableFromInline
package final class SwitchCore<Downstream: Subscriber>: SwitchSubscription, SerialCore, LoopTargetCore {
  @usableFromInline internal let downstream: Downstream

  @inlinable
  package init(to downstream: Downstream) {
    self.downstream = downstream
    super.init(work: TypedWork(of: SwitchCore.self))
  }

  // MARK: Called by the owner

  @inlinable @inline(__always)
  internal func take(_ input: Downstream.Input, from stream: SwitchInlet) -> Subscribers.Demand {
    if isClosed || stream.isStale { return .none }
    let isUnlimited = demand.isUnlimited
    if !isUnlimited {
      if demand == .none { return refuse(from: stream) }
      demand -= 1
    }
    let more = downstream.receive(input)
    if isUnlimited || more == .none { return more }
    grant(more)
    if !stream.isStale { return more }
    // A newer stream has been opened meanwhile, perhaps during the delivery.
    askLatest(for: more)
    return .none
  }

  @inlinable
  internal func end(_ stream: SwitchInlet, _ completion: Subscribers.Completion<Downstream.Failure>) {
    if stream.isStale { return }
    if case .failure = completion { return finish(completion) }
    if remove(stream) { finish(.finished) }
  }

  /// Ends a fused publisher.
  @inlinable
  internal func end(fused number: UInt, _ completion: Subscribers.Completion<Downstream.Failure>) {
    if case .failure = completion { return finish(completion) }
    if remove(fused: number) { finish(.finished) }
  }

  @inlinable
  internal func endUpstream(_ completion: Subscribers.Completion<Downstream.Failure>) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    upstreamHasFinished = true
    if isDone { finish(.finished) }
  }

  @inlinable @inline(never)
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard close() else { return }
    cancelUpstreams()
    downstream.receive(completion: completion)
  }
}

/// The signals of the upstream of a ``SwitchCore``.
@usableFromInline
internal struct SwitchUpstreamHandler<Inner: Publisher, Downstream: Subscriber>: FlatteningUpstreamHandler
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline internal let switching: SwitchCore<Downstream>

  @inlinable
  internal init(_ switching: SwitchCore<Downstream>) { self.switching = switching }

  @inlinable
  internal var flattening: FlatteningSubscription { switching }

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
  internal static var takesRuns: Bool { true }

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
