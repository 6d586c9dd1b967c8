// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscriber of an operator that parts of its kind join.
@usableFromInline
internal protocol Joinable: Subscriber {
  /// The operator.
  var whole: HandoverSubscription { get }

  /// The subscriber of the operator's next upstream.
  static func part(of whole: HandoverSubscription) -> Self
}

extension Subscriber {
  /// The operator that this subscriber is a part of, or wraps a part of, if others of its kind join it.
  @inlinable
  internal var joinable: HandoverSubscription? {
    if Self.self == AnySubscriber<Input, Failure>.self {
      return unsafeBitCast(self, to: AnySubscriber<Input, Failure>.self).box.joinable
    }
    guard let part = Self.self as? any Joinable.Type else { return nil }
    return whole(as: part)
  }

  /// The same, without the box that a cast of the subscriber itself would need.
  @inlinable
  internal func whole<Part: Joinable>(as type: Part.Type) -> HandoverSubscription {
    unsafeBitCast(self, to: Part.self).whole
  }

  /// The subscriber of this type for the next upstream of an operator, which it may be wrapped in.
  ///
  /// What waits in the operator's line gets the subscriber from here when its turn comes: if it kept one, the operator
  /// would keep itself.
  @inlinable
  internal static func subscriber(for whole: HandoverSubscription) -> Self {
    if Self.self == AnySubscriber<Input, Failure>.self, let erase = whole.erase {
      return unsafeBitCast(AnySubscriber<Input, Failure>(box: erase(whole)), to: Self.self)
    }
    // Only a part has been told which operator it may join.
    let part = Self.self as! any Joinable.Type
    return subscriber(for: whole, as: part)
  }

  @inlinable
  internal static func subscriber<Part: Joinable>(for whole: HandoverSubscription, as type: Part.Type) -> Self {
    unsafeBitCast(Part.part(of: whole), to: Self.self)
  }
}

extension ErasedSubscriber {
  @usableFromInline
  internal var joinable: HandoverSubscription? { (underlying as? any Joinable)?.whole }
}
