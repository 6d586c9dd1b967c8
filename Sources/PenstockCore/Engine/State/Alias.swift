// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A value that the caller keeps alive, used without counting its references.
//
// The compiler cannot know that memory behind a pointer stays unchanged during a call, so `pointee` would retain the value
// before the call and release it afterwards. Here the bits are taken, and afterwards forgotten instead of released.
// There are two functions, not one with a closure: they are on the path of each value in each pipeline, and each
// closure would be three functions for the optimiser.

/// Returns the value at a place, by its bits; ``forget(_:)`` has to be called for it.
@inlinable @inline(__always)
package func alias<Value>(_ type: Value.Type, at place: UnsafeRawPointer) -> Value {
  let place = place.assumingMemoryBound(to: Value.self)
  return hasAliases(Value.self) ? UnsafeMutablePointer(mutating: place).move() : place.pointee
}

/// Releases the bits of a value that ``alias(_:at:)`` has taken, instead of releasing it: its owner still has it.
@inlinable @inline(__always)
package func forget<Value>(_ value: consuming Value) {
  guard hasAliases(Value.self) else { return }
  var memory = AliasMemory()
  store(value, in: &memory)
}

/// Memory that is never read: what is stored in it is optimised away.
///
/// As large as a sink with the stages of six operators that reside together.
@usableFromInline
internal struct AliasMemory {
  @usableFromInline internal typealias Half = (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt)

  @usableFromInline internal var words: (Half, Half) = ((0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0))

  @_alwaysEmitIntoClient @inline(__always)
  internal init() {}
}

/// Whether the bits of a value are the value; a value larger than the memory is retained after all.
@inlinable @inline(__always)
internal func hasAliases<Value>(_ type: Value.Type) -> Bool {
  !_isPOD(Value.self) && _isBitwiseTakable(Value.self) && MemoryLayout<Value>.size <= MemoryLayout<AliasMemory>.size
    && MemoryLayout<Value>.alignment <= MemoryLayout<AliasMemory>.alignment
}

@inlinable @inline(__always)
internal func store<Value>(_ value: consuming Value, in memory: UnsafeMutableRawPointer) {
  memory.assumingMemoryBound(to: Value.self).initialize(to: value)
}
