// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Makes the texts of values, as `String(describing:)` does.
///
/// That asks each value anew what it conforms to. Where the type alone says it, it is asked once here.
@usableFromInline
package struct Describer<Value> {
  @usableFromInline package let describe: (Value) -> String

  @inlinable
  package init() {
    describe = Self.descriptionOfType ?? { String(describing: $0) }
  }

  /// The description, if that is what all values of the type print.
  ///
  /// Not for classes, whose subclasses may conform to more, and not for what writes itself.
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
