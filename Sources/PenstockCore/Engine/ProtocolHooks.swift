// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The requirements of the engine on Combine's protocols and values beyond their public interface: the rest of the
// engine uses that interface alone, and no type that is a publisher's, an operator's or a subscriber's.
// `Utilities/layers` checks that.

// MARK: Publishers

/// The service that a publisher offers to code that is about to subscribe to it; see ``_FusionTarget``.
@frozen
public enum _Offer: Sendable {
  /// Nothing: it is subscribed to.
  case nothing
  /// It keeps the end of a chain in its own subscription.
  case end
  /// It is a subject, or an operator on one: it keeps a whole chain, also one that ends its stream itself.
  case chain
  /// It may have its values at hand, as it finds out when it is asked.
  case values
  /// It has all its values at hand, and hands them over as a sequence.
  case elements
}

/// A subscriber that can be erased with the code that its operator has for that.
public protocol _TurnSubscriber: Subscriber {
  var _erased: AnySubscriber<Input, Failure> { get }
}

extension Publisher {
  /// Attaches a subscriber together with everything upstream; see ``_SubscriberPlace``.
  @inlinable @inline(never)
  internal func attach<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
    receive(subscriber: subscriber)
  }

  /// Attaches an operator whose type does not name its downstream.
  @_alwaysEmitIntoClient @inline(__always)
  package func subscribe<S: Subscriber, Downstream: Subscriber>(_ subscriber: S, upstreamOf downstream: Downstream.Type)
  where Failure == S.Failure, Output == S.Input {
    if Downstream._place.upstream.isBeginning, !isUnobserved { return Tapped.attach(subscriber, to: self) }
    if Downstream._place.upstream.isApart { return attach(subscriber) }
    receive(subscriber: subscriber)
  }

  /// Attaches an operator to one of its several upstreams.
  ///
  /// In a function of its own: all upstreams of an operator, inlined into one function, are more than the optimiser can take.
  @_alwaysEmitIntoClient @inline(__always)
  package func subscribe<S: Subscriber, Downstream: Subscriber>(
    oneOfSeveral subscriber: S, upstreamOf downstream: Downstream.Type
  )
  where Failure == S.Failure, Output == S.Input {
    if Downstream._place.upstream.isBeginning, !isUnobserved { return Tapped.attach(subscriber, to: self) }
    attach(subscriber)
  }

  /// Attaches an operator whose type does not name its downstream, and that may be attached at any time.
  @_alwaysEmitIntoClient @inline(__always)
  package func subscribe<S: Subscriber, Downstream: Subscriber>(
    first subscriber: S, upstreamOf downstream: Downstream.Type
  )
  where Failure == S.Failure, Output == S.Input {
    if !isUnobserved { return Tapped.attach(subscriber, to: self) }
    if Downstream._place.upstream.isApart { return attach(subscriber) }
    receive(subscriber: subscriber)
  }

  @inlinable @inline(never)
  public func _subscribe<S: _TurnSubscriber>(inTurn subscriber: S) where Failure == S.Failure, Output == S.Input {
    subscribe(subscriber)
  }
}

extension ConnectablePublisher {
  @inlinable
  public func _connect(
    _ announce: (any Cancellable) -> Void
  ) -> (connection: any Cancellable, phase: _ConnectionPhase) { (connect(), .live) }
}

/// The state of a connection that has just been made.
public enum _ConnectionPhase: Sendable {
  /// Values may follow.
  case live
  /// Upstream has ended on its own.
  case over
  /// Upstream has ended on its own, and every subscriber receives the end from now on.
  case ended
}

// MARK: Subscribers

/// Where a subscriber stands in a chain of operators.
///
/// A chain is attached in one go. So two things are done once, where a chain begins, and not again for each link.
///
/// - The library checks whether the chain is shown to introspections: the code that shows a subscription is larger than
///   the code that subscribes. If it is shown, a tap is downstream of the next operator, which for the library is
///   another beginning; the same happens at every further operator of the chain.
/// - A function of its own attaches the rest of the chain. All of a chain is inlined into one function, and together
///   with the code that makes the chain and its subscriber that is more than the optimiser's analyses of lifetimes can
///   take: the compiler stops. A function for each link does not help, since the specialiser gives up after a few of
///   them.
@frozen
public enum _SubscriberPlace: Sendable {
  /// It is not the library's, or a tap, or erased.
  case foreign
  /// It is an end of a chain, one of the library's: the code that makes it attaches it in a function of its own.
  case end
  /// It is an operator's, directly upstream of a subscriber that is not the library's.
  case opening
  /// It is an operator's, directly upstream of one that may be attached at any time, or next to others.
  case continuation
  /// It is an operator's that may be attached at any time, or next to others.
  case first
  /// It is an operator's that is attached at once after the one downstream of it.
  case link

  /// The place of an operator upstream of this one, if it is attached at once.
  @_alwaysEmitIntoClient
  package var upstream: _SubscriberPlace {
    switch self {
    case .foreign: .opening
    case .first: .continuation
    case .end, .opening, .continuation, .link: .link
    }
  }

  /// Whether a function of its own attaches a subscriber in this place.
  @_alwaysEmitIntoClient
  package var isApart: Bool {
    switch self {
    case .end, .opening, .continuation, .first: true
    case .foreign, .link: false
    }
  }

  /// Whether nothing but the object that erases a subscriber in this place would report it to whoever looks: it is the user's,
  /// or an operator's that keeps nothing.
  @_alwaysEmitIntoClient
  package var isUnreported: Bool {
    switch self {
    case .foreign, .opening, .continuation: true
    case .end, .first, .link: false
    }
  }

  /// Whether the library looks if a chain is shown before it attaches a subscriber in this place.
  ///
  /// Not upstream of an operator: had it been shown, a tap would be in its place.
  @_alwaysEmitIntoClient
  package var isBeginning: Bool {
    switch self {
    case .foreign, .end, .opening, .first: true
    case .continuation, .link: false
    }
  }
}

extension Subscriber {
  @inlinable @inline(__always)
  public static var _takesRuns: Bool { false }

  @inlinable
  public func _receiveRun(_ next: () -> Input?) {
    while let input = next() { _ = receive(input) }
  }

  @inlinable
  public func _join<Prefix: Publisher, Suffix: Publisher>(_ prefix: Prefix, followedBy suffix: Suffix) -> Bool
  where Prefix.Output == Input, Prefix.Failure == Failure, Suffix.Output == Input, Suffix.Failure == Failure { false }

  @inlinable @inline(__always)
  public static var _place: _SubscriberPlace { .foreign }
}

extension AnySubscriber {
  /// The object that stands for the subscriber.
  @_alwaysEmitIntoClient @inline(__always)
  internal var erasure: ErasedSubscriber { box }

  @_alwaysEmitIntoClient @inline(__always)
  internal init(erasure: ErasedSubscriber) { self.init(box: erasure) }
}

extension CombineIdentifier {
  /// Creates the identifier of a subscriber without an object of its own, from that of its downstream.
  ///
  /// The next number: one inside the object with the identifier, or one that ``init()`` leaves out.
  @usableFromInline
  internal init(upstreamOf downstream: CombineIdentifier) {
    rawValue = downstream.rawValue + 1
  }
}

// MARK: Subscriptions

/// An object that an ``AnyCancellable`` cancels without a further object in between.
///
/// A class, and not a protocol: one word then refers to the object and to the code of its cancel. Not to be subclassed
/// outside of the library.
public class _CancellableObject: Cancellable {
  @_alwaysEmitIntoClient
  internal init() {}

  /// Cancels the activity.
  public func cancel() {}
}

extension Subscription {
  @inlinable
  public var _object: _CancellableObject? { nil }
}

// MARK: Demand and completions

extension Subscribers.Demand {
  /// The count, or ``unlimitedCount``, in a word.
  @_alwaysEmitIntoClient @inline(__always)
  package var count: UInt { rawValue }

  /// One more than the largest finite demand.
  @_alwaysEmitIntoClient @inline(__always)
  package static var unlimitedCount: UInt { unlimitedRawValue }

  /// A demand for a number of values; any number above the finite range is unlimited.
  @_alwaysEmitIntoClient @inline(__always)
  package init(count: UInt) { self.init(rawValue: count) }

  @_alwaysEmitIntoClient
  package var isUnlimited: Bool { rawValue == Self.unlimitedRawValue }
}

extension Subscribers.Completion {
  /// The same completion, with its error transformed by a closure.
  @inlinable
  package func mapError<NewFailure: Error>(
    _ transform: (Failure) -> NewFailure
  ) -> Subscribers.Completion<NewFailure> {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(transform(error))
    }
  }
}
