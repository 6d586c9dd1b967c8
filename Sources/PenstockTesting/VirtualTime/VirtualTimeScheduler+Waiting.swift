// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import HeapModule

extension VirtualTimeScheduler {
  /// Descriptions of the scheduled actions, in the order in which they will run: the date, the interval of a repeated
  /// action, and what is known about where it was scheduled.
  ///
  /// ```swift
  /// let time = VirtualTimeScheduler()
  /// time.schedule(after: 5) {}
  /// let poll = Task(name: "poll", executorPreference: time.executor) { try await time.clock.sleep(for: .seconds(3)) }
  /// await time.advance()
  /// print(time.pendingDescriptions.joined(separator: "; "))
  /// poll.cancel()
  /// // Prints "3s (task "poll" sleeps); 5s".
  /// ```
  ///
  /// A number of tasks that are ready stands before it. Name tasks, and schedulers with ``labeled(_:fileID:line:)``, so
  /// that errors say what a test waits for.
  public var pendingDescriptions: [String] {
    [executor.readyDescription].compactMap { $0 } + state.withLock { $0.waiting.map(\.description) }
  }

  /// Suspends until a number of actions are scheduled at the same time.
  ///
  /// Use it to wait for an operator to start its timer if values come from other threads or tasks. It does not poll:
  /// the scheduler resumes it when an action is scheduled.
  ///
  /// ```swift
  /// let (time, typed) = (VirtualTimeScheduler(), PassthroughSubject<String, Never>())
  /// let search = typed.debounce(for: 0.5, scheduler: time).sink { print($0, "at", time.now) }
  /// Task { typed.send("gate") }
  /// try await time.scheduled(1)
  /// await time.advance(by: 0.5)
  /// search.cancel()
  /// // Prints "gate at 0.5s".
  /// ```
  ///
  /// Tasks of ``executor`` run meanwhile, and the time stands still. Actions that run as soon as possible count, and so do
  /// tasks that sleep. If the number is never reached, a test ends by its time limit, which cancels it; the error then
  /// lists what was scheduled.
  ///
  /// - Parameters:
  ///   - count: The number of actions.
  ///   - maxEvents: The number of actions that may be scheduled, and of turns that tasks may take, before it gives up.
  ///   - fileID: The file that the error names.
  ///   - line: The line that the error names.
  /// - Throws: An error that lists what is scheduled, if the task is cancelled or there have been too many events.
  public func scheduled(
    _ count: Int = 1, maxEvents: Int = 10_000, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws(VirtualTimeWaitEnded) {
    try await wait("scheduled(\(count))", maxEvents, VirtualWorkOrigin.place(fileID, line)) { $0.scheduled >= count }
  }

  internal func wait(
    _ what: String, _ maxEvents: Int, _ place: String, _ isReached: @escaping (VirtualTimeWaits.Counts) -> Bool
  ) async throws(VirtualTimeWaitEnded) {
    let waits = executor.waits
    let number = waits.begin(maxEvents: maxEvents, until: isReached)
    waits.note(state.withLock(\.counts))
    let outcome = await executor.outcome(ofWait: number)
    if outcome == .reached { return }
    throw VirtualTimeWaitEnded(
      wait: what, place: place, reason: outcome == .cancelled ? .cancelled : .tooManyEvents(maxEvents),
      pending: pendingDescriptions)
  }
}
