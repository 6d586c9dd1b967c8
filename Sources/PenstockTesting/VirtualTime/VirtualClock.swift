// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A Swift clock whose time is that of a scheduler of virtual time.
///
/// Code that takes a clock waits in virtual time with it; so do schedulers that are made of a clock.
///
/// ```swift
/// let scheduler = VirtualTimeScheduler()
/// let clock = VirtualClock(scheduler)
/// let sleeper = Task {
///   try await clock.sleep(for: .seconds(60))
///   return scheduler.now
/// }
/// while scheduler.pending.isEmpty { await Task.yield() }
/// scheduler.advance(by: 60)
/// print(try await sleeper.value)
/// // Prints "60s".
/// ```
///
/// **Concurrency:** a task that sleeps is resumed by the call that moves the time, and runs when the runtime lets it: the
/// call does not wait for it.
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

  private let scheduler: VirtualTimeScheduler<VirtualTime, Never>

  /// Creates a clock with a scheduler's time.
  public init(_ scheduler: VirtualTimeScheduler<VirtualTime, Never>) { self.scheduler = scheduler }

  /// The scheduler's time.
  public var now: Instant { Instant(scheduler.now) }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until the scheduler's time has reached a date; throws `CancellationError` if the task is cancelled.
  ///
  /// Tolerance is ignored.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        sleeper.wait(continuation) { call(at: deadline) { sleeper.wake() } }
      }
    } onCancel: {
      sleeper.cancel()
    }
  }
}

extension VirtualClock: CallingClock {
  package func call(at date: Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let alarm = Alarm()
    // Repeated work can be cancelled, and is removed then; it is cancelled at its first turn.
    alarm.set(
      scheduler.schedule(after: date.time, interval: .seconds(1)) {
        if alarm.end() { action() }
      })
    // The date may have been reached before, or another thread has moved the time meanwhile: the scheduler would get to the
    // work when the time is moved next.
    if date.time <= scheduler.now, alarm.end() { action() }
    return { _ = alarm.end() }
  }

  /// Work of the scheduler's that may be over before its cancellable is known.
  private final class Alarm: Sendable {
    private struct State {
      var isOver = false
      var work: AnyCancellable?
    }

    private let state = Guarded(State())

    func set(_ work: any Cancellable) {
      let work = AnyCancellable(work)
      let isOver = state.withLock { state in
        if !state.isOver { state.work = work }
        return state.isOver
      }
      if isOver { work.cancel() }
    }

    /// - Returns: Whether it was not over before.
    func end() -> Bool {
      let (isFirst, work) = state.withLock { state in
        defer { state.isOver = true }
        return (!state.isOver, state.work.take())
      }
      work?.cancel()
      return isFirst
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
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    self.init(nanoseconds: Int(clamping: nanoseconds))
  }
}
