// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscriber of a target that does not reside: there is none.
@usableFromInline
internal struct NoResident<Input, Failure: Error>: Subscriber {
  internal let nothing: Never

  @usableFromInline
  internal var combineIdentifier: CombineIdentifier { switch nothing {} }

  @usableFromInline
  internal func receive(subscription: any Subscription) {}

  @usableFromInline
  internal func receive(_ input: Input) -> Subscribers.Demand { switch nothing {} }

  @usableFromInline
  internal func receive(completion: Subscribers.Completion<Failure>) {}
}

/// A target that does not reside.
@usableFromInline
internal protocol UnsettledTarget: _FusionTarget where Resident == NoResident<Input, Failure> {}

extension UnsettledTarget {
  @_alwaysEmitIntoClient @inline(__always)
  internal var _resides: Bool { false }

  @usableFromInline
  internal __consuming func _makeResident(in subscription: Unmanaged<_CancellableObject>) -> Resident {
    trap(.brokenInvariant("a source keeps a subscriber that does not reside"))
  }

  @usableFromInline
  internal static func _answer(_ subscription: __owned some Subscription & AnyObject) -> Answer {
    trap(.brokenInvariant("a source has attached a subscriber that does not reside"))
  }
}
