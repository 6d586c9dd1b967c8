// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber of an operator that nested operators of the same kind join.
@usableFromInline
internal protocol Joinable: Subscriber {
  /// The operator.
  var whole: SequentialSubscription { get }

  /// The subscriber of the operator's next upstream.
  static func part(of whole: SequentialSubscription) -> Self
}

extension Subscriber {
  /// The operator of which this subscriber is a part, possibly erased, if other operators can join it.
  @inlinable
  internal var joinable: SequentialSubscription? {
    if Self.self == AnySubscriber<Input, Failure>.self {
      return unsafeBitCast(self, to: AnySubscriber<Input, Failure>.self).box.joinable
    }
    guard let part = Self.self as? any Joinable.Type else { return nil }
    return whole(as: part)
  }

  /// The same for a known type: it avoids the box that casting the subscriber itself to an existential would allocate.
  @inlinable
  internal func whole<Part: Joinable>(as type: Part.Type) -> SequentialSubscription {
    unsafeBitCast(self, to: Part.self).whole
  }

  /// The subscriber of this type for an operator's next upstream, erased if this type is.
  ///
  /// A publisher in the operator's line gets its subscriber from here when its turn comes: if it kept one, the operator
  /// would keep itself alive.
  @inlinable
  internal static func subscriber(for whole: SequentialSubscription) -> Self {
    if Self.self == AnySubscriber<Input, Failure>.self, let erase = whole.erase {
      return unsafeBitCast(AnySubscriber<Input, Failure>(box: erase(whole)), to: Self.self)
    }
    // Only a part offers its operator for joining, so the cast succeeds.
    let part = Self.self as! any Joinable.Type
    return subscriber(for: whole, as: part)
  }

  @inlinable
  internal static func subscriber<Part: Joinable>(for whole: SequentialSubscription, as type: Part.Type) -> Self {
    unsafeBitCast(Part.part(of: whole), to: Self.self)
  }
}

extension ErasedSubscriber {
  @usableFromInline
  internal var joinable: SequentialSubscription? { (underlying as? any Joinable)?.whole }
}
