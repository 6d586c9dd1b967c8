// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import HeapModule
public import PenstockCore

/// A scheduler whose time stands still until somebody moves it.
///
/// Tests of code that waits take no time with it, and come out the same every time.
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
/// `VirtualTimeScheduler<DispatchQueue.SchedulerTimeType, DispatchQueue.SchedulerOptions>(now: .init(.now()))`. Where no
/// particular scheduler is meant, `VirtualTimeScheduler()` counts ``VirtualTime``.
///
/// Work runs in the order of its dates, and work with the same date in the order in which it was scheduled. That holds
/// for repeating work, too: a tick comes before everything that was scheduled for its date after the timer was. Tick *k*
/// is due at the start plus *k* intervals, however late the ticks before it ran. While work runs, ``now`` is its date;
/// work that is scheduled for the past runs next, and does not turn time back.
///
/// **Concurrency:** work may be scheduled and cancelled on any thread, also while another one moves the time, and from
/// inside of work. It runs on the thread that moves the time, one after the other if that is one thread. No lock is held
/// while it runs. Closures are kept as they come, so code that runs them has to be safe on the thread that does.
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

  /// Makes a scheduler whose time stands at a given point.
  ///
  /// - Parameters:
  ///   - now: Where time begins.
  ///   - minimumTolerance: What the scheduler says of its tolerance; it is always on time.
  public init(now: SchedulerTimeType, minimumTolerance: SchedulerTimeType.Stride = 0) {
    state = Guarded(State(now: now, minimumTolerance: minimumTolerance))
  }

  // MARK: The scheduler's requirements

  /// The present, which stands still.
  public var now: SchedulerTimeType { state.withLock { $0.now } }

  /// What was given when the scheduler was made.
  public var minimumTolerance: SchedulerTimeType.Stride { state.withLock { $0.minimumTolerance } }

  /// Runs an action in the present, at the next move of the time.
  ///
  /// The options are ignored.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    add(Work.Body(action), after: nil, interval: nil)
  }

  /// Runs an action once, when time has come to a date.
  ///
  /// Tolerance and options are ignored.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    add(Work.Body(action), after: date, interval: nil)
  }

  /// Runs an action again and again, from a date on.
  ///
  /// Tolerance and options are ignored.
  ///
  /// - Returns: The means to stop. Dropping it stops too.
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

  /// The dates of everything that waits to be run, in the order in which it will be.
  public var pending: [SchedulerTimeType] { state.withLock { $0.waiting.map(\.date) } }

  /// Moves the time on, and runs whatever is due until then.
  ///
  /// Work that lets more than 100,000 actions run at one instant traps, since it will never get further.
  ///
  /// - Parameter interval: How far to go; with nothing given, what is due in the present is run. A negative interval
  ///   traps.
  public func advance(by interval: SchedulerTimeType.Stride = 0) {
    if interval < 0 { trap(.timeTurnedBack) }
    // Read once: another thread may move the present past the end meanwhile, which is no mistake.
    let start = now
    advance(from: start, to: start.advanced(by: interval))
  }

  /// Moves the time on to a date, and runs whatever is due until then.
  ///
  /// Work that lets more than 100,000 actions run at one instant traps, since it will never get further.
  ///
  /// - Parameter date: Where to go. An earlier date than the present traps.
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

  /// Runs the one piece of work that is due next, and moves the time to its date.
  ///
  /// - Returns: Whether there was any.
  @discardableResult
  public func step() -> Bool {
    runNext(until: nil) != nil
  }

  /// Runs whatever there is, until nothing is left or time has come to a date.
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
  ///   - date: Where to stop, and to move the time to. With nothing given, the time stays where the last work left it.
  ///   - maxActions: How many actions may be run. A timer never ends by itself.
  /// - Throws: An error that lists what is left, if that many actions were run and there is more.
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
  /// Makes a scheduler with a time of its own.
  ///
  /// - Parameter now: Where time begins.
  public convenience init(now: VirtualTime = .zero) {
    self.init(now: now, minimumTolerance: 0)
  }
}

/// A ``VirtualTimeScheduler`` was given more to do than its budget allowed for.
public struct VirtualTimeBudgetExceeded: Error, Equatable, CustomStringConvertible, Sendable {
  /// How many actions were run.
  public let actions: Int

  /// What is left, in the order in which it is due: the date, and the interval of what repeats.
  public let pending: [String]

  /// Makes an error of what was done and what is left.
  public init(actions: Int, pending: [String]) {
    self.actions = actions
    self.pending = pending
  }

  /// What was done, and what is left.
  public var description: String {
    "\(actions) actions were run, and these are left: \(pending.joined(separator: "; "))"
  }
}
