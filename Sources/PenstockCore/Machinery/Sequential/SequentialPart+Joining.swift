// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Subscriber {
  /// Adds two publishers to the enclosing operator of the same kind, if this subscriber belongs to one.
  ///
  /// However deeply operators are nested, one of them then stands between a value and the subscriber; and since its
  /// loop subscribes to all parts, the nesting does not grow the stack.
  ///
  /// - Returns: Whether there is such an operator, and it awaits an upstream.
  @inlinable
  package func join<Prefix: Publisher, Suffix: Publisher>(_ prefix: Prefix, followedBy suffix: Suffix) -> Bool
  where Prefix.Output == Input, Prefix.Failure == Failure, Suffix.Output == Input, Suffix.Failure == Failure {
    guard Self._mayBeJoined, let sequence = joinableSequence else { return false }
    return sequence.startNext(
      { prefix.subscribe(Self.subscriber(in: $0)) }, before: { suffix.subscribe(Self.subscriber(in: $0)) })
  }

  /// The operator of which this subscriber is a part, possibly erased, if other operators can join it.
  @inlinable
  internal var joinableSequence: SequentialSubscription? {
    if Self.self == AnySubscriber<Input, Failure>.self {
      return unsafeBitCast(self, to: AnySubscriber<Input, Failure>.self).box.joinableSequence
    }
    guard let part = Self.self as? any Joinable.Type else { return nil }
    return sequence(as: part)
  }

  /// The same for a known type: it avoids the box that casting the subscriber itself to an existential would allocate.
  @inlinable
  internal func sequence<Part: Joinable>(as type: Part.Type) -> SequentialSubscription {
    unsafeBitCast(self, to: Part.self).sequence
  }

  /// The subscriber of this type for an operator's next upstream, erased if this type is.
  ///
  /// A publisher that waits for its turn gets its subscriber only then: if it kept one, the operator would keep itself
  /// alive.
  @inlinable
  internal static func subscriber(in sequence: SequentialSubscription) -> Self {
    if Self.self == AnySubscriber<Input, Failure>.self, let erase = sequence.erase {
      return unsafeBitCast(AnySubscriber<Input, Failure>(box: erase(sequence)), to: Self.self)
    }
    // Only a part offers its operator for joining, so the cast succeeds.
    let part = Self.self as! any Joinable.Type
    return subscriber(in: sequence, as: part)
  }

  @inlinable
  internal static func subscriber<Part: Joinable>(in sequence: SequentialSubscription, as type: Part.Type) -> Self {
    unsafeBitCast(Part.part(of: sequence), to: Self.self)
  }
}

/// A subscriber of an operator that nested operators of the same kind join.
@usableFromInline
internal protocol Joinable: Subscriber {
  /// The operator.
  var sequence: SequentialSubscription { get }

  /// The subscriber of the operator's next upstream.
  static func part(of sequence: SequentialSubscription) -> Self
}

extension SequentialPart: Joinable {
  @inlinable
  package static var _mayBeJoined: Bool { true }

  @inlinable
  internal var sequence: SequentialSubscription { subscription }

  @inlinable
  internal static func part(of sequence: SequentialSubscription) -> Self { Self(.typed(sequence)) }
}

extension AnySubscriber {
  /// The subscriber in it may be one.
  @inlinable
  public static var _mayBeJoined: Bool { true }
}

extension ErasedSubscriber {
  @usableFromInline
  internal var joinableSequence: SequentialSubscription? { (underlying as? any Joinable)?.sequence }
}
