// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import HeapModule

extension VirtualTimeScheduler {
  /// Moves the time forward, and runs the actions that are due until then.
  ///
  /// The tasks of ``executor`` that are ready run before the time moves, and those that an action woke before the next
  /// action. When the method returns, none of them is ready any more.
  ///
  /// It traps if more than 100,000 actions and turns of tasks run at one point in time, since time would then never
  /// move; the message lists what is left. Where ``TestFailure/handle(_:)`` has set a handler, it gets the message in
  /// place of the trap, and the method returns, with the time where it stands. `run(until:maxActions:)` throws an error
  /// instead.
  ///
  /// If several threads move the time at once, their intervals add up: each is counted from the end of those that have
  /// begun before. A move by an action counts from the present, and is part of the move that runs the action.
  ///
  /// - Parameters:
  ///   - interval: The time interval to move by; by default zero, which runs the actions that are due now. A negative interval
  ///     traps.
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  public func advance(
    by interval: SchedulerTimeType.Stride = 0, file: StaticString = #filePath, line: UInt = #line
  ) {
    if interval < 0 { trap(Violation.timeTurnedBack) }
    perform(beginMove(by: interval, on: thisThread()), file, line)
  }

  /// Moves the time forward to a date, and runs the actions that are due until then.
  ///
  /// Tasks run as they do in `advance(by:)`, and this method traps where that one does.
  ///
  /// - Parameters:
  ///   - date: The date to move to. A date before the current time traps.
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  public func advance(to date: SchedulerTimeType, file: StaticString = #filePath, line: UInt = #line) {
    let start = now
    if date < start { trap(Violation.timeTurnedBack) }
    advance(from: start, to: date, file, line)
  }

  /// Runs the actions that are due until a date.
  ///
  /// - Parameter start: The present, as the caller has read it: another thread may move it past the date meanwhile, which is
  ///   no mistake.
  internal func advance(
    from start: SchedulerTimeType, to date: SchedulerTimeType, _ file: StaticString, _ line: UInt
  ) {
    executor.drive {
      var (instant, count) = (start, 0)
      while let moved = runNext(until: date) {
        if moved != instant { (instant, count) = (moved, 0) }
        count += 1
        if isEndless(count, file, line) { return }
      }
    }
  }

  /// Whether a move gets no further, and has to end: that is a failure of the test if it has set a handler for
  /// failures, and a trap otherwise.
  private func isEndless(_ count: Int, _ file: StaticString, _ line: UInt) -> Bool {
    if count <= VirtualTimeExecutor.maxTurns { return false }
    let violation = Violation.endlessInstant(pending: pendingDescriptions)
    guard TestFailure.isHandled else { trap(violation) }
    TestFailure("\(violation.message) The time stays at \(now).", file: file, line: line).report()
    return true
  }

  /// Runs the next scheduled action, and moves the time to its date.
  ///
  /// The tasks that are ready run before, and those that the action woke run after it. Tasks that never stop are a
  /// trap, or a failure, as in `advance(by:)`.
  ///
  /// - Parameters:
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  /// - Returns: Whether there was an action, or a task that was ready.
  @discardableResult
  public func step(file: StaticString = #filePath, line: UInt = #line) -> Bool {
    executor.drive {
      guard let hasRunTasks = runTasks(file, line) else { return true }
      guard runAction(until: nil) != nil else { return hasRunTasks }
      runTasks(file, line)
      return true
    }
  }

  /// Runs all scheduled actions, until none is left or the time reaches a date.
  ///
  /// ```swift
  /// let scheduler = VirtualTimeScheduler()
  /// let timer = scheduler.labeled("poll").schedule(after: 1, interval: 1) {}
  /// do {
  ///   try scheduler.run(maxActions: 10)
  /// } catch {
  ///   print(error.actions, "actions;", error.pending[0].prefix { $0 != "," })
  /// }
  /// withExtendedLifetime(timer) {}
  /// // Prints "10 actions; 11s"
  /// ```
  ///
  /// Tasks run as they do in `advance(by:)`. Each turn of a task counts as an action.
  ///
  /// - Parameters:
  ///   - date: The date to stop at, and to move the time to. By default the time stays at the last action.
  ///   - maxActions: The maximum number of actions to run. A timer never ends without one.
  /// - Throws: An error that lists what is left, if that many were run and there is more to run.
  public func run(until date: SchedulerTimeType? = nil, maxActions: Int = 10_000) throws(VirtualTimeBudgetExceeded) {
    let left = executor.drive { () -> [String]? in
      for _ in 0..<max(0, maxActions) {
        if runNext(until: date) == nil { return nil }
      }
      // `maxActions` have been run.
      let hasMore = state.withLock { state in
        if executor.readyCount > 0 { return true }
        let next = state.waiting.first
        if let next, next.date <= date ?? next.date { return true }
        if let date { state.now = max(state.now, date) }
        return false
      }
      return hasMore ? pendingDescriptions : nil
    }
    if let left { throw VirtualTimeBudgetExceeded(actions: maxActions, pending: left) }
  }

  /// Runs the next turn of a task that is ready; if there is none, the next work that is due until a date.
  ///
  /// - Returns: The present while it ran; `nil` if there was none.
  private func runNext(until date: SchedulerTimeType?) -> SchedulerTimeType? {
    executor.runNext() ? now : runAction(until: date)
  }

  /// Runs the tasks that are ready.
  ///
  /// - Returns: Whether there was one; `nil` if they never stop.
  @discardableResult
  private func runTasks(_ file: StaticString, _ line: UInt) -> Bool? {
    var count = 0
    while executor.runNext() {
      count += 1
      if isEndless(count, file, line) { return nil }
    }
    return count > 0
  }

  /// Runs the next work that is due, until a date.
  ///
  /// - Returns: The present while it ran; `nil` if there was none.
  private func runAction(until date: SchedulerTimeType?) -> SchedulerTimeType? {
    while true {
      let (next, now) = state.withLock { ($0.next(until: date), $0.now) }
      guard let next else { return nil }
      // The action of work that runs once is taken, so that it is released even if the work's cancellable is kept. The
      // work has no action if it has been cancelled meanwhile on another thread.
      guard let action = next.interval == nil ? next.body.take() : next.body.current else { continue }
      action()
      return now
    }
  }
}

extension VirtualTimeScheduler {
  /// Moves the time forward, and suspends while the actions that are due until then run, and the tasks that they wake.
  ///
  /// This is the form for asynchronous tests. Tasks on other executors can run while the caller is suspended, even
  /// those of the main actor if the test runs there. A task of ``executor`` can call it, and is resumed when the others
  /// have stopped.
  ///
  /// When it returns, each task of ``executor`` that was ready, or that an action woke, has ended, sleeps, or waits for
  /// something else.
  /// A task on another executor has been resumed by then, but it may still be running: wait for what it does
  /// next, as with ``VirtualClock/sleepers(_:maxEvents:fileID:line:)``.
  ///
  /// Intervals add up, as those of the synchronous form do, where tasks on other executors move the time at once. A task of
  /// ``executor`` counts from the present.
  ///
  /// It traps, or reports a failure, where `advance(by:)` in its synchronous form does.
  ///
  /// - Parameters:
  ///   - interval: The time interval to move by; by default zero, which runs what is due now. A negative interval traps.
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  public func advance(
    by interval: SchedulerTimeType.Stride = 0, file: StaticString = #filePath, line: UInt = #line
  ) async {
    if executor.isRunningTurnHere {
      return await executor.whenIdle { self.advance(by: interval, file: file, line: line) }
    }
    if interval < 0 { trap(Violation.timeTurnedBack) }
    // The move begins here, since another thread may perform it within a move of its own.
    let move = beginMove(by: interval, on: nil)
    await executor.whenIdle { self.perform(move, file, line) }
  }

  /// Moves the time forward to a date, and suspends while the actions that are due until then run, and the tasks that they
  /// wake.
  ///
  /// - Parameters:
  ///   - date: The date to move to. A date before the current time traps.
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  public func advance(to date: SchedulerTimeType, file: StaticString = #filePath, line: UInt = #line) async {
    await executor.whenIdle { self.advance(to: date, file: file, line: line) }
  }

  /// Runs the next scheduled action, and suspends while it runs, and the tasks that it wakes.
  ///
  /// - Parameters:
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  /// - Returns: Whether there was an action, or a task that was ready.
  @discardableResult
  public func step(file: StaticString = #filePath, line: UInt = #line) async -> Bool {
    await executor.whenIdle { self.step(file: file, line: line) }
  }

  /// Runs all scheduled actions, until none is left or the time reaches a date, and suspends meanwhile.
  ///
  /// - Parameters:
  ///   - date: The date to stop at, and to move the time to. By default the time stays at the last action.
  ///   - maxActions: The maximum number of actions and turns of tasks to run.
  /// - Throws: An error that lists what is left, if that many were run and there is more to run.
  public func run(
    until date: SchedulerTimeType? = nil, maxActions: Int = 10_000
  ) async throws(VirtualTimeBudgetExceeded) {
    let result = await executor.whenIdle { () -> Result<Void, VirtualTimeBudgetExceeded> in
      do throws(VirtualTimeBudgetExceeded) {
        return .success(try self.run(until: date, maxActions: maxActions))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
