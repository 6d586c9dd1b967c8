// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The target that a publisher such as ``Deferred`` passes to the publisher that its closure has made.
///
/// If that publisher hands nothing over, the target subscribes to it, and not to the first one, whose closure would run again.
@usableFromInline
internal struct ResolvedTarget<Target: _FusionTarget>: _FusionTarget {
  @usableFromInline internal typealias Input = Target.Input
  @usableFromInline internal typealias Failure = Target.Failure
  @usableFromInline internal typealias Resident = Target.Resident

  @usableFromInline internal let target: Target

  @_alwaysEmitIntoClient
  internal init(_ target: Target) { self.target = target }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _isReady: Bool { target._isReady }

  @_alwaysEmitIntoClient @inline(__always)
  internal static var _traits: _FusionTraits { Target._traits }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive(only value: Input) -> Target.Answer { target._receive(only: value) }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive<Elements: Sequence, Ending: _Ending>(_ elements: Elements, ending: Ending) -> Target.Answer
  where Elements.Element == Input, Ending.Failure == Failure { target._receive(elements, ending: ending) }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive(completion: Subscribers.Completion<Failure>) -> Target.Answer {
    target._receive(completion: completion)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _resides: Bool { target._resides }

  @inlinable @inline(__always)
  internal __consuming func _makeResident(in subscription: Unmanaged<_CancellableObject>) -> Resident {
    target._makeResident(in: subscription)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal static func _answer(_ subscription: __owned some Subscription & AnyObject) -> Target.Answer {
    Target._answer(subscription)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _subscribe<P: Publisher>(to publisher: P) -> Target.Answer
  where P.Output == Input, P.Failure == Failure { target._subscribe(resolved: publisher) }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _subscribe<P: Publisher>(resolved publisher: P) -> Target.Answer
  where P.Output == Input, P.Failure == Failure { target._subscribe(resolved: publisher) }
}
