// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Reads the property of a key path: as fast as a closure that names it, where the compiler knows the key path.
///
/// The runtime takes a key path apart each time, which costs more than the rest of a pipeline. The optimiser replaces a
/// key path by the property only in a closure whose one capture is a key path that is used nowhere else. Hence there is
/// one closure, made where a user's literal is still in sight, and it also returns the key path.
@usableFromInline
package struct KeyPathReader<Root, Value> {
  /// Reads the property of a value; without one, it stores the key path.
  @usableFromInline
  internal typealias Access = (UnsafePointer<Root>?, UnsafeMutablePointer<KeyPath<Root, Value>?>?) -> Value?

  @usableFromInline internal let access: Access

  @_alwaysEmitIntoClient @inline(__always)
  package init(_ keyPath: __owned KeyPath<Root, Value>) {
    access = { root, answer in
      if let root { return root.pointee[keyPath: keyPath] }
      respond(to: answer) { keyPath }
      return nil
    }
  }

  @_alwaysEmitIntoClient
  package func callAsFunction(_ root: Root) -> Value {
    _withUnprotectedUnsafePointer(to: root) { access($0, nil).unsafelyUnwrapped }
  }

  @inlinable
  package var keyPath: KeyPath<Root, Value> {
    var keyPath: KeyPath<Root, Value>?
    _ = withUnsafeMutablePointer(to: &keyPath) { access(nil, $0) }
    return keyPath.unsafelyUnwrapped
  }
}

/// Stores a key path.
///
/// The key path comes through a function and a closure, so that it is not made where it is not wanted.
@inlinable @inline(never)
internal func respond<Path: AnyKeyPath>(to answer: UnsafeMutablePointer<Path?>?, _ keyPath: () -> Path) {
  answer?.pointee = keyPath()
}

/// Sets the property of a key path: as fast as a closure that names it, where the compiler knows the key path; see
/// ``KeyPathReader``.
@usableFromInline
package struct KeyPathWriter<Root, Value> {
  /// Sets the property of an object to a value; without one, it stores the key path.
  @usableFromInline
  internal typealias Access = (
    UnsafePointer<Root>?, UnsafePointer<Value>?, UnsafeMutablePointer<ReferenceWritableKeyPath<Root, Value>?>?
  ) -> Void

  @usableFromInline internal let access: Access

  @_alwaysEmitIntoClient @inline(__always)
  package init(_ keyPath: __owned ReferenceWritableKeyPath<Root, Value>) {
    access = { root, value, answer in
      if let root, let value {
        root.pointee[keyPath: keyPath] = value.pointee
      } else {
        respond(to: answer) { keyPath }
      }
    }
  }

  @_alwaysEmitIntoClient
  package func callAsFunction(_ root: Root, _ value: Value) {
    _withUnprotectedUnsafePointer(to: root) { root in
      _withUnprotectedUnsafePointer(to: value) { access(root, $0, nil) }
    }
  }

  @inlinable
  package var keyPath: ReferenceWritableKeyPath<Root, Value> {
    var keyPath: ReferenceWritableKeyPath<Root, Value>?
    withUnsafeMutablePointer(to: &keyPath) { access(nil, nil, $0) }
    return keyPath.unsafelyUnwrapped
  }
}
