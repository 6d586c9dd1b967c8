// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The identity of a subscriber or a subscription.
///
/// An identifier created by ``init()`` is unique in the process; identifiers created from one object are equal, and
/// differ from those of all other living objects.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// Of Combine's type, which a mirror shows.
  @usableFromInline
  internal let rawValue: UInt64

  /// Creates a unique identifier.
  @inlinable
  public init() {
    rawValue = UInt64(uniqueNumber())
  }

  /// Creates the identifier of an object.
  ///
  /// - Parameter object: The object to identify, as long as it lives.
  @inlinable
  public init(_ object: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
  }

  /// The identifier in hexadecimal digits, after `0x`.
  public var description: String {
    "0x" + String(rawValue, radix: 16)
  }
}
