// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule

/// An executor whose tasks run only while a test moves the time of a ``VirtualTimeScheduler`` or waits for it.
///
/// ```swift
/// let time = VirtualTimeScheduler()
/// let task = Task(executorPreference: time.executor) {
///   for second in 1...3 {
///     try await time.clock.sleep(for: .seconds(1))
///     print("tick", second)
///   }
/// }
/// await time.advance(by: 2)
/// print(time.now)
/// await time.advance(by: 2)
/// try await task.value
/// // Prints "tick 1", "tick 2", "2s", "tick 3" on four lines.
/// ```
///
/// The scheduler's `advance`, `step` and `run` run the tasks that are ready before the time moves, and those that an
/// action woke before the next action. They return when no task is ready any more: each has ended, sleeps, or waits for
/// something else. The scheduler knows this and does not guess, since every turn of a task on an executor goes through
/// the executor's queue.
///
/// A task of the executor runs at no other time. So a test that forgets to move the time fails each time, and not once
/// in a thousand runs. `await task.value` alone does not move the time, and a test that runs on the executor itself, by
/// `withTaskExecutorPreference`, would never run.
///
/// Child tasks run where their parent does, and so do actors without an executor of their own while such a task calls
/// them. A `Task { }` that the code under test starts does not: the code needs the executor as an argument, as it needs
/// the clock, for `Task(executorPreference:)`, which takes `nil` in the program. The main actor has its own executor.
/// For tasks on other executors the scheduler knows when they begin to sleep, but not when they have stopped running:
/// ``VirtualTimeScheduler/scheduled(_:maxEvents:fileID:line:)`` and ``VirtualClock/sleepers(_:maxEvents:fileID:line:)``
/// wait for that.
///
/// **Concurrency:** one turn of a task runs at a time, on the thread that moves the time. No lock is held meanwhile.
public final class VirtualTimeExecutor: TaskExecutor {
  private struct State {
    /// The turns of tasks that are ready.
    var jobs = Deque<UnownedJob>()
    /// The work to do when no task is ready: moves of the time that tasks have asked for.
    var moves = Deque<() -> Void>()
    /// The thread on which a turn is running; `nil` if none is.
    var runner: UInt?
    /// The number of calls, on any thread, that run turns and moves until none is left.
    var drives = 0
    /// The number of tasks that wait for something that may need turns or moves.
    var waiting = 0

    /// Whether a drive has to be started: someone waits, and nobody runs the turns and moves that are ready.
    var needsDrive: Bool { drives == 0 && waiting > 0 && !(jobs.isEmpty && moves.isEmpty) }
  }

  private enum Turn {
    case job(UnownedJob)
    case move(() -> Void)
  }

  private let state = Guarded(State())
  internal let waits = VirtualTimeWaits()

  internal init() {}

  /// Adds a turn of a task; the runtime calls this.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsDrive = state.withLock { state in
      state.jobs.append(job)
      return state.needsDrive
    }
    if needsDrive { startDrive() }
  }

  /// The number of turns that are ready.
  internal var readyCount: Int { state.withLock { $0.jobs.count } }

  /// Whether the caller is part of a turn that this thread runs.
  internal var isRunningTurnHere: Bool {
    let thread = thisThread()
    return state.withLock { $0.runner == thread }
  }

  /// The turns that are ready, for a list of what is pending; `nil` for none.
  internal var readyDescription: String? {
    let count = readyCount
    return count == 0 ? nil : count == 1 ? "1 task is ready" : "\(count) turns of tasks are ready"
  }

  // MARK: Running turns

  /// Runs the next turn, unless one is running: the thread of that one continues with the turns that are left.
  ///
  /// - Returns: Whether there was a turn.
  internal func runNext() -> Bool {
    let turn = state.withLock { state -> Turn? in
      if state.runner != nil { return nil }
      guard let job = state.jobs.popFirst() else { return state.moves.popFirst().map(Turn.move) }
      state.runner = thisThread()
      return .job(job)
    }
    switch turn {
    case nil: return false
    case .move(let move): move()
    case .job(let job):
      job.runSynchronously(on: asUnownedTaskExecutor())
      state.withLock { $0.runner = nil }
      waits.noteTurn()
    }
    return true
  }

  /// Calls a closure that runs turns itself, so that no other thread starts to run them.
  internal func drive<Result>(_ body: () -> Result) -> Result {
    state.withLock { $0.drives += 1 }
    let result = body()
    let needsDrive = state.withLock { state in
      state.drives -= 1
      return state.needsDrive
    }
    if needsDrive { startDrive() }
    return result
  }

  /// Starts a thread that runs turns for tasks that wait while nobody moves the time.
  private func startDrive() { Task.detached { self.driveIfNeeded() } }

  /// Runs turns for tasks that wait, unless a thread does so already.
  ///
  /// - Parameter wait: The wait of the calling task; when it ends, so do the turns, unless others wait.
  /// - Returns: Whether that wait has ended meanwhile, and no longer counts.
  @discardableResult
  private func driveIfNeeded(for wait: Int? = nil) -> Bool {
    let isNeeded = state.withLock { state in
      guard state.needsDrive else { return false }
      state.drives = 1
      return true
    }
    guard isNeeded else { return false }
    let isWanted = { wait.map(self.waits.isOpen) ?? true }
    // After the last wait has ended, its task gets the turns that it needs to continue, but not forever.
    var count = 0
    while isWanted(), count < Self.maxTurns, state.withLock({ $0.waiting > 0 }), runNext() {
      count = waits.hasOpen ? 0 : count + 1
    }
    let hasEnded = !isWanted()
    let (needsDrive, hasMoves) = state.withLock { state in
      state.drives -= 1
      // At once, and not when the task continues: otherwise chance would decide whether more turns are run for it.
      if hasEnded { state.waiting -= 1 }
      return (state.needsDrive, !state.moves.isEmpty)
    }
    if count < Self.maxTurns {
      if needsDrive { startDrive() }
    } else if hasMoves {
      trap(Violation.endlessInstant(pending: [readyDescription].compactMap { $0 }))
    }
    return hasEnded
  }

  /// The number of actions and turns of tasks that may run before the time has to move.
  internal static var maxTurns: Int { 100_000 }

  // MARK: Waiting

  /// Moves the time when nobody else does, and no task is ready.
  ///
  /// A task of this executor cannot move the time and run others meanwhile: it is suspended, and the thread that runs
  /// its turn moves the time.
  internal func whenIdle<Result: Sendable>(_ move: @escaping () -> Result) async -> Result {
    let (result, isPutOff) = await withUnsafeContinuation { (continuation: UnsafeContinuation<(Result, Bool), Never>) in
      let isPutOff = state.withLock { state in
        guard state.drives > 0 else { return false }
        state.waiting += 1
        state.moves.append { continuation.resume(returning: (move(), true)) }
        return true
      }
      if !isPutOff { continuation.resume(returning: (move(), false)) }
    }
    if isPutOff { state.withLock { $0.waiting -= 1 } }
    return result
  }

  /// Runs tasks until a wait has ended.
  ///
  /// - Parameter wait: The number of the wait.
  /// - Returns: Why it has ended.
  internal func outcome(ofWait wait: Int) async -> VirtualTimeWaits.Outcome {
    // A wait that is already over runs no task.
    guard waits.isOpen(wait) else { return await waits.outcome(of: wait) }
    state.withLock { $0.waiting += 1 }
    let hasEnded = driveIfNeeded(for: wait)
    let outcome = await waits.outcome(of: wait)
    if !hasEnded { state.withLock { $0.waiting -= 1 } }
    return outcome
  }
}
