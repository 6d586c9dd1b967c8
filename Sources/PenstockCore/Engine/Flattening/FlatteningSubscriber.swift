// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of an operator of `flatMap`'s kind: it stores the operator's ``FlatteningEngine``.
@usableFromInline
package final class FlatteningSubscriber<
  Engine: FlatteningEngine & ~Copyable, Output, Failure: Error
>: FlatMapSubscription, FlatteningCore
where Engine.Output == Output, Engine.Failure == Failure {
  #if PENSTOCK_TSAN
    // Stored apart: to the sanitizer, taking the address of a variable is a change, even where only reads follow.
    @usableFromInline internal let address: UnsafeMutablePointer<Engine>

    deinit {
      address.deinitialize(count: 1)
      address.deallocate()
    }
  #else
    @exclusivity(unchecked) @usableFromInline internal final var storage: Engine

    @_alwaysEmitIntoClient @inline(__always)
    internal var address: UnsafeMutablePointer<Engine> { _withUnprotectedUnsafeMutablePointer(to: &storage) { $0 } }
  #endif

  /// Changed only by the owner of the loop.
  ///
  /// By its address, since other modules do not see that the storage is unchecked: they would call the run-time for each access.
  @inlinable
  package final var engine: Engine {
    unsafeAddress { UnsafePointer(address) }
    unsafeMutableAddress { address }
  }

  /// - Parameters:
  ///   - engine: The engine of the operator.
  ///   - name: The text that `print()` prints.
  ///   - maxPublishers: The maximum number of publishers at the same time.
  ///   - downstream: The calls of the subscriber, which the caller embeds.
  @inlinable @inline(never)
  package init(
    _ engine: consuming Engine, name: String, _ maxPublishers: Subscribers.Demand,
    downstream: __owned SubscriberCalls
  ) {
    #if PENSTOCK_TSAN
      address = .allocate(capacity: 1)
      address.initialize(to: engine)
    #else
      storage = engine
    #endif
    super.init(name: name, maxPublishers, work: TypedWork(of: FlatteningSubscriber.self), downstream: downstream)
  }

  @_alwaysEmitIntoClient
  package var prefetch: Subscribers.Demand { engine.prefetch }

  // The stream is made before the publisher: a value that the closure causes upstream to deliver comes after this one.
  @inlinable @inline(__always)
  package func subscribe<Inner: Publisher>(_ makeInner: () -> Inner)
  where Inner.Output == Output, Inner.Failure == Failure {
    let stream = Engine.makeStream(in: self)
    let inner = makeInner()
    if !isClosed { inner.subscribe(InletSubscriber(FlatMapInnerHandler(self, stream))) }
  }

  // MARK: Called by the owner

  @_alwaysEmitIntoClient
  package func add(_ demand: Subscribers.Demand) {
    assertOwned()
    if !isClosed { Engine.add(demand, in: self) }
  }

  @_alwaysEmitIntoClient
  package func take(_ input: Output, from stream: Engine.Stream) -> Subscribers.Demand {
    isClosed ? .none : Engine.take(input, from: stream, in: self)
  }

  /// Delivers a value; demand and signals that arrive meanwhile are served after the delivery has returned.
  @inlinable @inline(never)
  package func deliverCounted(_ value: Output) {
    assertOwned()
    isDelivering = true
    demand -= 1
    demand += deliver(value: value)
    isDelivering = false
  }

  @inlinable
  package func endStream(_ completion: Subscribers.Completion<Failure>, of stream: Engine.Stream) {
    assertOwned()
    noteEnd()
    if case .failure = completion { return finish(completion) }
    if !isClosed { Engine.end(stream, in: self) }
  }

  @inlinable
  package func endUpstream(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    if case .failure = completion { return finish(completion) }
    upstreamHasFinished = true
    if !isClosed { Engine.endUpstream(in: self) }
  }

  @inlinable @inline(never)
  package func settle() {
    submit { if self.upstreamHasFinished, !self.isClosed { Engine.endUpstream(in: self) } }
  }

  @_alwaysEmitIntoClient
  package func discard() {
    assertOwned()
    Engine.discard(in: self)
  }
}
