// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import HeapModule
public import PenstockCore

/// A scheduler whose time moves only when a test moves it.
///
/// Tests of code that waits take no time with it, and give the same result every time.
///
/// ```swift
/// let scheduler = VirtualTimeScheduler()
/// let words = PassthroughSubject<String, Never>()
/// let cancellable = words.delay(for: 10, scheduler: scheduler).sink { print($0, "at", scheduler.now) }
/// words.send("gate")
/// scheduler.advance(by: 9.5)
/// print("nothing until", scheduler.now)
/// scheduler.advance(by: 0.5)
/// // Prints "nothing until 9.5s", "gate at 10s" on two lines.
/// ```
///
/// It is generic over the time and the options of any scheduler, so that code written for a `DispatchQueue` runs on it:
/// `VirtualTimeScheduler<DispatchQueue.SchedulerTimeType, DispatchQueue.SchedulerOptions>(now: .init(.now()))`. If no
/// particular scheduler is meant, `VirtualTimeScheduler()` counts ``VirtualTime``.
///
/// Actions run in the order of their dates, and actions with the same date in the order in which they were scheduled.
/// That holds for repeated actions, too: a tick comes before everything that was scheduled for its date after the timer
/// was. Tick *k* is due at the start plus *k* intervals, however late earlier ticks ran. While an action runs, ``now``
/// is its date; an action that is scheduled for the past runs next, and does not turn time back.
///
/// **Concurrency:** actions may be scheduled and cancelled on any thread, even while another thread moves the time, and
/// by other actions. They run on the thread that moves the time, one after the other if that is one thread. No lock is
/// held while they run. Closures are stored unchanged, so they must be safe on the thread that runs them.
public final class VirtualTimeScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler, Sendable
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  private typealias Work = VirtualWork<SchedulerTimeType>

  private struct State {
    var now: SchedulerTimeType
    let minimumTolerance: SchedulerTimeType.Stride
    var queue = Heap<Work>()
    /// The number of pieces of work that have been scheduled.
    var count = 0
    /// The approximate number of cancelled pieces of work in the queue.
    var cancelled = 0

    /// Removes the next work that is due, and moves the time to its date.
    ///
    /// If nothing is due until the end, the time moves there in the same step: so work that another thread schedules
    /// comes either before that or at a time in the future.
    ///
    /// - Parameter end: The latest date; `nil` for no limit.
    mutating func next(until end: SchedulerTimeType?) -> Work? {
      while let next = queue.min {
        // Cancelled work does not move the time.
        guard next.body.isWaiting else {
          queue.removeMin()
          cancelled -= 1
          continue
        }
        if let end, next.date > end { break }
        queue.removeMin()
        now = max(now, next.date)
        if let interval = next.interval {
          // Counted from its date, not from the present: so the ticks do not drift.
          var again = next
          again.date = next.date.advanced(by: interval)
          queue.insert(again)
        }
        return next
      }
      if let end { now = max(now, end) }
      return nil
    }

    /// The work that has not been cancelled, in the order of its dates.
    var waiting: [Work] { queue.unordered.filter { $0.body.isWaiting }.sorted() }
  }

  private let state: Guarded<State>

  /// Creates a scheduler whose time starts at a given point.
  ///
  /// - Parameters:
  ///   - now: The start of its time.
  ///   - minimumTolerance: The minimum tolerance it reports; it is always on time.
  public init(now: SchedulerTimeType, minimumTolerance: SchedulerTimeType.Stride = 0) {
    state = Guarded(State(now: now, minimumTolerance: minimumTolerance))
  }

  // MARK: The scheduler's requirements

  /// The current time, which moves only when it is moved.
  public var now: SchedulerTimeType { state.withLock { $0.now } }

  /// The value given to the initializer.
  public var minimumTolerance: SchedulerTimeType.Stride { state.withLock { $0.minimumTolerance } }

  /// Runs an action at the current time, at the next move of the time.
  ///
  /// The options are ignored.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    add(Work.Body(action), after: nil, interval: nil)
  }

  /// Runs an action once, when the time reaches a date.
  ///
  /// Tolerance and options are ignored.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    add(Work.Body(action), after: date, interval: nil)
  }

  /// Runs an action repeatedly, from a date on.
  ///
  /// Tolerance and options are ignored.
  ///
  /// - Returns: A cancellable; the action is no longer repeated when it is cancelled or deallocated.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let body = Work.Body(action)
    add(body, after: date, interval: interval)
    return AnyCancellable { [weak self] in
      if body.cancel() { self?.noteCancel() }
    }
  }

  private func add(_ body: Work.Body, after date: SchedulerTimeType?, interval: SchedulerTimeType.Stride?) {
    state.withLock { state in
      state.queue.insert(Work(date: date ?? state.now, number: state.count, interval: interval, body: body))
      state.count += 1
    }
  }

  /// Removes cancelled work from the queue, when it is more than half of it.
  private func noteCancel() {
    state.withLock { state in
      state.cancelled += 1
      guard state.cancelled * 2 > state.queue.count else { return }
      state.queue = Heap(state.waiting)
      state.cancelled = 0
    }
  }

  // MARK: Moving the time

  /// The dates of all scheduled actions, in the order in which they will run.
  public var pending: [SchedulerTimeType] { state.withLock { $0.waiting.map(\.date) } }

  /// Moves the time forward, and runs the actions that are due until then.
  ///
  /// It traps if more than 100,000 actions run at one point in time, since time would never move on.
  ///
  /// - Parameter interval: The time interval to move by; by default zero, which runs the actions that are due now. A
  ///   negative interval traps.
  public func advance(by interval: SchedulerTimeType.Stride = 0) {
    if interval < 0 { trap(.timeTurnedBack) }
    // Read once: another thread may move the present past the end meanwhile, which is no mistake.
    let start = now
    advance(from: start, to: start.advanced(by: interval))
  }

  /// Moves the time forward to a date, and runs the actions that are due until then.
  ///
  /// It traps if more than 100,000 actions run at one point in time, since time would never move on.
  ///
  /// - Parameter date: The date to move to. A date before the current time traps.
  public func advance(to date: SchedulerTimeType) {
    let start = now
    if date < start { trap(.timeTurnedBack) }
    advance(from: start, to: date)
  }

  private func advance(from start: SchedulerTimeType, to date: SchedulerTimeType) {
    var (instant, count) = (start, 0)
    while let moved = runNext(until: date) {
      if moved != instant { (instant, count) = (moved, 0) }
      count += 1
      if count > 100_000 { trap(.endlessInstant(pending: describePending())) }
    }
  }

  /// Runs the next scheduled action, and moves the time to its date.
  ///
  /// - Returns: Whether there was an action.
  @discardableResult
  public func step() -> Bool {
    runNext(until: nil) != nil
  }

  /// Runs all scheduled actions, until none is left or the time reaches a date.
  ///
  /// ```swift
  /// let scheduler = VirtualTimeScheduler()
  /// let timer = scheduler.schedule(after: 1, interval: 1) {}
  /// do {
  ///   try scheduler.run(maxActions: 10)
  /// } catch {
  ///   print(error)
  /// }
  /// // Prints "10 actions were run, and these are left: 11s, every 1s"
  /// ```
  ///
  /// - Parameters:
  ///   - date: The date to stop at, and to move the time to. By default the time stays at the last action.
  ///   - maxActions: The maximum number of actions to run. A timer never ends without one.
  /// - Throws: An error that lists the remaining actions, if that many were run and more are left.
  public func run(until date: SchedulerTimeType? = nil, maxActions: Int = 10_000) throws(VirtualTimeBudgetExceeded) {
    for _ in 0..<max(0, maxActions) {
      if runNext(until: date) == nil { return }
    }
    // `maxActions` have been run.
    let left = state.withLock { state -> [Work] in
      let waiting = state.waiting
      guard let next = waiting.first, next.date <= date ?? next.date else {
        if let date { state.now = max(state.now, date) }
        return []
      }
      return waiting
    }
    if !left.isEmpty { throw VirtualTimeBudgetExceeded(actions: maxActions, pending: left.map(\.description)) }
  }

  /// Runs the next work that is due, until a date.
  ///
  /// - Returns: The present while it ran; `nil` if there was none.
  private func runNext(until date: SchedulerTimeType?) -> SchedulerTimeType? {
    while true {
      let (next, now) = state.withLock { ($0.next(until: date), $0.now) }
      guard let next else { return nil }
      // It has been cancelled meanwhile on another thread.
      guard let action = next.body.current else { continue }
      action()
      // The action of work that runs once is released now, even if the work's cancellable is kept.
      if next.interval == nil { _ = next.body.cancel() }
      return now
    }
  }

  private func describePending() -> [String] { state.withLock { $0.waiting.map(\.description) } }
}

extension VirtualTimeScheduler where SchedulerTimeType == VirtualTime, SchedulerOptions == Never {
  /// Creates a scheduler with virtual time.
  ///
  /// - Parameter now: The start of its time.
  public convenience init(now: VirtualTime = .zero) {
    self.init(now: now, minimumTolerance: 0)
  }
}

/// An error for a ``VirtualTimeScheduler`` that has more actions to run than its limit allows.
public struct VirtualTimeBudgetExceeded: Error, Equatable, CustomStringConvertible, Sendable {
  /// The number of actions that were run.
  public let actions: Int

  /// The remaining actions, in the order in which they are due: the date, and the interval of a repeated one.
  public let pending: [String]

  /// Creates an error with the number of actions that were run and those that remain.
  public init(actions: Int, pending: [String]) {
    self.actions = actions
    self.pending = pending
  }

  /// A text with the number of actions that were run and those that remain.
  public var description: String {
    "\(actions) actions were run, and these are left: \(pending.joined(separator: "; "))"
  }
}
