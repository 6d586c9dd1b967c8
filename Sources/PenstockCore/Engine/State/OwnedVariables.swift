// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Stands for the plain variables that belong to one owner, such as the thread that runs a loop.
///
/// A test's scheduler of interleavings learns from it which thread uses them, and whether anything orders the uses of
/// two threads. In all other builds this is an empty structure with an empty function.
@usableFromInline
package struct OwnedVariables: ~Copyable, Sendable {
  #if PENSTOCK_EXPLORER
    @usableFromInline internal let cell = InterleavedCell(0)
  #endif

  @_alwaysEmitIntoClient
  package init() {}

  /// Notes that the calling thread uses the variables.
  @_alwaysEmitIntoClient @inline(__always)
  package borrowing func access() {
    #if PENSTOCK_EXPLORER
      cell.access()
    #endif
  }
}
