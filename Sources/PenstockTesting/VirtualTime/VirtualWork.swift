// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A piece of work that waits for its date on a ``VirtualTimeScheduler``.
internal struct VirtualWork<Time: Strideable>: Comparable {
  /// The date at which it is due.
  var date: Time

  /// The position in the order of scheduling: work with the same date runs in this order, and repeating work keeps its
  /// number.
  let number: Int

  /// The interval until it is due again; `nil` for work that runs once.
  let interval: Time.Stride?

  let body: Body

  /// The action, which a cancel removes.
  final class Body: Sendable {
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

    /// Removes the action.
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

  /// The text in a list of pending work.
  var description: String {
    if let interval { "\(date), every \(interval)" } else { "\(date)" }
  }
}
