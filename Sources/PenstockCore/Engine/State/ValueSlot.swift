// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A place for at most one value, in an object that is usually freed without one.
///
/// An optional in a generic class would make the layout of the class depend on the type, and the code that frees an
/// object, which is not specialised, look the type of the optional up each time: 600 instructions. This place has a fixed
/// layout, and an empty one costs nothing to free.
///
/// A value of up to two words is stored inline, a larger one on the heap, in memory that is kept for the next.
///
/// The memory is declared as pointers, not as numbers: the optimiser assumes that no object is reachable through
/// numbers, and would allocate an object on the stack of the function that only puts it here.
///
/// The owner of a place calls ``empty()`` in its `deinit`, if ``isUsed``.
@usableFromInline
package struct ValueSlot<Value>: ~Copyable {
  @usableFromInline internal typealias Memory = (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)

  /// The memory of a small value, or in the first word the address of that for large ones.
  @usableFromInline internal var memory: Memory = (nil, nil)
  @usableFromInline package internal(set) var isFull = false
  /// Whether there is memory on the heap.
  @usableFromInline internal var hasHeap = false

  @_alwaysEmitIntoClient
  package init() {}

  /// Whether there is something to free.
  @_alwaysEmitIntoClient
  package var isUsed: Bool { isFull || hasHeap }

  @_alwaysEmitIntoClient
  internal static var isSmall: Bool {
    MemoryLayout<Value>.size <= MemoryLayout<Memory>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal mutating func withPlace<Result>(_ body: (UnsafeMutablePointer<Value>) -> Result) -> Result {
    _withUnprotectedUnsafeMutablePointer(to: &memory) { memory in
      let memory = UnsafeMutableRawPointer(memory)
      return body(
        Self.isSmall
          ? memory.assumingMemoryBound(to: Value.self) : memory.load(as: UnsafeMutablePointer<Value>.self))
    }
  }

  /// Stores a value; the place must be empty.
  @_alwaysEmitIntoClient
  package mutating func put(_ value: Value) {
    if !Self.isSmall, !hasHeap {
      memory.0 = UnsafeMutableRawPointer(UnsafeMutablePointer<Value>.allocate(capacity: 1))
      hasHeap = true
    }
    withPlace { $0.initialize(to: value) }
    isFull = true
  }

  /// Removes the value; the place must be full.
  @inlinable
  package mutating func take() -> Value {
    isFull = false
    return withPlace { $0.move() }
  }

  /// Removes the value, if there is one.
  @_alwaysEmitIntoClient
  package mutating func takeIfFull() -> Value? { isFull ? take() : nil }

  /// A copy of the value; the place must be full.
  @inlinable
  package mutating func copy() -> Value { withPlace { $0.pointee } }

  /// A copy of the value, if there is one.
  @_alwaysEmitIntoClient
  package mutating func copyIfFull() -> Value? { isFull ? copy() : nil }

  /// Stores a value in place of the present one, if there is one.
  ///
  /// - Returns: The replaced value, for the caller to release when nothing depends on it any more; `nil` if there is
  ///   nothing to release.
  @inlinable
  package mutating func replace(with value: Value) -> Value? {
    guard isFull, !_isPOD(Value.self) else {
      put(value)
      return nil
    }
    return withPlace { exchange(&$0.pointee, with: value) }
  }

  /// Releases the value, if there is one, and the memory.
  @usableFromInline
  package mutating func empty() {
    let wasFull = isFull
    // Empty before the value is released, which may run the user's code.
    isFull = false
    // Without an optional, whose type would be looked up.
    if wasFull, !_isPOD(Value.self) {
      let value = withPlace { $0.move() }
      free()
      withExtendedLifetime(value) {}
    } else {
      free()
    }
  }

  internal mutating func free() {
    guard hasHeap else { return }
    hasHeap = false
    withPlace { $0.deallocate() }
  }
}
