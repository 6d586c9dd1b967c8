// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The scheduler that a verification gives to an operator or a timer, so that the verification sees what is scheduled,
/// moves the time, and runs actions late.
///
/// Its time begins at zero and moves only when a check moves it. Literals of its intervals are seconds.
///
/// ```swift
/// let verification = OperatorVerification("delay") { upstream, scheduler in
///   upstream.delay(for: 1, scheduler: scheduler)
/// }
/// try verification.check("T-01")
/// ```
///
/// **Concurrency:** actions may be scheduled and cancelled on any thread. They run on the thread of the check, one at a time,
/// and no lock is held while they run or are released.
public final class VerificationScheduler: Scheduler, Sendable {
  /// Nanoseconds from the beginning of a check.
  public typealias SchedulerTimeType = VirtualTime

  /// There are none.
  public typealias SchedulerOptions = Never

  struct Work {
    let date: VirtualTime
    let number: Int
    let interval: VirtualTime.Stride?
    let action: () -> Void
  }

  private struct State {
    var now = VirtualTime.zero
    /// The next one is the last.
    var queue: [Work] = []
    var count = 0
    /// How many actions have been run.
    var turns = 0
    /// The thread on which an action runs.
    var thread: UInt?
    /// By how much the action of a turn comes late.
    var lateness: ((Int) -> VirtualTime.Stride)?

    mutating func insert(_ work: Work) {
      var (low, high) = (0, queue.count)
      while low < high {
        let middle = (low + high) / 2
        let isLater = (queue[middle].date, queue[middle].number) > (work.date, work.number)
        if isLater { low = middle + 1 } else { high = middle }
      }
      queue.insert(work, at: low)
    }
  }

  private let state = Locked(State())

  init() {}

  // MARK: The scheduler

  /// The time, which a check moves; it may be later than the date of the action that runs.
  public var now: VirtualTime { state.with { $0.now } }

  /// Zero.
  public var minimumTolerance: VirtualTime.Stride { 0 }

  /// Runs an action at the present time, when the check lets time pass.
  public func schedule(options: Never?, _ action: @escaping () -> Void) { add(action, after: nil, interval: nil) }

  /// Runs an action when the time has reached its date.
  public func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) { add(action, after: date, interval: nil) }

  /// Runs an action again and again; each is due one interval after the one before was due.
  ///
  /// An interval of zero or less is 0.0001 s, as for a `Timer`.
  public func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let number = add(action, after: date, interval: interval > 0 ? interval : .microseconds(100))
    return AnyCancellable { [weak self] in self?.remove(number) }
  }

  @discardableResult
  private func add(_ action: @escaping () -> Void, after date: VirtualTime?, interval: VirtualTime.Stride?) -> Int {
    state.with { state in
      state.count += 1
      state.insert(Work(date: date ?? state.now, number: state.count, interval: interval, action: action))
      return state.count
    }
  }

  private func remove(_ number: Int) {
    // Released after the lock.
    let removed = state.with { state in
      state.queue.firstIndex { $0.number == number }.map { state.queue.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  // MARK: What a check does and sees

  /// Whether an action runs on the calling thread.
  var isRunning: Bool { state.with { $0.thread } == thisThread() }

  /// How many actions wait to run once.
  var waiting: Int { state.with { $0.queue.count { $0.interval == nil } } }

  /// How many actions repeat.
  var repeating: Int { state.with { $0.queue.count { $0.interval != nil } } }

  /// Makes actions run after their dates.
  ///
  /// - Parameter lateness: Returns by how much an action is late; gets the number of the action.
  func beLate(_ lateness: @escaping (Int) -> VirtualTime.Stride) {
    state.with { state in
      state.lateness = lateness
      state.turns = 0
    }
  }

  /// Runs what is due by then, and moves the time.
  func advance(by time: VirtualTime.Stride) {
    let end = now.advanced(by: time)
    // Nothing in a check has as much to run, except work that schedules itself again and again at the same date.
    for _ in 0..<1_000_000 {
      guard run(where: { $0.date <= end }) else { break }
    }
    state.with { $0.now = Swift.max($0.now, end) }
  }

  /// Runs the actions that wait to run once, and those that they schedule, whatever their dates.
  ///
  /// - Parameter limit: A number of actions greater than any that can be waiting.
  func runWaiting(limit: Int) {
    for _ in 0..<limit {
      guard run(where: { $0.interval == nil }) else { return }
    }
  }

  private func run(where isMeant: (Work) -> Bool) -> Bool {
    let thread = thisThread()
    let next: Work? = state.with { state in
      guard let place = state.queue.lastIndex(where: isMeant) else { return nil }
      let work = state.queue.remove(at: place)
      if let interval = work.interval {
        state.insert(
          Work(
            date: work.date.advanced(by: interval), number: work.number, interval: interval, action: work.action))
      }
      let due = state.lateness.map { work.date.advanced(by: $0(state.turns)) } ?? work.date
      state.turns += 1
      state.now = Swift.max(state.now, due)
      state.thread = thread
      return work
    }
    guard let next else { return false }
    next.action()
    state.with { $0.thread = nil }
    return true
  }
}
