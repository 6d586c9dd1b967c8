// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A scheduler that performs actions on the loop of a host, which a closure reaches.
///
/// Use it in programs that have a loop of their own, and in which nothing runs the main queue: an app on Android, a GTK
/// window, a page in a browser, a game. All that it needs from the loop is a function that runs a block on it.
///
/// ```swift
/// /// A loop that runs when it is told to: in place of the host's.
/// final class Frames: Sendable {
///   private let blocks = Mutex<[@Sendable () -> Void]>([])
///   func post(_ block: @escaping @Sendable () -> Void) { blocks.withLock { $0.append(block) } }
///   func run() {
///     while let block = blocks.withLock({ $0.popLast() }) { block() }
///   }
/// }
///
/// let frames = Frames()
/// let scheduler = LoopScheduler { block in frames.post(block) }
/// let cancellable = [1, 2].publisher.receive(on: scheduler).sink { print($0) }
/// print("a frame")
/// frames.run()
/// // Prints "a frame", "1", "2" on three lines.
/// ```
///
/// The page <doc:LoopsOfYourOwn> shows the functions of several hosts.
///
/// The closure is not called for each action. One block at a time is on its way to the loop; it performs the actions
/// that wait by then, up to 256, and is posted again for the rest, so that the loop gets to its other work.
///
/// The time is that of a clock: by default, the continuous clock. The clock waits for a date, in a task, and the action
/// is posted then; or the loop itself waits, if a second closure says how. A loop may be early, as timers in
/// milliseconds are: then it is asked again for the rest.
///
/// **Concurrency:** actions are performed one after the other, in the order in which they become due, where the loop
/// runs the blocks. Actions may be scheduled from any thread, so the closures are called on any thread. They must not
/// run the block before they return. Actions are stored unchanged, so they must be safe where the loop runs them.
public struct LoopScheduler<C: Clock>: Scheduler, Sendable where C.Duration == Duration {
  public typealias SchedulerTimeType = ClockTime<C>
  public typealias SchedulerOptions = Never

  /// A closure that has the loop run a block once, as soon as it can.
  public typealias Post = @Sendable (_ block: @escaping @Sendable () -> Void) -> Void

  /// A closure that has the loop run a block once, after a time.
  public typealias PostLater = @Sendable (_ delay: Duration, _ block: @escaping @Sendable () -> Void) -> Void

  private let core: TimedActions<C>

  /// Creates a scheduler that performs its actions on a loop.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures the time.
  ///   - later: A closure that has the loop run a block after a time; without it, the clock wakes a task then.
  ///   - post: A closure that has the loop run a block.
  public init(clock: C = ContinuousClock(), later: PostLater? = nil, post: @escaping Post) {
    core = TimedActions(clock, later: later) { actions in LoopTurn(actions, post).post() }
  }

  // MARK: The scheduler's requirements

  /// The clock's time.
  public var now: ClockTime<C> { core.now }

  /// The clock's resolution.
  public var minimumTolerance: ClockStride { core.minimumTolerance }

  /// Performs an action on the loop as soon as the actions before it have been performed.
  public func schedule(options: Never?, _ action: @escaping () -> Void) { core.schedule(action) }

  /// Performs an action on the loop when the clock has reached a date, after actions with an earlier date, and after
  /// those with the same date that were scheduled before.
  public func schedule(
    after date: ClockTime<C>, tolerance: ClockStride, options: Never?, _ action: @escaping () -> Void
  ) { core.schedule(after: date, tolerance: tolerance, action) }

  /// Performs an action on the loop repeatedly, from a date on.
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
