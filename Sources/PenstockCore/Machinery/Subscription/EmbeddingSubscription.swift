// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscription that stores its subscriber, of any type, in its own memory.
///
/// What depends on the subscriber's type is in two closures, which are made where it is concrete and capture nothing. See
/// ``EmbeddedValue`` for the memory, and ``ErasedSubscriber`` for the closures' arguments.
///
/// The memory is initialised by ``embed(_:)`` and deinitialised by ``disembed()``, or when the subscription is freed. A
/// subclass calls what delivers only in between.
@usableFromInline
package class EmbeddingSubscription: BaseSubscription {
  @usableFromInline
  internal typealias Value = (UnsafeMutableRawPointer, UnsafeRawPointer) -> Subscribers.Demand
  @usableFromInline
  internal typealias Other = (UnsafeMutableRawPointer, Matter, UnsafeMutableRawPointer) -> Void

  /// What a call of ``other`` is about.
  @usableFromInline
  internal enum Matter: Sendable {
    /// The argument is an `any Subscription`.
    case subscription
    /// The argument is a completion.
    case completion
    /// The argument is an `Any?`, which becomes the subscriber.
    case subscriber
    /// The subscriber's memory is to be deinitialised.
    case end
  }

  @usableFromInline internal let value: Value
  @usableFromInline internal let other: Other
  @exclusivity(unchecked) @usableFromInline internal var embedded = EmbeddedValue()
  /// Whether a delivery is over when downstream's `receive` has returned: whether downstream is synchronous.
  @usableFromInline package let downstreamIsSynchronous: Bool

  @usableFromInline
  internal init(isSynchronous: Bool, value: @escaping Value, other: @escaping Other) {
    downstreamIsSynchronous = isSynchronous
    self.value = value
    self.other = other
  }

  deinit { disembed() }

  // MARK: Storing

  /// Whether the subscriber is stored.
  @inlinable
  package final var hasSubscriber: Bool { embedded.isFull }

  @inlinable @inline(__always)
  internal final func withMemory<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    embedded.withMemory(body)
  }

  /// Stores the subscriber for which the closures have been made.
  @inlinable @inline(__always)
  internal final func embed<S: Subscriber>(_ subscriber: S) { embedded.put(subscriber) }

  /// Releases the subscriber; called when no delivery is running and none will start.
  @usableFromInline
  package final func disembed() {
    guard embedded.isFull else { return }
    embedded.isFull = false
    withMemory { other($0, .end, $0) }
  }

  /// The subscriber, for mirrors; only while it is stored.
  @usableFromInline
  package final var underlying: Any? {
    var subscriber: Any?
    if hasSubscriber {
      withMemory { memory in _withUnprotectedUnsafeMutablePointer(to: &subscriber) { other(memory, .subscriber, $0) } }
    }
    return subscriber
  }

  // MARK: Delivering

  /// Delivers a subscription, which is this one in all cases but one: a stream that was over before.
  @usableFromInline
  package final func deliver(subscription: any Subscription) {
    withMemory { memory in
      _withUnprotectedUnsafePointer(to: subscription) {
        other(memory, .subscription, UnsafeMutableRawPointer(mutating: $0))
      }
    }
  }

  @inlinable @inline(__always)
  package final func deliver<Input>(value input: borrowing Input) -> Subscribers.Demand {
    _withUnprotectedUnsafePointer(to: input) { input in withMemory { value($0, UnsafeRawPointer(input)) } }
  }

  @inlinable
  package final func deliver<Failure: Error>(ending completion: Subscribers.Completion<Failure>) {
    withMemory { memory in
      _withUnprotectedUnsafePointer(to: completion) {
        other(memory, .completion, UnsafeMutableRawPointer(mutating: $0))
      }
    }
  }

  // MARK: The closures

  @inlinable @inline(__always)
  internal static func value<S: Subscriber>(for type: S.Type) -> Value {
    { memory, input in
      let subscriber = alias(S.self, at: EmbeddedValue.place(of: S.self, in: memory))
      let value = alias(S.Input.self, at: input)
      let more = subscriber.receive(value)
      forget(value)
      forget(subscriber)
      return more
    }
  }

  @inlinable @inline(__always)
  internal static func other<S: Subscriber>(for type: S.Type) -> Other {
    { memory, matter, argument in
      let place = EmbeddedValue.place(of: S.self, in: memory)
      switch matter {
      case .subscription:
        let subscriber = alias(S.self, at: place)
        subscriber.receive(subscription: argument.assumingMemoryBound(to: (any Subscription).self).pointee)
        forget(subscriber)
      case .completion:
        let subscriber = alias(S.self, at: place)
        subscriber.receive(
          completion: argument.assumingMemoryBound(to: Subscribers.Completion<S.Failure>.self).pointee)
        forget(subscriber)
      case .subscriber:
        show(place, in: argument)
      case .end:
        place.deinitialize(count: 1)
        EmbeddedValue.free(place)
      }
    }
  }

  /// Not specialised: it is rarely used.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  internal static func show<S: Subscriber>(_ place: UnsafeMutablePointer<S>, in answer: UnsafeMutableRawPointer) {
    answer.assumingMemoryBound(to: Any?.self).pointee = place.pointee.reflected(.subscriber)
  }
}
