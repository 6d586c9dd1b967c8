// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A piece of work that waits for its date on a ``VirtualTimeScheduler``.
internal struct VirtualWork<Time: Strideable>: Comparable {
  /// When it is due.
  var date: Time

  /// The order in which work was scheduled: work with the same date runs in that order, and so does the work that repeats,
  /// which keeps its number.
  let number: Int

  /// For how long to wait before it is due again; `nil` for work that is done once.
  let interval: Time.Stride?

  let body: Body

  /// The action, which a cancel takes away.
  final class Body: Sendable {
    /// In a structure, because a closure that is itself the generic state of a lock is wrapped in one more thunk at
    /// every access.
    private struct State {
      var action: (() -> Void)?
    }

    private let state: Guarded<State>

    init(_ action: @escaping () -> Void) {
      state = Guarded(State(action: action))
    }

    /// What is to be run, unless it has been cancelled.
    var current: (() -> Void)? { state.withLock { $0 }.action }

    /// Whether it is still to be run.
    var isWaiting: Bool { state.withLock { $0.action != nil } }

    /// Takes the action away.
    ///
    /// - Returns: Whether it was still there.
    func cancel() -> Bool {
      var taken = State()
      state.withLock { swap(&$0, &taken) }
      return taken.action != nil
    }
  }

  static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.date != rhs.date ? lhs.date < rhs.date : lhs.number < rhs.number
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }

  /// What a list of pending work shows of it.
  var description: String {
    if let interval { "\(date), every \(interval)" } else { "\(date)" }
  }
}
