// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Makes descriptions of values, as `String(describing:)` does.
///
/// `String(describing:)` looks up the conformances of each value. This looks them up once, where the type alone
/// decides.
@usableFromInline
package struct Describer<Value> {
  @usableFromInline package let describe: (Value) -> String

  @inlinable
  package init() {
    describe = Self.descriptionOfType ?? { String(describing: $0) }
  }

  /// The function that describes every value of the type, if there is one.
  ///
  /// There is none for classes, whose subclasses may conform to more protocols, and for types that are
  /// `TextOutputStreamable`.
  @usableFromInline
  internal static var descriptionOfType: ((Value) -> String)? {
    if Value.self is AnyClass || Value.self is any TextOutputStreamable.Type { return nil }
    guard let type = Value.self as? any CustomStringConvertible.Type else { return nil }
    return description(of: type)
  }

  private static func description<Same: CustomStringConvertible>(of type: Same.Type) -> (Value) -> String {
    { withUnsafePointer(to: $0) { UnsafeRawPointer($0).assumingMemoryBound(to: Same.self).pointee.description } }
  }
}
