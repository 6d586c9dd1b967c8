// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The core of `zip`, for any number of upstreams.
///
/// Downstream's requests are forwarded to every upstream, and demand is not counted: a tuple is delivered as soon as
/// every inlet has a value. Downstream gets its subscription when all upstreams have delivered theirs; a completion that
/// arrives earlier is held until then.
@usableFromInline
package final class ZipCore<Inlets: TupleInlets, Failure: Error>: TupleCore<Inlets, Failure>, SerialCore {
  // Accessed only by the owner of the loop.

  /// Demand that was requested during a delivery: it is added up, and forwarded after the delivery has returned.
  @exclusivity(unchecked) @usableFromInline internal var requested = Subscribers.Demand.none
  /// The number of upstream subscriptions that have arrived.
  @exclusivity(unchecked) @usableFromInline internal var arrived: Int32 = 0
  /// Whether no upstream counts demand.
  @exclusivity(unchecked) @usableFromInline internal var isUncounted = false

  @usableFromInline
  package override var exceedsDemand: Bool { isUncounted }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if !isClosed { link.waiting = tupleInlets.reduce(0) { $0 + $1.count } }
  }

  @inlinable @inline(never)
  internal init(_ tuple: Inlets, downstream: __owned SubscriberCalls) {
    super.init(name: "Zip", tuple, work: TypedWork(of: ZipCore.self), downstream: downstream)
  }

  /// Subscribes to the upstream of an inlet.
  @inlinable @inline(never)
  package func join<P: Publisher, Downstream: Subscriber>(
    _ upstream: P, _ inlet: QueueInlet<P.Output>, upstreamOf downstream: Downstream.Type
  ) where P.Failure == Failure {
    if !isClosed {
      upstream.subscribe(oneOfSeveral: InletSubscriber(ZipInletHandler(self, inlet)), upstreamOf: Downstream.self)
    }
  }

  /// Begins to subscribe to the upstreams.
  @_alwaysEmitIntoClient @inline(__always)
  package func begin() {
    beginJoining()
    if inlets.isEmpty { finishEmpty() }
  }

  @inlinable @inline(never)
  internal func finishEmpty() {
    submit {
      _ = self.open()
      self.finish(.finished)
    }
  }

  @_alwaysEmitIntoClient
  internal func begin(_ inlet: Inlet) {
    assertOwned()
    arrived += 1
    if Int(arrived) < inlets.count { return }
    isUncounted = inlets.allSatisfy { $0.slot.exceedsDemand }
    let wanted = open()
    if !isClosed { askAll(for: wanted) }
  }

  /// Delivers downstream its subscription.
  ///
  /// - Returns: The demand that it has requested meanwhile.
  @inlinable
  internal func open() -> Subscribers.Demand {
    let wanted = gatheringRequests {
      deliver(subscription: self)
      return .none
    }
    isOpen = true
    if let early = early.takeIfFull() { finish(early) }
    return wanted
  }

  /// Performs a delivery.
  ///
  /// - Returns: The demand that downstream returned or requested during the delivery.
  @inlinable
  internal func gatheringRequests(_ deliver: () -> Subscribers.Demand) -> Subscribers.Demand {
    assertOwned()
    // A nested delivery forwards the demand that was requested during it.
    let outer = (isDelivering, requested)
    isDelivering = true
    requested = .none
    let wanted = deliver() + requested
    (isDelivering, requested) = outer
    return wanted
  }

  @inlinable
  internal func take<Value>(_ input: Value, into inlet: QueueInlet<Value>) -> Subscribers.Demand {
    assertOwned()
    inlet.append(input)
    guard tuple.isComplete else { return .none }
    let output = tuple.gather()
    let wanted = gatheringRequests { deliver(value: output) }
    if finished > 0, tuple.hasRunOut { finish(.finished) }
    if isClosed || wanted == .none { return .none }
    askAll(for: wanted, but: inlet)
    return wanted
  }

  @_alwaysEmitIntoClient
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isDelivering { return requested += more }
    askAll(for: more)
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>, of inlet: TupleInlet) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    inlet.isFinished = true
    finished += 1
    if inlet.isEmpty { finish(completion) }
  }
}

/// The signals of one upstream of a ``ZipCore``.
@usableFromInline
internal struct ZipInletHandler<Input, Inlets: TupleInlets, Failure: Error>: DirectInletHandler {
  @usableFromInline internal let zip: ZipCore<Inlets, Failure>
  @usableFromInline internal let source: QueueInlet<Input>

  @_alwaysEmitIntoClient
  internal init(_ zip: ZipCore<Inlets, Failure>, _ source: QueueInlet<Input>) {
    self.zip = zip
    self.source = source
  }

  @_alwaysEmitIntoClient
  internal static var takesRuns: Bool { true }

  @_alwaysEmitIntoClient
  internal static var cancelsAfterFailure: Bool { true }

  @_alwaysEmitIntoClient
  internal var core: SerialSubscription { zip }

  @_alwaysEmitIntoClient
  internal var inlet: Inlet { source }

  @_alwaysEmitIntoClient
  internal func begin() { zip.begin(source) }

  @_alwaysEmitIntoClient
  internal func take(_ input: Input) -> Subscribers.Demand { zip.take(input, into: source) }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Failure>) { zip.end(completion, of: source) }
}
