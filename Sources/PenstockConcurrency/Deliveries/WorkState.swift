// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// What has become of work so far.
@usableFromInline
internal struct WorkState {
  /// Why a delivery is not in order.
  internal enum Trouble {
    /// It has not been extended, for another reason than that it is lost; and when it had been before.
    case refused(last: Duration)
    /// It has not been extended before its deadline, and is not extended any more.
    case overdue
    /// Somebody else has it, or it is settled.
    case lost
  }

  /// The number that the keeper has given to the work; `nil` while it is not kept.
  internal var number: Int?
  /// Whether the work is over, which settles the deliveries.
  internal var isOver = false
  /// When the deliveries were received, or extended.
  internal var last = Duration.zero
  /// By the place in the collection.
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

  /// Whether others have the delivery, or it has been settled.
  internal func isLost(_ place: Int) -> Bool {
    if case .lost? = troubles[place] { true } else { false }
  }

  /// Whether that is so of all deliveries.
  internal func areLost(_ count: Int) -> Bool {
    // Without trouble nothing has to be counted.
    !troubles.isEmpty && troubles.count == count && troubles.keys.allSatisfy { isLost($0) }
  }
}

/// Not generic, so that what is done for each value is specialised.
extension Guarded<WorkState> {
  /// The work begins: the deadlines are extended from now on.
  @usableFromInline
  internal borrowing func begin(_ work: any KeptWork, by keeper: DeadlineKeeper, every interval: Duration) {
    let now = keeper.now
    withLock { $0.last = now }
    let number = keeper.keep(work, every: interval, from: now)
    withLock { $0.number = number }
  }

  /// The work is over, and the deadlines are extended no more.
  @usableFromInline
  internal borrowing func end(by keeper: DeadlineKeeper) {
    let (number, stop) = withLock { state in
      state.isOver = true
      return (state.number.take(), state.stop.take())
    }
    if let number { keeper.forget(number) }
    withExtendedLifetime(stop) {}
  }

  /// Sets what stops the work when all of so many deliveries are lost.
  @usableFromInline
  internal borrowing func onLoss(of count: Int, _ stop: @escaping @Sendable () -> Void) {
    let isLate = withLock { state in
      if state.areLost(count) { return true }
      state.stop = stop
      return false
    }
    if isLate { stop() }
  }

  /// Whether others have all of so many deliveries, or they have been settled.
  @usableFromInline
  internal borrowing func areLost(_ count: Int) -> Bool { withLock { $0.areLost(count) } }

  /// The places of the deliveries that others have, or that have been settled.
  @usableFromInline
  internal borrowing func lostPlaces() -> Set<Int> {
    withLock { state in state.troubles.isEmpty ? [] : Set(state.troubles.keys.filter { state.isLost($0) }) }
  }
}
