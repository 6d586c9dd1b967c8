// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An error that is thrown when a ``VirtualTimeScheduler`` has more actions to run than its limit allows.
public struct VirtualTimeBudgetExceeded: Error, Equatable, CustomStringConvertible, Sendable {
  /// The number of actions that were run.
  public let actions: Int

  /// The remaining actions, in the order in which they are due: the date, the interval of a repeated one, and what is
  /// known about where it was scheduled.
  public let pending: [String]

  /// Creates an error with the number of actions that were run and those that remain.
  public init(actions: Int, pending: [String]) {
    self.actions = actions
    self.pending = pending
  }

  /// A text with the number of actions that were run and those that remain.
  public var description: String {
    "\(actions) actions were run, and these are left: \(pending.joined(separator: "; "))"
  }
}

/// An error that is thrown when a wait ends before the number of scheduled actions or of sleeping tasks is reached.
public struct VirtualTimeWaitEnded: Error, Equatable, CustomStringConvertible, Sendable {
  /// Why a wait ended.
  public enum Reason: Equatable, Sendable {
    /// The waiting task was cancelled: by the time limit of a test, for example.
    case cancelled
    /// There were more events than the limit allows.
    case tooManyEvents(Int)
  }

  /// The wait, such as `sleepers(2)`.
  public let wait: String

  /// The file and the line of the wait.
  public let place: String

  /// Why it ended.
  public let reason: Reason

  /// The actions that were scheduled at the end, as ``VirtualTimeScheduler/pendingDescriptions`` lists it.
  public let pending: [String]

  /// Creates an error for a wait.
  public init(wait: String, place: String, reason: Reason, pending: [String]) {
    (self.wait, self.place, self.reason, self.pending) = (wait, place, reason, pending)
  }

  /// A text with the wait, its place, the reason, and what was scheduled.
  public var description: String {
    let ending =
      switch reason {
      case .cancelled: "was cancelled"
      case .tooManyEvents(let count): "gave up after \(count) events"
      }
    return "\(wait) at \(place) \(ending); scheduled: \(pending.isEmpty ? "nothing" : pending.joined(separator: "; "))"
  }
}
