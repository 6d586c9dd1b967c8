// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A Swift clock whose time is that of a scheduler of virtual time.
///
/// Code that takes a clock waits in virtual time with it; so do schedulers that are made from a clock.
///
/// ```swift
/// let time = VirtualTimeScheduler()
/// let sleeper = Task { [clock = time.clock] in
///   try await clock.sleep(for: .seconds(60))
///   return clock.now.time
/// }
/// try await time.clock.sleepers(1)
/// await time.advance(by: 60)
/// print(try await sleeper.value)
/// // Prints "60s".
/// ```
///
/// This task runs on Swift's own threads. So the test waits until the task sleeps, and after the move it waits for the
/// task's result. A task on the scheduler's ``VirtualTimeScheduler/executor`` needs neither: it runs while the time is
/// moved, and has ended, or sleeps again, when `advance` returns.
///
/// The clock of a scheduler with another type of time begins at zero. Tolerance is ignored.
///
/// **Concurrency:** may be used on any thread. A task that sleeps is resumed by the call that moves the time, and by its
/// cancellation.
public struct VirtualClock: Clock, Sendable {
  /// A point in the clock's time.
  public struct Instant: InstantProtocol {
    /// The scheduler's form of the point.
    public var time: VirtualTime

    /// Creates a point from the scheduler's form.
    public init(_ time: VirtualTime) { self.time = time }

    /// Returns the point that is a duration later.
    public func advanced(by duration: Duration) -> Self { Self(time.advanced(by: VirtualTime.Stride(duration))) }

    /// Returns the duration to another point; negative if that is earlier.
    public func duration(to other: Self) -> Duration { .nanoseconds(time.distance(to: other.time).nanoseconds) }

    /// Returns whether one point is earlier than another.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.time < rhs.time }
  }

  private let timeline: any VirtualTimeline

  /// Creates a clock with a scheduler's time.
  public init<Time, Options>(_ scheduler: VirtualTimeScheduler<Time, Options>) { timeline = scheduler }

  /// The scheduler's time.
  public var now: Instant { Instant(timeline.virtualNow) }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until the scheduler's time has reached a date; throws `CancellationError` if the task is cancelled.
  ///
  /// Tolerance is ignored.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let sleeper = Sleeper()
    let origin = VirtualWorkOrigin(isSleeper: true, label: "\(Self.currentTask) sleeps")
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        sleeper.wait(continuation) { call(at: deadline, origin) { sleeper.wake() } }
      }
    } onCancel: {
      sleeper.cancel()
    }
  }

  /// The text for the task in a list of pending work.
  private static var currentTask: String {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), let name = Task.name else {
      return "a task"
    }
    return "task \"\(name)\""
  }

  /// Suspends until a number of tasks sleep on the clock at the same time.
  ///
  /// Afterwards the time can be moved: none of these tasks misses its date. The method does not poll: it is resumed
  /// when a task begins to sleep. Timers of the scheduler do not count.
  ///
  /// Tasks of the scheduler's ``VirtualTimeScheduler/executor`` run meanwhile, and the time stands still. If the number is
  /// never reached, a test ends by its time limit, which cancels it; the error then lists what was scheduled.
  ///
  /// - Parameters:
  ///   - count: The number of tasks.
  ///   - maxEvents: The number of actions that may be scheduled, and of turns that tasks may take, before it gives up.
  ///   - fileID: The file that the error names.
  ///   - line: The line that the error names.
  /// - Throws: An error that lists what is scheduled, if the task is cancelled or there have been too many events.
  public func sleepers(
    _ count: Int = 1, maxEvents: Int = 10_000, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws(VirtualTimeWaitEnded) {
    try await timeline.wait("sleepers(\(count))", maxEvents, VirtualWorkOrigin.place(fileID, line)) {
      $0.asleep >= count
    }
  }
}

extension VirtualTimeScheduler {
  /// A clock with this scheduler's time.
  public var clock: VirtualClock { VirtualClock(self) }
}

extension VirtualClock: CallingClock {
  package func call(at date: Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    call(at: date, VirtualWorkOrigin(label: "a scheduler of this clock"), action)
  }

  private func call(
    at date: Instant, _ origin: VirtualWorkOrigin, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let body = timeline.addVirtual(action, after: date.time, origin)
    // The date may have been reached before, or another thread has moved the time meanwhile: otherwise the scheduler
    // would run the work only when the time is moved next.
    if date.time <= timeline.virtualNow { body.take()?() }
    return { [timeline] in
      if body.take() != nil { timeline.noteCancel() }
    }
  }

  /// A task that sleeps: resumed once, by the time or by its cancellation.
  private final class Sleeper: Sendable {
    private struct State {
      var isCancelled = false
      var continuation: UnsafeContinuation<Void, any Error>?
      var cancelCall: (@Sendable () -> Void)?
    }

    private let state = Guarded(State())

    func wait(
      _ continuation: UnsafeContinuation<Void, any Error>, _ call: () -> @Sendable () -> Void
    ) {
      let isCancelled = state.withLock { state in
        if !state.isCancelled { state.continuation = continuation }
        return state.isCancelled
      }
      if isCancelled { return continuation.resume(throwing: CancellationError()) }
      let cancelCall = call()
      let isOver = state.withLock { state in
        if state.continuation != nil { state.cancelCall = cancelCall }
        return state.continuation == nil
      }
      if isOver { cancelCall() }
    }

    func wake() { state.withLock { $0.continuation.take() }?.resume() }

    func cancel() {
      let (continuation, cancelCall) = state.withLock { state in
        state.isCancelled = true
        return (state.continuation.take(), state.cancelCall.take())
      }
      cancelCall?()
      continuation?.resume(throwing: CancellationError())
    }
  }
}

extension VirtualTime.Stride {
  /// Creates a time interval of a duration's length, to the nearest nanosecond that can be counted.
  public init(_ duration: Duration) {
    self.init(nanoseconds: duration.nanoseconds)
  }
}
