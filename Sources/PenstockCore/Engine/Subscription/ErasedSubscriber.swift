// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// A type-erased subscriber that still runs code specialised for its type.
///
/// The closures are made in `ErasedBox.init`, where the subscriber's type is concrete, so they contain specialised
/// code; a protocol witness or an override in a generic class would not. They capture nothing and receive the box as
/// their first argument: an erasure costs one allocation, a value one indirect call. Arguments are passed by pointer,
/// because a closure over a generic argument would be wrapped in a thunk that converts it.
///
/// ``AnySubscriber`` uses it, and so does every part of the engine that stores subscribers of many types. The caller
/// of ``receive(_:)`` guarantees the type of the value, which is not checked; only generic code that knows the type
/// calls it.
@usableFromInline
package class ErasedSubscriber {
  /// A property of the erased subscriber that can be queried.
  @usableFromInline
  package enum Property: Sendable {
    case identifier, description, mirror, playground, subscriber
    /// A ``PassedLinks``, with the links that the subscriber's type names.
    case passed
  }

  /// The purpose of a call of ``other``.
  @usableFromInline
  internal enum OtherCall: Sendable {
    /// The argument is an `any Subscription`.
    case subscription
    /// The argument is a completion.
    case completion
    /// The argument is a ``Query``.
    case property
  }

  /// A property that is queried, and its value.
  internal struct Query {
    internal let property: Property
    internal var answer: Any?
  }

  /// The presence in ``liveLinks``; only if nothing downstream reports the subscriber.
  @exclusivity(unchecked) @usableFromInline internal final var enrolment = Enrolment()
  /// Upstream's number in ``liveLinks``.
  internal final let upstreamNumber = AtomicCell<UInt>(0)

  @usableFromInline internal final let value: (ErasedSubscriber, UnsafeRawPointer) -> Subscribers.Demand
  /// Called for everything that happens once or seldom: each further closure would be stored in each subscription.
  @usableFromInline internal final let other: (ErasedSubscriber, OtherCall, UnsafeMutableRawPointer) -> Void

  @_alwaysEmitIntoClient
  internal init(
    value: @escaping (ErasedSubscriber, UnsafeRawPointer) -> Subscribers.Demand,
    other: @escaping (ErasedSubscriber, OtherCall, UnsafeMutableRawPointer) -> Void
  ) {
    self.value = value
    self.other = other
  }

  deinit { enrolment.end() }

  /// Notes which link is upstream.
  @usableFromInline
  internal final func note(_ subscription: any Subscription) {
    upstreamNumber.store(UInt(truncatingIfNeeded: subscription.untappedBase?.linkNumber ?? 0), ordering: .relaxed)
  }

  /// The value of one property; computed when it is queried.
  internal final func property(_ property: Property) -> Any {
    var query = Query(property: property, answer: nil)
    _withUnprotectedUnsafeMutablePointer(to: &query) { other(self, .property, UnsafeMutableRawPointer($0)) }
    return query.answer.unsafelyUnwrapped
  }

  /// The erased subscriber, for mirrors.
  package final var underlying: Any { property(.subscriber) }

  /// The operators that its type names.
  package final var passed: PassedLinks { property(.passed) as? PassedLinks ?? PassedLinks() }

  @_alwaysEmitIntoClient
  package final func receive(subscription: any Subscription) {
    if enrolment.number != 0 { note(subscription) }
    _withUnprotectedUnsafePointer(to: subscription) {
      other(self, .subscription, UnsafeMutableRawPointer(mutating: $0))
    }
  }

  @_alwaysEmitIntoClient
  package final func receive<Input>(_ input: borrowing Input) -> Subscribers.Demand {
    _withUnprotectedUnsafePointer(to: input) { value(self, UnsafeRawPointer($0)) }
  }

  @_alwaysEmitIntoClient
  package final func receive<Failure: Error>(completion: Subscribers.Completion<Failure>) {
    _withUnprotectedUnsafePointer(to: completion) { other(self, .completion, UnsafeMutableRawPointer(mutating: $0)) }
  }
}

/// The box that stores the subscriber and makes the closures.
@usableFromInline
internal final class ErasedBox<Downstream: Subscriber>: ErasedSubscriber {
  @usableFromInline internal let subscriber: Downstream

  @_alwaysEmitIntoClient @inline(__always)
  internal init(_ subscriber: Downstream) {
    self.subscriber = subscriber
    defer { if Downstream._place.isUnreported { enrolment.begin(self) } }
    super.init(
      value: { box, input in
        let value = alias(Downstream.Input.self, at: input)
        let more = unsafeDowncast(box, to: ErasedBox.self).subscriber.receive(value)
        forget(value)
        return more
      },
      other: { box, call, argument in
        let subscriber = unsafeDowncast(box, to: ErasedBox.self).subscriber
        switch call {
        case .subscription:
          subscriber.receive(subscription: argument.assumingMemoryBound(to: (any Subscription).self).pointee)
        case .completion:
          subscriber.receive(
            completion: argument.assumingMemoryBound(to: Subscribers.Completion<Downstream.Failure>.self).pointee)
        case .property:
          subscriber.answer(argument)
        }
      })
  }
}

extension Subscriber {
  /// Erases this subscriber's type; an `AnySubscriber` is not boxed again.
  @inlinable @inline(__always)
  package func erased() -> ErasedSubscriber {
    if Self.self == AnySubscriber<Input, Failure>.self {
      return unsafeBitCast(self, to: AnySubscriber<Input, Failure>.self).erasure
    }
    return ErasedBox(self)
  }

  @usableFromInline
  internal func answer(_ query: UnsafeMutableRawPointer) {
    let query = query.assumingMemoryBound(to: ErasedSubscriber.Query.self)
    query.pointee.answer = reflected(query.pointee.property)
  }

  /// The value of one property of this subscriber; each is computed when it is queried.
  internal func reflected(_ property: ErasedSubscriber.Property) -> Any {
    switch property {
    case .identifier:
      combineIdentifier
    case .description:
      (self as? any CustomStringConvertible)?.description ?? String(describing: Self.self)
    case .mirror:
      (self as? any CustomReflectable)?.customMirror ?? Mirror(reflecting: self)
    case .playground:
      (self as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? reflected(.description)
    case .subscriber:
      // As `AnySubscriber` is no subscriber of its own to a mirror.
      (self as? AnySubscriber<Input, Failure>)?.erasure.underlying ?? self
    case .passed:
      PassedLinks(of: Self.self)
    }
  }
}
