// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The identity of a subscriber or of a subscription along a stream.
///
/// An identifier made by ``init()`` is unique in the process; one made from an object is the same each time it is made
/// from that object, and differs from those of all other objects alive.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline
  internal let rawValue: UInt

  /// Makes an identifier that no other call has returned.
  @inlinable
  public init() {
    rawValue = uniqueNumber()
  }

  /// Makes the identifier of an object.
  ///
  /// - Parameter object: The object that the identifier stands for, as long as it lives.
  @inlinable
  public init(_ object: AnyObject) {
    rawValue = UInt(bitPattern: ObjectIdentifier(object))
  }

  /// The identifier in hexadecimal digits, after `0x`.
  public var description: String {
    "0x" + String(rawValue, radix: 16)
  }
}
