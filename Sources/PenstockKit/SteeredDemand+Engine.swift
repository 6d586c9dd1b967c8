// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SteeredDemand {
  /// The same policy, for the engine.
  @inlinable
  internal var rules: SteeredRules {
    switch self {
    case .forwarded: SteeredRules(demand: .forwarded)
    case .countedDropping: SteeredRules(demand: .countedDropping)
    case .countedKeeping: SteeredRules(demand: .countedKeeping)
    case .whileUnmet: SteeredRules(demand: .whileUnmet)
    }
  }

  /// Traps if the outputs of a stage would have to be joined, and the stage does not say how.
  ///
  /// The check runs when the pipeline is made, not when two outputs meet for the first time.
  @inlinable
  internal func check<Stage>(of stage: Stage.Type, joins: Bool) {
    if case .whileUnmet = self, !joins { trapWithoutJoining(stage) }
  }
}

@usableFromInline @inline(never)
internal func trapWithoutJoining(_ stage: Any.Type) -> Never {
  trap(
    .unfitStage(
      "\(stage)", rule: "its demand is .whileUnmet, and it does not say how an output joins one that waits for demand",
      fix: "Implement its static property `joining`."))
}
