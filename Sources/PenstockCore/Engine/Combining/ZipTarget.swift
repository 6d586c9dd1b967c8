// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An upstream of `zip` that needs no subscription, among others of its kind.
///
/// Asked by the thread that subscribes to the upstreams, which owns the loop meanwhile.
@usableFromInline
internal struct ZipTarget<Input, Inlets: TupleInlets, Downstream: Subscriber>: LoopTarget
where Inlets.Values == Downstream.Input {
  @usableFromInline internal typealias Failure = Downstream.Failure
  @usableFromInline internal typealias Resident = NoResident<Input, Failure>

  @usableFromInline internal let core: Unmanaged<ZipCore<Inlets, Failure>>
  /// Unretained: the core holds it.
  @usableFromInline internal let inlet: Unmanaged<QueueInlet<Input>>

  @inlinable
  internal init(_ core: ZipCore<Inlets, Failure>, _ inlet: QueueInlet<Input>) {
    self.core = .passUnretained(core)
    self.inlet = .passUnretained(inlet)
  }

  @inlinable @inline(__always)
  internal var _isReady: Bool { core._withUnsafeGuaranteedRef { $0.isReady } }

  @inlinable @inline(never)
  internal func _subscribe<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == Failure {
    core.takeUnretainedValue().join(publisher, inlet.takeUnretainedValue(), upstreamOf: Downstream.self)
  }

  @inlinable
  internal var isStale: Bool { false }

  @inlinable @inline(__always)
  internal func pass(_ value: Input) {
    core._withUnsafeGuaranteedRef { core in inlet._withUnsafeGuaranteedRef { _ = core.take(value, into: $0) } }
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    core._withUnsafeGuaranteedRef { core in inlet._withUnsafeGuaranteedRef { core.end(completion, of: $0) } }
  }
}

extension ZipCore {
  /// Whether everything has been requested before the upstreams are subscribed to.
  @inlinable
  internal var isReady: Bool {
    assertOwned()
    return isOpen && wantedAhead.isUnlimited && !isClosed
  }
}
