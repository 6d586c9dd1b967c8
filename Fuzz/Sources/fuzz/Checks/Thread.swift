// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import ThreadNumber

/// The calling thread's number, computed again each time.
@inline(never)
func currentThreadNumber() -> UInt64 { fuzz_thread_number() }

/// Spins for a while, so that other threads get in between.
func stay(_ steps: Int) {
  guard steps > 0 else { return }
  for step in 0..<steps {
    if step % 8 == 7 { sched_yield() } else { _ = fuzz_thread_number() }
    for _ in 0..<16 { _ = fuzz_thread_number() }
  }
}
