// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The core of `switchToLatest`: the part that depends on the types of values and failures.
@usableFromInline
package final class SwitchCore<Output, Failure: Error>: SwitchSubscription, SerialCore {
  @inlinable @inline(never)
  internal init(downstream: __owned SubscriberCalls) {
    super.init(work: TypedWork(of: SwitchCore.self), downstream: downstream)
  }

  /// Replaces the latest publisher; called where upstream delivers, outside the loop.
  @_alwaysEmitIntoClient @inline(__always)
  internal func subscribe<Inner: Publisher>(to inner: Inner) where Inner.Output == Output, Inner.Failure == Failure {
    if isClosed { return }
    let target = SwitchTarget(self, admitNext())
    // The cancel of the previous stream may have run any code.
    if target.isCurrent { inner._fuse(into: target) }
  }

  // MARK: Called by the owner

  @inlinable @inline(__always)
  internal func take(_ input: Output, from stream: SwitchInlet) -> Subscribers.Demand {
    if isClosed || stream.isStale { return .none }
    let isUnlimited = demand.isUnlimited
    if !isUnlimited {
      if demand == .none { return refuse(from: stream) }
      demand -= 1
    }
    let more = deliver(value: input)
    if isUnlimited || more == .none { return more }
    grant(more)
    if !stream.isStale { return more }
    // A newer stream has been opened meanwhile, perhaps during the delivery.
    askLatest(for: more)
    return .none
  }

  @inlinable
  internal func end(_ stream: SwitchInlet, _ completion: Subscribers.Completion<Failure>) {
    if stream.isStale { return }
    if case .failure = completion { return finish(completion) }
    if remove(stream) { finish(.finished) }
  }

  /// Ends a fused publisher.
  @inlinable
  internal func end(fused number: UInt, _ completion: Subscribers.Completion<Failure>, isQueued: Bool) {
    if case .failure = completion { return finish(completion) }
    if remove(fused: number, isQueued: isQueued) { finish(.finished) }
  }

  @inlinable
  internal func endUpstream(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    upstreamHasFinished = true
    if isDone { finish(.finished) }
  }
}

/// The signals of the upstream of a ``SwitchCore``.
@usableFromInline
internal struct SwitchUpstreamHandler<Inner: Publisher>: FlatteningUpstreamHandler {
  @usableFromInline internal typealias Failure = Inner.Failure

  @usableFromInline internal let switching: SwitchCore<Inner.Output, Inner.Failure>

  @_alwaysEmitIntoClient
  internal init(_ switching: SwitchCore<Inner.Output, Inner.Failure>) { self.switching = switching }

  @_alwaysEmitIntoClient
  internal var flattening: FlatteningSubscription { switching }

  @_alwaysEmitIntoClient
  internal func arrive(_ subscription: any Subscription) { subscription.request(.unlimited) }

  /// Subscribes to the inner publisher of a value.
  ///
  /// Outside the loop: an inner publisher that delivers at once does not keep other threads out.
  @_alwaysEmitIntoClient
  internal func takeOutsideLoop(_ input: Inner) -> Subscribers.Demand? {
    switching.subscribe(to: input)
    return Subscribers.Demand.none
  }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    switching.endUpstream(completion)
  }
}

/// The signals of one inner stream of a ``SwitchCore``.
@usableFromInline
internal struct SwitchInnerHandler<Input, Failure: Error>: InletHandler {
  @usableFromInline internal let switching: SwitchCore<Input, Failure>
  @usableFromInline internal let stream: SwitchInlet

  @_alwaysEmitIntoClient
  internal init(_ switching: SwitchCore<Input, Failure>, _ stream: SwitchInlet) {
    self.switching = switching
    self.stream = stream
  }

  /// As in Combine: a value before the subscription is delivered.
  @_alwaysEmitIntoClient
  internal static var acceptsEarlySignals: Bool { true }

  @_alwaysEmitIntoClient
  internal static var trapsEarlyCompletion: Bool { true }

  @_alwaysEmitIntoClient
  internal static var takesRuns: Bool { true }

  @_alwaysEmitIntoClient
  internal var core: SerialSubscription { switching }

  @_alwaysEmitIntoClient
  internal var inlet: Inlet { stream }

  @_alwaysEmitIntoClient
  internal func begin() { switching.begin(stream) }

  @_alwaysEmitIntoClient
  internal func take(_ input: Input) -> Subscribers.Demand {
    switching.take(input, from: stream)
  }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    switching.end(stream, completion)
  }
}
