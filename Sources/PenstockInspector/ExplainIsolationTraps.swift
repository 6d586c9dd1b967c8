// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Inspector {
  /// Has the process say which operator has called a closure of an actor on another thread, before that stops the process.
  ///
  /// Call it once, where the program begins:
  ///
  /// ```swift
  /// Inspector.explainIsolationTraps()
  /// ```
  ///
  /// The runtime stops a process in which a closure that belongs to an actor is called elsewhere, and on Linux it says
  /// nothing: the backtrace has `_dispatch_assert_queue_fail`. After this call the process writes to standard error the
  /// operator, the closure, the thread, what has sent the value and what to do, and the runtime adds the file and the line
  /// of the closure. The process stops as before.
  ///
  /// It works in a debug build, on Linux with Glibc, with Swift 6.3 or newer, and where the functions of the program can be
  /// read from its file. In any other case the call does nothing. It uses the runtime's hook for such questions, unless the
  /// process has set that already.
  ///
  /// **Concurrency:** may be called on any thread, and more than once.
  ///
  /// - Returns: Whether the process will say so.
  @discardableResult
  public static func explainIsolationTraps() -> Bool {
    // Glibc only: elsewhere nothing is said.
    #if DEBUG && canImport(Glibc) && compiler(>=6.3) && !PENSTOCK_TSAN
      IsolationTrap.isInstalled
    #else
      false
    #endif
  }
}
