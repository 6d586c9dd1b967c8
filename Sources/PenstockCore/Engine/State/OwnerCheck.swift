// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if PENSTOCK_CHECKS
  public import Synchronization
#endif

/// Asserts, in builds with the define `PENSTOCK_CHECKS`, that one thread at a time is in the sections of code that use a
/// set of plain variables.
///
/// A field with `@exclusivity(unchecked)` belongs to an owner: the thread that upstream delivers on, the thread that
/// runs a loop. The compiler does not check that, and run-time checks of exclusivity cost as much as a call. An object
/// with such fields has one of these for each owner that no ``DrainLoop`` stands for, and its sections begin with
/// ``enter(_:)`` and end with ``leave(_:)``. Sections of one thread may nest.
///
/// Without the define this is an empty structure with empty functions.
@usableFromInline
package struct OwnerCheck: ~Copyable, Sendable {
  @usableFromInline internal let variables = OwnedVariables()
  #if PENSTOCK_CHECKS
    /// The thread that is in a section, or zero.
    @usableFromInline internal let owner = AtomicCell<UInt>(0)
  #endif

  @_alwaysEmitIntoClient
  package init() {}

  /// Begins a section.
  ///
  /// - Parameter what: A description of the section, for the message of a trap.
  /// - Returns: Whether the section is not nested in another one; to be passed to ``leave(_:)``.
  @_alwaysEmitIntoClient @inline(__always)
  package borrowing func enter(_ what: StaticString) -> Bool {
    variables.access()
    #if PENSTOCK_CHECKS
      return claim(what)
    #else
      return true
    #endif
  }

  /// Ends a section.
  @_alwaysEmitIntoClient @inline(__always)
  package borrowing func leave(_ isOutermost: Bool) {
    #if PENSTOCK_CHECKS
      if isOutermost { owner.store(0, ordering: .releasing) }
    #endif
  }

  #if PENSTOCK_CHECKS
    /// Not inlinable, because client code must not compute a thread's number; see ``currentThread()``.
    @usableFromInline
    internal borrowing func claim(_ what: StaticString) -> Bool {
      let thread = currentThread()
      let (exchanged, found) = owner.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
      if !exchanged, found != thread { trap(.brokenInvariant("two threads at a time are in \(what)")) }
      return exchanged
    }
  #endif
}

/// Stops the process, in builds with the define `PENSTOCK_CHECKS`, if a statement about the library's own state is false.
@inlinable @inline(__always)
package func assertInvariant(_ condition: @autoclosure () -> Bool, _ statement: @autoclosure () -> String) {
  #if PENSTOCK_CHECKS
    if !condition() { trap(.brokenInvariant(statement() + " does not hold")) }
  #endif
}
