// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The answer of an erased publisher to a target.
///
/// It is returned as a value, since the target's type is not known where the publisher's is.
@usableFromInline
internal enum ErasedAnswer<Output, Failure: Error> {
  case nothing
  case value(Output)
  case completion(Subscribers.Completion<Failure>)
  /// The publisher keeps the subscriber, in this subscription.
  case resident(any Subscription & AnyObject)
}

/// An erased target, to which an ``AnyPublisher`` lets its publisher hand over.
@usableFromInline
internal struct ErasedTarget<Input, Failure: Error>: _FusionTarget {
  /// The target; `nil` if it does not reside.
  @usableFromInline internal let target: UnsafeRawPointer?
  /// Makes the subscriber of the target at an address; made where its type is concrete.
  @usableFromInline internal let make:
    (UnsafeRawPointer, Unmanaged<_CancellableObject>) -> AnySubscriber<Input, Failure>

  /// Erases a target that outlives this value.
  @inlinable @inline(__always)
  internal init<Target: _FusionTarget>(_ target: UnsafePointer<Target>)
  where Target.Input == Input, Target.Failure == Failure {
    self.target = target.pointee._resides ? UnsafeRawPointer(target) : nil
    make = { AnySubscriber($0.assumingMemoryBound(to: Target.self).pointee._makeResident(in: $1)) }
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _isReady: Bool { true }

  /// The closure may return another publisher each time: it must not be called for an answer that is not used.
  @_alwaysEmitIntoClient @inline(__always)
  internal static var _traits: _FusionTraits { _FusionTraits() }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive(only value: Input) -> ErasedAnswer<Input, Failure> { .value(value) }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive<Elements: Sequence, Ending: _Ending>(
    _ elements: Elements, ending: Ending
  ) -> ErasedAnswer<Input, Failure> where Elements.Element == Input, Ending.Failure == Failure { .nothing }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _receive(completion: Subscribers.Completion<Failure>) -> ErasedAnswer<Input, Failure> {
    .completion(completion)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _resides: Bool { target != nil }

  @inlinable @inline(__always)
  internal __consuming func _makeResident(
    in subscription: Unmanaged<_CancellableObject>
  ) -> AnySubscriber<Input, Failure> { make(target.unsafelyUnwrapped, subscription) }

  @_alwaysEmitIntoClient @inline(__always)
  internal static func _answer(_ subscription: __owned some Subscription & AnyObject) -> ErasedAnswer<Input, Failure> {
    .resident(subscription)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func _subscribe<P: Publisher>(to publisher: P) -> ErasedAnswer<Input, Failure>
  where P.Output == Input, P.Failure == Failure { .nothing }
}
