// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Dispatch

extension DispatchQueue {
  /// A new scheduler of virtual time with the time and the options of a queue.
  ///
  /// Each access makes one, with a time of its own. Keep it in a constant, to move the time.
  ///
  /// ```swift
  /// let queue = DispatchQueue.test
  /// let typed = PassthroughSubject<String, Never>()
  /// let search = typed.debounce(for: .milliseconds(300), scheduler: queue.eraseToAnyScheduler()).sink { print($0) }
  /// typed.send("gate")
  /// queue.advance(by: .milliseconds(299))
  /// print("nothing yet")
  /// queue.advance(by: .milliseconds(1))
  /// search.cancel()
  /// // Prints "nothing yet", "gate" on two lines.
  /// ```
  ///
  /// Its time begins at one second on the clock of `DispatchTime`. Its ``/PenstockTesting/VirtualTimeScheduler/clock`` begins
  /// at zero, and its ``/PenstockTesting/VirtualTimeScheduler/executor`` runs tasks in the same time.
  ///
  /// **Concurrency:** as every ``/PenstockTesting/VirtualTimeScheduler``.
  public static var test: TestSchedulerOf<DispatchQueue> { TestSchedulerOf<DispatchQueue>(now: .start) }

  /// A scheduler with the time and the options of a queue that runs actions at once, on the caller's thread.
  ///
  /// ```swift
  /// let cancellable = Just("gate").receive(on: DispatchQueue.immediate).sink { print($0) }
  /// print("returned")
  /// // Prints "gate", "returned" on two lines.
  /// ```
  ///
  /// Its time stands still, and delays are ignored: ``test`` is for code that waits.
  ///
  /// **Concurrency:** has no state, and may be used on any thread.
  public static var immediate: ImmediateSchedulerOf<DispatchQueue> { ImmediateSchedulerOf<DispatchQueue>(now: .start) }

  /// Returns a scheduler with the time and the options of a queue that must not be used.
  ///
  /// ```swift
  /// let queue = DispatchQueue.unimplemented("poll") { message in print(message.prefix { $0 != "." }) }
  /// queue.schedule { print("not run") }
  /// // Prints "The unimplemented scheduler poll was asked to run an action".
  /// ```
  ///
  /// **Concurrency:** may be used on any thread; the report runs on the thread that uses it.
  ///
  /// **Traps:** any use, unless there is a closure that reports it. The message has the name of the scheduler.
  ///
  /// - Parameters:
  ///   - name: The name in the messages.
  ///   - report: Called with the message of a use, whose action is dropped then; by default a use traps.
  /// - Returns: A scheduler that traps or reports.
  public static func unimplemented(
    _ name: String = "DispatchQueue", report: (@Sendable (String) -> Void)? = nil
  ) -> UnimplementedSchedulerOf<DispatchQueue> {
    UnimplementedSchedulerOf<DispatchQueue>(name, now: .start, report: report)
  }
}

extension AnySchedulerOf<DispatchQueue> {
  /// Returns a scheduler without a type of its own that must not be used, in place of a queue.
  ///
  /// ```swift
  /// struct Panel {
  ///   var scheduler: AnySchedulerOf<DispatchQueue>
  ///   var title = "Gate"
  /// }
  /// // Whatever the panel does with its scheduler ends the test.
  /// let panel = Panel(scheduler: .unimplemented())
  /// print(panel.title)
  /// // Prints "Gate".
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in the messages.
  ///   - report: Called with the message of a use, whose action is dropped then; by default a use traps.
  /// - Returns: A scheduler that traps or reports.
  public static func unimplemented(
    _ name: String = "DispatchQueue", report: (@Sendable (String) -> Void)? = nil
  ) -> Self {
    // Unchecked, since another Combine may not declare the time of a queue Sendable. It is, like any number.
    Self(unchecked: DispatchQueue.unimplemented(name, report: report))
  }
}

extension DispatchQueue.SchedulerTimeType {
  /// The start of a time that is not a queue's: not zero, which Dispatch takes for the present.
  fileprivate static var start: Self { Self(DispatchTime(uptimeNanoseconds: 1_000_000_000)) }
}
