// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Subscriber {
  /// The operator that this subscriber is, or wraps, if parts of its kind join it.
  @inlinable
  internal var joinable: HandoverSubscription? {
    if Self.self == AnySubscriber<Input, Failure>.self {
      return unsafeBitCast(self, to: AnySubscriber<Input, Failure>.self).box.joinable
    }
    guard Self.self is HandoverSubscription.Type else { return nil }
    let whole = withUnsafePointer(to: self) { UnsafeRawPointer($0).load(as: HandoverSubscription.self) }
    return whole.erase == nil ? nil : whole
  }

  /// The subscriber of this type that an operator is, or is wrapped in.
  ///
  /// What waits in the operator's line gets the subscriber from here when its turn comes: if it kept one, the operator
  /// would keep itself.
  @inlinable
  internal static func subscriber(for whole: HandoverSubscription) -> Self {
    if Self.self == AnySubscriber<Input, Failure>.self, let erase = whole.erase {
      return unsafeBitCast(AnySubscriber<Input, Failure>(box: erase(whole)), to: Self.self)
    }
    return unsafeBitCast(whole, to: Self.self)
  }
}

extension ErasedSubscriber {
  @usableFromInline
  internal var joinable: HandoverSubscription? {
    guard let whole = underlying as? HandoverSubscription, whole.erase != nil else { return nil }
    return whole
  }
}
