// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A piece of work that waits for its date on a ``VirtualTimeScheduler``.
internal struct VirtualWork<Time: Strideable>: Comparable {
  /// The date at which it is due.
  var date: Time

  /// The position in the order of scheduling: work with the same date runs in this order, and repeating work keeps its
  /// number.
  let number: Int

  /// The interval until it is due again; `nil` for work that runs once.
  let interval: Time.Stride?

  /// The code that scheduled it.
  let origin: VirtualWorkOrigin

  let body: VirtualWorkBody

  static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.date != rhs.date ? lhs.date < rhs.date : lhs.number < rhs.number
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }

  /// The text in a list of pending work.
  var description: String {
    "\(date)" + (interval.map { ", every \($0)" } ?? "") + (origin.description.map { " (\($0))" } ?? "")
  }
}

/// The origin of a piece of work, as far as it is known.
internal struct VirtualWorkOrigin: Sendable {
  /// Whether it wakes a task.
  var isSleeper = false
  /// The purpose of the work.
  var label: String?
  /// The file and the line.
  var place: String?

  /// The text in a list of pending work; `nil` if nothing is known.
  var description: String? {
    let parts = [label, place].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The text for a place in the source.
  static func place(_ fileID: StaticString, _ line: UInt) -> String { "\(fileID):\(line)" }
}

/// The action of a piece of work, which a cancel removes.
internal final class VirtualWorkBody: Sendable {
  /// A structure, because a closure that is itself the generic state of a lock is wrapped in one more thunk at every
  /// access.
  private struct State {
    var action: (() -> Void)?
  }

  private let state: Guarded<State>

  init(_ action: @escaping () -> Void) {
    state = Guarded(State(action: action))
  }

  /// The action, unless it has been cancelled.
  var current: (() -> Void)? { state.withLock { $0 }.action }

  /// Whether the action has not been cancelled.
  var isWaiting: Bool { state.withLock { $0.action != nil } }

  /// Removes the action: only the caller that gets it may run it.
  ///
  /// - Returns: The action, unless it has been taken before.
  func take() -> (() -> Void)? {
    var taken = State()
    state.withLock { swap(&$0, &taken) }
    return taken.action
  }
}
