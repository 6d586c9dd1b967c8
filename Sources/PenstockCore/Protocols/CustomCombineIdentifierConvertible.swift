// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A type with an identity that stays the same along a stream: every subscriber and every subscription.
///
/// Classes get theirs for free. A structure stores one, made by `CombineIdentifier()` when it is created.
public protocol CustomCombineIdentifierConvertible {
  /// The identity of this subscriber or subscription.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identity of this object.
  public var combineIdentifier: CombineIdentifier {
    CombineIdentifier(self)
  }
}
