// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A move of virtual time by an interval, from its beginning, which fixes its end, until the time has reached that end.
internal struct VirtualTimeMove<Time> {
  let number: Int
  let start: Time
  let end: Time
  /// The thread that performs it; `nil` as long as no thread does.
  var thread: UInt?
}

extension VirtualTimeScheduler {
  /// Begins a move of the time by an interval.
  ///
  /// It starts at the present, or at the end of the last of the other moves under way, so that no interval is lost in
  /// another one. Moves of the same thread do not count: this one is a part of them.
  ///
  /// - Parameters:
  ///   - interval: The time interval.
  ///   - thread: The thread that performs the move; `nil` if that is not known yet.
  internal func beginMove(
    by interval: SchedulerTimeType.Stride, on thread: UInt?
  ) -> VirtualTimeMove<SchedulerTimeType> {
    // A move by nothing only runs what is due, and need not wait for the end of another one.
    if interval == 0 {
      let now = now
      return VirtualTimeMove(number: -1, start: now, end: now)
    }
    while true {
      let (number, start) = state.withLock { state in
        let others = state.moves.filter { thread == nil || $0.thread != thread }
        return (state.moveCount, others.reduce(state.now) { max($0, $1.end) })
      }
      // Outside the lock: a type of time is the user's code. Another move may begin meanwhile, and this one has to
      // start after it.
      let move = VirtualTimeMove(number: number, start: start, end: start.advanced(by: interval), thread: thread)
      let isNext = state.withLock { state in
        guard state.moveCount == number else { return false }
        state.moveCount += 1
        state.moves.append(move)
        return true
      }
      if isNext { return move }
    }
  }

  /// Moves the time to the end of a move, and runs the actions that are due until then.
  internal func perform(_ move: VirtualTimeMove<SchedulerTimeType>, _ file: StaticString, _ line: UInt) {
    let thread = thisThread()
    state.withLock { state in
      for place in state.moves.indices where state.moves[place].number == move.number {
        state.moves[place].thread = thread
      }
    }
    advance(from: move.start, to: move.end, file, line)
    state.withLock { $0.moves.removeAll { $0.number == move.number } }
  }
}
