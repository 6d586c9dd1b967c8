// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation
internal import PenstockCore
public import PenstockDispatch
public import PenstockFoundation
public import PenstockOperators

extension AnySchedulerOf<DispatchQueue> {
  /// The main queue as a scheduler without a type of its own.
  ///
  /// It is `DispatchQueue.main.eraseToAnyScheduler()`, for code that takes its scheduler from outside.
  ///
  /// ```swift
  /// struct Panel {
  ///   var scheduler: AnySchedulerOf<DispatchQueue> = .main
  ///   func shown(_ levels: some Publisher<Int, Never>) -> some Publisher<Int, Never> { levels.receive(on: scheduler) }
  /// }
  /// let cancellable = Panel(scheduler: .immediate).shown([1, 2].publisher).sink { print($0) }
  /// print("returned")
  /// // Prints "1", "2", "returned" on three lines.
  /// ```
  ///
  /// **Concurrency:** may be used on any thread; actions run on the main thread, never before the call has returned.
  public static var main: Self { Self(DispatchQueue.main) }

  /// Returns the global queue of a quality of service as a scheduler without a type of its own.
  ///
  /// ```swift
  /// let scheduler: AnySchedulerOf<DispatchQueue> = .global(qos: .utility)
  /// let group = DispatchGroup()
  /// scheduler.schedule(options: .init(group: group)) { print("on a global queue") }
  /// group.wait()
  /// // Prints "on a global queue".
  /// ```
  ///
  /// **Concurrency:** may be used on any thread; actions run on the queue's threads, several at a time.
  ///
  /// - Parameter qos: The quality of service.
  /// - Returns: A scheduler that passes everything on to the queue.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> Self { Self(DispatchQueue.global(qos: qos)) }

  /// A scheduler with the time of a queue that runs actions at once, on the caller's thread.
  ///
  /// Its time stands still, at one second on the clock of `DispatchTime`, so that a test finds the same times in each run;
  /// `immediate(now:)` takes another time.
  ///
  /// ```swift
  /// let scheduler: AnySchedulerOf<DispatchQueue> = .immediate
  /// let cancellable = Just("gate").delay(for: .seconds(10), scheduler: scheduler).sink { print($0) }
  /// print("returned")
  /// // Prints "gate", "returned" on two lines.
  /// ```
  ///
  /// **Concurrency:** has no state, and may be used on any thread.
  public static var immediate: Self {
    // Not zero, which means the present to Dispatch.
    immediate(now: DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1_000_000_000)))
  }
}

extension AnySchedulerOf<RunLoop> {
  /// The main run loop as a scheduler without a type of its own.
  ///
  /// It is `AnyScheduler(unchecked: RunLoop.main)`, for code that takes its scheduler from outside.
  ///
  /// ```swift
  /// func late(_ level: Int, on scheduler: AnySchedulerOf<RunLoop> = .main) -> some Publisher<Int, Never> {
  ///   Just(level).delay(for: .seconds(5), scheduler: scheduler)
  /// }
  /// let cancellable = late(3, on: .immediate).sink { print($0) }
  /// // Prints "3".
  /// ```
  ///
  /// **Concurrency:** may be used on any thread; actions run on the main thread, while it runs its loop.
  public static var main: Self { Self(unchecked: RunLoop.main) }

  /// A scheduler with the time of a run loop that runs actions at once, on the caller's thread.
  ///
  /// Its time stands still, at the reference date of `Date`; `immediate(now:)` takes another time.
  ///
  /// ```swift
  /// let scheduler: AnySchedulerOf<RunLoop> = .immediate
  /// print(scheduler.now.date.timeIntervalSinceReferenceDate)
  /// // Prints "0.0".
  /// ```
  ///
  /// **Concurrency:** has no state, and may be used on any thread.
  public static var immediate: Self {
    immediate(now: RunLoop.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 0)))
  }
}

extension AnySchedulerOf<OperationQueue> {
  /// The operation queue of the main thread as a scheduler without a type of its own.
  ///
  /// It is `OperationQueue.main.eraseToAnyScheduler()`, for code that takes its scheduler from outside.
  ///
  /// ```swift
  /// func late(_ level: Int, on scheduler: AnySchedulerOf<OperationQueue> = .main) -> some Publisher<Int, Never> {
  ///   Just(level).delay(for: .seconds(5), scheduler: scheduler)
  /// }
  /// let cancellable = late(3, on: .immediate).sink { print($0) }
  /// // Prints "3".
  /// ```
  ///
  /// **Concurrency:** may be used on any thread; actions run on the main thread.
  public static var main: Self { Self(OperationQueue.main) }

  /// A scheduler with the time of an operation queue that runs actions at once, on the caller's thread.
  ///
  /// Its time stands still, at the reference date of `Date`; `immediate(now:)` takes another time.
  ///
  /// ```swift
  /// let scheduler: AnySchedulerOf<OperationQueue> = .immediate
  /// print(scheduler.now.date.timeIntervalSinceReferenceDate)
  /// // Prints "0.0".
  /// ```
  ///
  /// **Concurrency:** has no state, and may be used on any thread.
  public static var immediate: Self {
    immediate(now: OperationQueue.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 0)))
  }
}
