// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An upstream of `merge` that needs no subscription.
///
/// Asked by the thread that subscribes to the upstreams, which owns the loop meanwhile. The type of downstream says whether
/// introspections are asked where the upstream is subscribed to after all.
@usableFromInline
internal struct MergeTarget<Downstream: Subscriber>: LoopTarget {
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let core: Unmanaged<MergeCore<Input, Failure>>
  @usableFromInline internal let place: Int

  @inlinable
  internal init(_ core: MergeCore<Input, Failure>, at place: Int) {
    self.core = .passUnretained(core)
    self.place = place
  }

  @inlinable @inline(__always)
  internal var _isReady: Bool { core._withUnsafeGuaranteedRef { $0.isReady } && isUnobserved }

  @inlinable @inline(never)
  internal func _subscribe<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == Failure {
    core._withUnsafeGuaranteedRef { $0.subscribe(to: publisher, at: place, upstreamOf: Downstream.self) }
  }

  @inlinable
  internal var isStale: Bool { false }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    core._withUnsafeGuaranteedRef { $0.end(completion) }
  }
}
