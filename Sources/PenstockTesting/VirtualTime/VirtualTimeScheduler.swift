// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import HeapModule

/// A scheduler whose time moves only when a test moves it.
///
/// With it, tests of code that waits take no time, and give the same result every time.
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
/// It is generic over the time and the options of any scheduler, so that code written for another scheduler runs on it:
/// `TestSchedulerOf<RunLoop>(now: RunLoop.main.now)`, or `DispatchQueue.test` of `PenstockTestingDispatch`. If no
/// particular scheduler is meant, `VirtualTimeScheduler()` counts ``VirtualTime``.
///
/// For code that waits in tasks, ``clock`` and ``executor`` have the same time. In an asynchronous test the methods
/// that move the time are asynchronous, too.
///
/// Actions run in the order of their dates, and actions with the same date in the order in which they were scheduled.
/// That holds for repeated actions, too: a tick comes before everything that was scheduled for its date after the timer
/// was. Tick *k* is due at the start plus *k* intervals, however late earlier ticks ran. While an action runs, ``now``
/// is its date; an action that is scheduled for the past runs next, and does not turn time back.
///
/// **Concurrency:** actions may be scheduled and cancelled on any thread, even while another thread moves the time, and
/// by other actions. They run on the thread that moves the time, one after the other if only one thread moves it. The
/// intervals by which several threads move it at once add up. No lock is held while actions run. Closures are stored
/// unchanged, so they must be safe on the thread that runs them.
public final class VirtualTimeScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler, Sendable
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  internal typealias Work = VirtualWork<SchedulerTimeType>

  internal struct State {
    var now: SchedulerTimeType
    let start: SchedulerTimeType
    let minimumTolerance: SchedulerTimeType.Stride
    var queue = Heap<Work>()
    /// The number of pieces of work that have been scheduled.
    var count = 0
    /// The approximate number of cancelled pieces of work in the queue.
    var cancelled = 0
    /// The moves by an interval that have not come to their end.
    var moves: [VirtualTimeMove<SchedulerTimeType>] = []
    /// The number of moves by an interval that have begun.
    var moveCount = 0

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

    /// How much of the work has not been cancelled.
    var counts: VirtualTimeWaits.Counts {
      queue.unordered.reduce(into: VirtualTimeWaits.Counts()) { counts, work in
        guard work.body.isWaiting else { return }
        counts.scheduled += 1
        if work.origin.isSleeper { counts.asleep += 1 }
      }
    }
  }

  internal let state: Guarded<State>

  /// Runs tasks in this scheduler's time.
  public let executor = VirtualTimeExecutor()

  /// Creates a scheduler whose time starts at a given point.
  ///
  /// - Parameters:
  ///   - now: The start of its time.
  ///   - minimumTolerance: The minimum tolerance it reports; it is always on time.
  public init(now: SchedulerTimeType, minimumTolerance: SchedulerTimeType.Stride = 0) {
    state = Guarded(State(now: now, start: now, minimumTolerance: minimumTolerance))
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
    add(action, after: nil)
  }

  /// Runs an action once, when the time reaches a date.
  ///
  /// Tolerance and options are ignored.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    add(action, after: date)
  }

  /// Runs an action repeatedly, from a date on.
  ///
  /// An interval of zero or less is 0.0001 s, as for a `Timer`. Tolerance and options are ignored.
  ///
  /// - Returns: A cancellable; the action is no longer repeated when it is cancelled or deallocated.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    addRepeating(action, after: date, interval: interval)
  }

  internal func addRepeating(
    _ action: @escaping () -> Void, after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    origin: VirtualWorkOrigin = VirtualWorkOrigin()
  ) -> any Cancellable {
    let (interval, now) = (interval.asRepeated, now)
    // As with other timers, missed ticks are not made up for: a date may be years ago.
    let first = date < now && date.advanced(by: interval) < now ? now : date
    let body = add(action, after: first, interval: interval, origin: origin)
    return AnyCancellable { [weak self] in
      if body.take() != nil { self?.noteCancel() }
    }
  }

  @discardableResult
  internal func add(
    _ action: @escaping () -> Void, after date: SchedulerTimeType?, interval: SchedulerTimeType.Stride? = nil,
    origin: VirtualWorkOrigin = VirtualWorkOrigin()
  ) -> VirtualWorkBody {
    let (waits, body) = (executor.waits, VirtualWorkBody(action))
    let counts = state.withLock { state in
      state.queue.insert(
        Work(date: date ?? state.now, number: state.count, interval: interval, origin: origin, body: body))
      state.count += 1
      return waits.isEmpty ? nil : state.counts
    }
    if let counts {
      waits.note(counts)
      waits.noteTurn()
    }
    return body
  }

  /// Removes cancelled work from the queue, when it is more than half of it.
  internal func noteCancel() {
    state.withLock { state in
      state.cancelled += 1
      guard state.cancelled * 2 > state.queue.count else { return }
      state.queue = Heap(state.waiting)
      state.cancelled = 0
    }
  }

  /// The dates of all scheduled actions, in the order in which they will run.
  public var pending: [SchedulerTimeType] { state.withLock { $0.waiting.map(\.date) } }
}

extension VirtualTimeScheduler where SchedulerTimeType == VirtualTime, SchedulerOptions == Never {
  /// Creates a scheduler with virtual time.
  ///
  /// - Parameter now: The start of its time.
  public convenience init(now: VirtualTime = .zero) {
    self.init(now: now, minimumTolerance: 0)
  }
}
