// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator whose subscription is a ``SerialSubscription``, which embeds downstream without its type.
///
/// The code that puts a subscriber, or the resident end of a chain, into it is written once for all of them.
@usableFromInline
package protocol SerialOperator: PortedPublisher {
  associatedtype Core: SerialSubscription

  /// Whether the end of a chain may be kept in the subscription: only where it gets its subscription before the call
  /// that attaches it returns, since a cancel that comes earlier does not reach upstream until then.
  static var keepsSinks: Bool { get }

  /// Makes the subscription of a subscriber, which the caller puts into it.
  func makeCore(_ downstream: __owned SubscriberCalls) -> Core

  /// Gives downstream its subscription, and subscribes to the upstreams.
  func start<Downstream: Subscriber>(_ core: Core, upstreamOf downstream: Downstream.Type)
  where Downstream.Input == Output, Downstream.Failure == Failure
}

extension SerialOperator {
  @_alwaysEmitIntoClient @inline(__always)
  package static var keepsSinks: Bool { true }

  /// The implementation of `receive(subscriber:)`.
  @_alwaysEmitIntoClient
  package func attach<Downstream: Subscriber>(_ subscriber: __owned Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let core = makeCore(SubscriberCalls(for: subscriber))
    core.embed(subscriber)
    start(core, upstreamOf: Downstream.self)
  }

  @inlinable @inline(__always)
  public static var _offer: _Offer { keepsSinks ? .end : .nothing }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    Self.keepsSinks && Target._traits.residesAnywhere ? attach(keeping: target) : target._subscribe(to: self)
  }

  /// Attaches a target that resides: its subscriber is kept in the operator's subscription, and released with the stream.
  ///
  /// A function of its own, as ``SinkTarget/_subscribe(to:)`` is.
  @inlinable @inline(never)
  internal func attach<Target: _FusionTarget>(keeping target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    let core = makeCore(SubscriberCalls(of: Target.Resident.self))
    core.embed(target._makeResident(in: .passUnretained(core)))
    core.releasesDownstream = true
    start(core, upstreamOf: Target.Resident.self)
    return Target._answer(core)
  }
}
