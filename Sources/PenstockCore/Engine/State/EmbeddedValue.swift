// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Memory for one value of any type, in an object whose class is not generic.
///
/// So no metadata is made for a pipeline, and none is looked up when the object is freed. The type is known to closures that
/// are made where it is concrete; all calls for one memory have to name the same type.
///
/// A value of more than nine words is stored on the heap. The owner removes the value before it is freed.
@usableFromInline
package struct EmbeddedValue: ~Copyable {
  /// The memory of a small value, or in the first word the address of a large one.
  ///
  /// Pointers, not numbers, for the reason given at ``ValueSlot``.
  @usableFromInline
  internal typealias Memory = (Word, Word, Word, Word, Word, Word, Word, Word, Word)
  @usableFromInline
  internal typealias Word = UnsafeMutableRawPointer?

  @usableFromInline internal var memory: Memory = (nil, nil, nil, nil, nil, nil, nil, nil, nil)
  /// Whether there is a value.
  @usableFromInline package internal(set) var isFull = false

  @_alwaysEmitIntoClient
  package init() {}

  @_alwaysEmitIntoClient @inline(__always)
  internal static func isSmall<Value>(_ type: Value.Type) -> Bool {
    MemoryLayout<Value>.size <= MemoryLayout<Memory>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<Memory>.alignment
  }

  /// The value's place.
  @_alwaysEmitIntoClient @inline(__always)
  internal static func place<Value>(of type: Value.Type, in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<
    Value
  > {
    isSmall(Value.self)
      ? memory.assumingMemoryBound(to: Value.self) : memory.load(as: UnsafeMutablePointer<Value>.self)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal mutating func withMemory<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
    _withUnprotectedUnsafeMutablePointer(to: &memory) { body(UnsafeMutableRawPointer($0)) }
  }

  /// Stores a value; there must be none.
  @inlinable @inline(__always)
  package mutating func put<Value>(_ value: consuming Value) {
    var place: UnsafeMutablePointer<Value>?
    withMemory { memory in
      if !Self.isSmall(Value.self) {
        memory.storeBytes(of: UnsafeMutablePointer<Value>.allocate(capacity: 1), as: UnsafeMutablePointer<Value>.self)
      }
      place = Self.place(of: Value.self, in: memory)
    }
    place.unsafelyUnwrapped.initialize(to: value)
    isFull = true
  }

  /// Frees the value's place, after the value has been moved out or deinitialised.
  @_alwaysEmitIntoClient @inline(__always)
  internal static func free<Value>(_ place: UnsafeMutablePointer<Value>) {
    if !isSmall(Value.self) { place.deallocate() }
  }

  /// Removes the value, if there is one.
  @inlinable @inline(__always)
  package mutating func take<Value>(_ type: Value.Type) -> Value? {
    guard isFull else { return nil }
    isFull = false
    return withMemory { memory in
      let place = Self.place(of: Value.self, in: memory)
      let value = place.move()
      Self.free(place)
      return value
    }
  }
}
