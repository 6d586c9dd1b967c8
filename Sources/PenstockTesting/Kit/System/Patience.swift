// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How long the kit waits for a call that should return at once, before it treats the call as one that never does.
enum Patience {
  /// For one call of the subject's, which has nothing to wait for: long enough for a machine that is busy with other things.
  static let call = 5_000
  /// For an answer of a subject that delivers on threads of its own.
  static let answer = 1_000
  /// For all of a check.
  static let check = 8_000
  /// For all of a check that runs in the process of the tests.
  static let checkInProcess = 80_000
  /// For a second thread that a subject may have, to come while the first is held.
  static let overlap = 20
  /// For a call that may wait for the callback that waits for it: only if a subject blocks its senders.
  static let glance = 50
}

/// Whether there is more than one thread on this system.
let hasThreads: Bool = {
  #if os(WASI) && !_runtime(_multithreaded)
    false
  #else
    // Any other system has threads.
    true
  #endif
}()
