// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of an operator with several upstreams: it stores the operator's ``FanInEngine``.
///
/// The upstreams' signals arrive through an ``InletSubscriber`` each. The engine's types are parameters as well, so that an
/// extension can name it.
@usableFromInline
package final class FanInSubscriber<
  Engine: FanInEngine & ~Copyable, Parameter, Failure: Error
>: FanInSubscription, SerialCore
where Engine.Parameter == Parameter, Engine.Failure == Failure {
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
  ///   - downstream: The calls of the subscriber, which the caller embeds.
  @inlinable @inline(never)
  package init(_ engine: consuming Engine, name: String, downstream: __owned SubscriberCalls) {
    let inlets = engine.inlets
    #if PENSTOCK_TSAN
      address = .allocate(capacity: 1)
      address.initialize(to: engine)
    #else
      storage = engine
    #endif
    super.init(
      name: name, inlets: inlets, acceptsZeroDemand: false, work: TypedWork(of: FanInSubscriber.self),
      downstream: downstream)
  }

  @_alwaysEmitIntoClient
  package func add(_ demand: Subscribers.Demand) {
    assertOwned()
    if !isClosed { Engine.add(demand, in: self) }
  }

  @_alwaysEmitIntoClient
  package func takeCancel() { Engine.cancel(in: self) }

  @_alwaysEmitIntoClient
  package func discard() {
    assertOwned()
    Engine.discard(in: self)
  }

  @usableFromInline
  package override var upstreamBase: BaseSubscription? { engine.main?.slot.base }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { return }
    if let main = engine.main { link.phase = LinkState.Phase(main.slot.phase) }
    engine.show(in: &link, of: self)
  }
}
