// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The steps of a running diagram, and the events at each of them.
internal final class MarbleTimeline {
  let thread = MarbleThread()
  /// The current step.
  var step = 0
  /// A text for the present, if it is between two steps; `nil` at a step.
  var offStep: () -> String? = { nil }
  /// Whether the last step is over: cancels that clean up are not part of the diagram.
  var isOver = false
  private let scheduleAction: (Int, @escaping () -> Void) -> Void
  private(set) var marks: [String: [MarbleLane.Mark]] = [:]
  private(set) var dropped: [MarbleDrop] = []
  /// Where the first event between two steps was.
  private(set) var between: (lane: String, time: String)?

  init(schedule: @escaping (Int, @escaping () -> Void) -> Void) { scheduleAction = schedule }

  /// Runs an action at a step, after everything that was scheduled for that step before.
  func schedule(at step: Int, _ action: @escaping () -> Void) { scheduleAction(step, action) }

  /// Adds an event at the current step to a lane.
  func note(_ event: MarbleEvent, of lane: String) {
    guard !isOver else { return }
    if between == nil, let time = offStep() { between = (lane, time) }
    marks[lane, default: []].append(MarbleLane.Mark(step: step, event: event))
  }

  /// Adds a value that a source drops for some of its subscribers or for all.
  func noteDropped(_ event: MarbleEvent, of lane: String, forAll: Bool) {
    if !isOver { dropped.append(MarbleDrop(lane: lane, step: step, event: event, isForAll: forAll)) }
  }

  /// The events in a lane.
  func marks(of lane: String) -> [MarbleLane.Mark] { marks[lane] ?? [] }
}

/// A value that was not requested when its source sent it, and that reached nobody for this reason.
internal struct MarbleDrop: Sendable, CustomStringConvertible {
  let lane: String
  let step: Int
  let event: MarbleEvent
  let isForAll: Bool

  var description: String {
    isForAll
      ? "\(lane): \(event) was not requested, and dropped (step \(step))"
      : "\(lane): \(event) was not requested by each subscriber, and dropped for those that had not (step \(step))"
  }
}
