// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The state of work so far.
@usableFromInline
internal struct WorkState {
  /// The reason why a delivery is not in order.
  internal enum Trouble {
    /// It has not been extended, although it is not lost; with the date of the previous extension.
    case refused(last: Duration)
    /// It could not be extended before its deadline, and is not extended any more.
    case overdue
    /// Another consumer has it, or it is settled.
    case lost
  }

  /// The number that the keeper has given to the work; `nil` while it is not kept.
  internal var number: Int?
  /// Whether the work has ended and settles the deliveries.
  internal var isOver = false
  /// The date at which the deliveries were received or extended.
  internal var last = Duration.zero
  /// The troubles, by the delivery's place in the collection.
  internal var troubles: [Int: Trouble] = [:]
  /// Stops the work.
  internal var stop: (@Sendable () -> Void)?

  @usableFromInline
  internal init() {}

  internal func mayExtend(_ place: Int) -> Bool {
    if isOver { return false }
    return switch troubles[place] {
    case nil, .refused?: true
    case .overdue?, .lost?: false
    }
  }

  /// Whether another consumer has the delivery, or it has been settled.
  internal func isLost(_ place: Int) -> Bool {
    if case .lost? = troubles[place] { true } else { false }
  }

  /// Whether all deliveries, of a given number, are lost.
  internal func areLost(_ count: Int) -> Bool {
    // Without troubles nothing has to be counted.
    !troubles.isEmpty && troubles.count == count && troubles.keys.allSatisfy { isLost($0) }
  }
}

/// Not generic, so that the code for each value is specialised.
extension Guarded<WorkState> {
  /// Begins the work: the deadlines are extended from now on.
  @usableFromInline
  internal borrowing func begin(_ work: any KeptWork, by keeper: DeadlineKeeper, every interval: Duration) {
    let now = keeper.now
    withLock { $0.last = now }
    let number = keeper.keep(work, every: interval, from: now)
    withLock { $0.number = number }
  }

  /// Ends the work: the deadlines are not extended any more.
  @usableFromInline
  internal borrowing func end(by keeper: DeadlineKeeper) {
    let (number, stop) = withLock { state in
      state.isOver = true
      return (state.number.take(), state.stop.take())
    }
    if let number { keeper.forget(number) }
    withExtendedLifetime(stop) {}
  }

  /// Sets what stops the work when all deliveries, of a given number, are lost.
  @usableFromInline
  internal borrowing func onLoss(of count: Int, _ stop: @escaping @Sendable () -> Void) {
    let isLate = withLock { state in
      if state.areLost(count) { return true }
      state.stop = stop
      return false
    }
    if isLate { stop() }
  }

  /// Whether all deliveries, of a given number, belong to other consumers or have been settled.
  @usableFromInline
  internal borrowing func areLost(_ count: Int) -> Bool { withLock { $0.areLost(count) } }

  /// Returns the places of the deliveries that other consumers have, or that have been settled.
  @usableFromInline
  internal borrowing func lostPlaces() -> Set<Int> {
    withLock { state in state.troubles.isEmpty ? [] : Set(state.troubles.keys.filter { state.isLost($0) }) }
  }
}
