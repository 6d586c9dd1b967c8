// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The calls of a subscriber that is kept without its type, in an ``EmbeddingSubscription``.
///
/// Closures that are made where the subscriber's type is concrete, and capture nothing. Their first argument is the memory in
/// which it is embedded; see ``ErasedSubscriber`` for why the others are passed by pointer.
@usableFromInline
package struct SubscriberCalls {
  @usableFromInline
  internal typealias Value = (UnsafeMutableRawPointer, UnsafeRawPointer) -> Subscribers.Demand
  @usableFromInline
  internal typealias Other = (UnsafeMutableRawPointer, OtherCall, UnsafeMutableRawPointer) -> Void

  /// The purpose of a call of ``other``.
  @usableFromInline
  internal enum OtherCall: Sendable {
    /// The argument is an `any Subscription`.
    case subscription
    /// The argument is a completion.
    case completion
    /// The argument is an `Any?`, which becomes the subscriber.
    case subscriber
    /// The argument is a ``PassedLinks``, to which the links are added that the subscriber's type names; its memory is
    /// not read.
    case passed
    /// The subscriber's memory is to be deinitialised.
    case end
  }

  @usableFromInline internal let value: Value
  @usableFromInline internal let other: Other

  @_alwaysEmitIntoClient @inline(__always)
  package init<S: Subscriber>(of type: S.Type) {
    value = Self.value(of: S.self)
    other = Self.other(of: S.self)
  }

  /// The calls of a subscriber, or of the one that a port stands for.
  @_alwaysEmitIntoClient @inline(__always)
  package init<S: Subscriber>(for subscriber: S) { self = subscriber.port?.calls ?? SubscriberCalls(of: S.self) }

  /// The calls of a subscription in which no subscriber is stored.
  internal static var none: SubscriberCalls { SubscriberCalls(value: { _, _ in .none }, other: { _, _, _ in }) }

  internal init(value: @escaping Value, other: @escaping Other) {
    self.value = value
    self.other = other
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal static func value<S: Subscriber>(of type: S.Type) -> Value {
    { memory, input in
      let subscriber = alias(S.self, at: EmbeddedValue.place(of: S.self, in: memory))
      let value = alias(S.Input.self, at: input)
      let more = subscriber.receive(value)
      forget(value)
      forget(subscriber)
      return more
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal static func other<S: Subscriber>(of type: S.Type) -> Other {
    { memory, call, argument in
      let place = EmbeddedValue.place(of: S.self, in: memory)
      switch call {
      case .subscription:
        let subscriber = alias(S.self, at: place)
        subscriber.receive(subscription: argument.assumingMemoryBound(to: (any Subscription).self).pointee)
        forget(subscriber)
      case .completion:
        let subscriber = alias(S.self, at: place)
        subscriber.receive(
          completion: argument.assumingMemoryBound(to: Subscribers.Completion<S.Failure>.self).pointee)
        forget(subscriber)
      case .subscriber, .passed:
        show(place, call, in: argument)
      case .end:
        // In place, by way of its type: moved out, every pipeline would have code for it.
        place.deinitialize(count: 1)
        EmbeddedValue.free(place)
      }
    }
  }

  /// Returns the links that the type of the subscriber names.
  ///
  /// Called on any thread, while others deliver, and before there is a subscriber: so the calls get other memory in
  /// place of the subscriber's.
  internal static func passedLinks(_ other: Other) -> PassedLinks {
    var stand = EmbeddedValue()
    var links = PassedLinks()
    stand.withMemory { memory in
      // The address of a large subscriber, which is read, and not followed.
      memory.storeBytes(of: memory, as: UnsafeMutableRawPointer.self)
      _withUnprotectedUnsafeMutablePointer(to: &links) { other(memory, .passed, $0) }
    }
    return links
  }

  /// Not specialised: it is rarely used.
  ///
  /// One call for both matters, since each costs every pipeline some bytes.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  internal static func show<S: Subscriber>(
    _ place: UnsafeMutablePointer<S>, _ call: OtherCall, in answer: UnsafeMutableRawPointer
  ) {
    if case .passed = call {
      answer.assumingMemoryBound(to: PassedLinks.self).pointee.add(S.self)
    } else {
      answer.assumingMemoryBound(to: Any?.self).pointee = place.pointee.reflected(.subscriber)
    }
  }
}
