// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The history of a schedule so far, except for the order of independent steps.
///
/// Each thread's trace is a hash of its steps, and a step's hash is made from the trace before it and from the hash of
/// the step that wrote what it has read. A thread runs the same way when it reads the same, so two schedules with equal
/// traces have led to the same state, in whatever order independent steps were taken.
///
/// Everything that is not a cell of the library (what a test records, a scheduler's list) counts as one cell,
/// *outside*, which every step that concerns it writes.
///
/// After Musuvathi and Qadeer, *Iterative Context Bounding for Systematic Testing of Multithreaded Programs* (PLDI 2007),
/// section 3.2, which merges states by the order of happens-before.
struct Trace {
  private var threads: [UInt64] = []
  private var outside: UInt64 = 0

  mutating func addThread() { threads.append(0) }

  /// A step that reads what another has written, or both reads and replaces it.
  ///
  /// - Returns: The hash of the step, for steps that read what it writes.
  @discardableResult
  mutating func step(of thread: Int, reading written: UInt64) -> UInt64 {
    threads[thread] = Self.mix(Self.mix(threads[thread], 1), written)
    return threads[thread]
  }

  /// A step on something that is not a cell.
  mutating func stepOutside(of thread: Int) { outside = step(of: thread, reading: outside) }

  /// A number for the state, together with everything that decides how it continues.
  func state(_ others: some Sequence<Int>) -> UInt64 {
    var hash: UInt64 = 0
    for thread in threads { hash = Self.mix(hash, thread) }
    for other in others { hash = Self.mix(hash, UInt64(bitPattern: Int64(other))) }
    return hash
  }

  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    // The finalizer of MurmurHash3, by Austin Appleby, over a sum in which the order counts.
    var mixed = (hash &* 0x9E37_79B9_7F4A_7C15) ^ (word &+ 0x632B_E59B_D9B4_E019)
    mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return mixed ^ (mixed >> 33)
  }
}

/// The states from which all continuations within the bounds have been, or will be, tried.
///
/// Merging states does not show which of two threads releases an object last. No step of the library's cells orders the
/// two releases, so of two schedules that differ only in that, one is left out.
final class VisitedStates {
  private var interruptionsLeft: [UInt64: Int] = [:]

  /// Notes a state.
  ///
  /// - Parameter left: How many interruptions remain.
  /// - Returns: Whether it has been reached before with as many left, so that nothing new can follow.
  func hasMet(_ state: UInt64, left: Int) -> Bool {
    if let earlier = interruptionsLeft[state], earlier >= left { return true }
    interruptionsLeft[state] = left
    return false
  }
}
