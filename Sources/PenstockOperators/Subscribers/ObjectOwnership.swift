// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How an assignment refers to its object; see `assign(to:on:ownership:)`.
public enum ObjectOwnership: Sendable {
  /// Keeps the object alive until the stream ends or is cancelled.
  case strong

  /// Does not keep the object alive; values that arrive after its end are dropped.
  case weak

  /// Does not keep the object alive, and traps at a value that arrives after its end.
  ///
  /// Use it for an object that owns the cancellable, so that both end together.
  case unowned

  /// A closure that sets a property of an object.
  @inlinable @inline(__always)
  internal func setter<Root: AnyObject, Value>(
    of keyPath: consuming ReferenceWritableKeyPath<Root, Value>, on object: Root
  ) -> (Value) -> Void {
    let set = KeyPathWriter(keyPath)
    return switch self {
    case .strong: { set(object, $0) }
    case .weak: { [weak object] in if let object { set(object, $0) } }
    case .unowned: { [unowned object] in set(object, $0) }
    }
  }
}
