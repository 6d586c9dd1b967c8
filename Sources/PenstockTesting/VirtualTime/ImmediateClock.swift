// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A Swift clock that nobody has to wait for: a sleep returns at once, and moves the time by its length.
///
/// A test gives it to code whose waits are of no interest, such as a retry with a pause, and asks the clock afterwards
/// how long they were.
///
/// ```swift
/// func dial(_ clock: some Clock<Duration>) async throws -> Int {
///   for attempt in 1...3 { try await clock.sleep(for: .seconds(attempt * 10)) }
///   return 3
/// }
///
/// let clock = ImmediateClock()
/// print(try await dial(clock), "attempts in", clock.now.time)
/// // Prints "3 attempts in 60s"
/// ```
///
/// A sleep moves the time to its date, and never back. So the sleeps of one task add up, and tasks that sleep beside each other
/// move one time, in the order in which they happen to run: where that matters, or where a test has to stop at a point in
/// time, use the ``VirtualTimeScheduler/clock`` of a ``VirtualTimeScheduler``.
///
/// A sleep does not suspend. A loop that sleeps without an end runs without an end, and a timer of a scheduler of this clock
/// ticks as fast as it can, until it is cancelled.
///
/// **Concurrency:** may be used on any thread. As with any clock, a task that is cancelled does not sleep: the sleep throws
/// `CancellationError`, and the time stays.
public final class ImmediateClock: Clock, Sendable {
  /// A point in the clock's time.
  public typealias Instant = VirtualClock.Instant

  private let time: Guarded<VirtualTime>

  /// Creates a clock with a time of its own.
  ///
  /// - Parameter now: The start of its time.
  public init(now: VirtualTime = .zero) { time = Guarded(now) }

  /// The date of the latest sleep; the start if there was none.
  public var now: Instant { Instant(time.withLock { $0 }) }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Moves the time to a date, and returns at once; throws `CancellationError` if the task is cancelled.
  ///
  /// Tolerance is ignored.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline.time) }
  }
}

extension Clock where Self == ImmediateClock {
  /// A new clock whose sleeps return at once; see ``ImmediateClock``.
  ///
  /// Each access makes one, with a time of its own.
  public static var immediate: ImmediateClock { ImmediateClock() }
}
