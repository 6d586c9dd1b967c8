// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A scheduler that performs an action at once, or, if it is scheduled during another action, after that one.
///
/// So a stream that feeds back into itself runs in a loop, without recursion: the stack does not grow, and a delivery
/// ends before the next one begins.
///
/// ```swift
/// let numbers = PassthroughSubject<Int, Never>()
/// let cancellable = numbers.receive(on: TrampolineScheduler()).sink { number in
///   print("begin", number)
///   if number < 2 { numbers.send(number + 1) }
///   print("end", number)
/// }
/// numbers.send(1)
/// // Prints "begin 1", "end 1", "begin 2", "end 2" on four lines.
/// ```
///
/// Without the scheduler, the second delivery begins within the first.
///
/// Copies of a scheduler are the same scheduler. Two schedulers that were created separately are independent: an action
/// of one does not wait for the other's.
///
/// The time is that of a clock: by default, the continuous clock. When the clock has reached a date, the action is
/// performed on the thread on which the clock wakes: one of the threads that Swift keeps for tasks.
///
/// **Concurrency:** actions are performed one after the other, in the order in which they become due. A thread that
/// schedules an action while none is being performed performs it, before `schedule` returns, and then all actions that
/// are scheduled meanwhile, on any thread. So an action is performed on the thread that schedules it, or on one that is
/// performing another action. Closures are stored unchanged, so they must be safe where they are called.
public struct TrampolineScheduler<C: Clock>: Scheduler, Sendable where C.Duration == Duration {
  public typealias SchedulerTimeType = ClockTime<C>
  public typealias SchedulerOptions = Never

  private let core: TimedActions<C>

  /// Creates a scheduler.
  ///
  /// - Parameter clock: The clock that measures the time.
  public init(clock: C = ContinuousClock()) {
    core = TimedActions(clock, later: nil) { actions in actions.runToEnd() }
  }

  // MARK: The scheduler's requirements

  /// The clock's time.
  public var now: ClockTime<C> { core.now }

  /// The clock's resolution.
  public var minimumTolerance: ClockStride { core.minimumTolerance }

  /// Performs an action before returning, or, during another action, after that one.
  public func schedule(options: Never?, _ action: @escaping () -> Void) { core.schedule(action) }

  /// Performs an action when the clock has reached a date, or at once if it has already.
  public func schedule(
    after date: ClockTime<C>, tolerance: ClockStride, options: Never?, _ action: @escaping () -> Void
  ) { core.schedule(after: date, tolerance: tolerance, action) }

  /// Performs an action repeatedly, from a date on.
  ///
  /// Tick *k* is due at the start plus *k* intervals, however late earlier ticks were. A tick that is due while the
  /// previous one still waits is left out, as by a timer of Dispatch. An interval of zero or less is 0.0001 s, as for a
  /// `Timer`.
  ///
  /// - Returns: A cancellable; the action is not performed again when it is cancelled or deallocated.
  public func schedule(
    after date: ClockTime<C>, interval: ClockStride, tolerance: ClockStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable { core.schedule(after: date, interval: interval, tolerance: tolerance, action) }
}
