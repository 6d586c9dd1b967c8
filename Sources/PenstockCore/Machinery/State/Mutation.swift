// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A fault that the library once had, or that is easily made, for tests that have to find it.
///
/// Only builds with the define `PENSTOCK_EXPLORER` can put one in; in all others ``isOn`` is `false` when the
/// code is compiled, and nothing is left of it.
@usableFromInline
package enum Mutation: String, CaseIterable, Sendable {
  /// Threads go by one number, as code does that keeps a number across a suspension.
  case numberKept
  /// A member of a fan-out that cancels closes its ledger before it looks up whom to tell.
  case memberLeavesUntold
  /// What is held is delivered without demand.
  case heldOutputWithoutDemand
  /// An end inside of a delivery leaves no mark for the successor.
  case endLeavesNoMark
  /// The gaps in a list of members are never closed.
  case listOnlyGrows
  /// Removed members are not discarded again before the loop is left, though a value has died since and cancelled.
  case discardedTooEarly
  /// A buffer's signal and its owner's answer have no fence between their writes and their reads.
  case bufferWithoutFences
  /// A stage that expands values asks for the next one without a fence between its writes and its reads.
  case expandingWithoutFence
  /// The mark of a queue is set before the signal is in it.
  case markBeforeSignal
  /// What has been taken from a queue and not yet performed is not noted.
  case takenSignalsUnnoted
  /// A loop is entered without acquiring.
  case enterRelaxed
  /// A loop is left without releasing.
  case leaveRelaxed
  /// A completion is delivered at once by a thread that does not own the loop.
  case completionOvertakes
  /// A request that waits for the holder is made at once as well.
  case demandTwice
  /// A request is held although the introduction has ended meanwhile.
  case heldForNobody
}

#if PENSTOCK_EXPLORER
  package nonisolated(unsafe) var mutation: Mutation?

  extension Mutation {
    @usableFromInline
    package var isOn: Bool { mutation == self }
  }
#else
  extension Mutation {
    /// Whether the fault has been put in.
    @inlinable
    package var isOn: Bool {
      @inline(__always) get { false }
    }
  }
#endif
