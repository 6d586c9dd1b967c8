// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Deferred {
  /// Creates a publisher that starts a task for each subscriber, and publishes its result.
  ///
  /// ```swift
  /// actor Counter {
  ///   var count = 0
  ///   func next() -> Int {
  ///     count += 1
  ///     return count
  ///   }
  /// }
  /// let counter = Counter()
  /// let attempt = Deferred { await counter.next() }
  /// for await number in attempt.append(attempt).values { print(number) }
  /// // Prints "1", "2" on two lines.
  /// ```
  ///
  /// Nothing runs before a subscription. So `retry(_:)` runs the closure again, which is not possible with a `Future`.
  ///
  /// A closure that does not await anything returns a publisher, as in Combine: `Deferred { Just(7) }`.
  ///
  /// **Demand:** a value waits for the first request, of any size. The task does not.
  ///
  /// **Completion:** `.finished` follows the value at once. A cancel cancels the task.
  ///
  /// **Failure:** the error that the closure throws; `any Error` unless it declares a type:
  /// `Deferred { () async throws(LevelError) -> Int in … }`.
  ///
  /// **Concurrency:** the result is delivered on the thread on which the task has ended, or on the one that requests it
  /// later. Each task has the task-local values and, unless one is given, the priority of the code that subscribes, not
  /// of the code that creates the publisher.
  ///
  /// - Parameters:
  ///   - name: The name of each task, which debuggers and profilers show.
  ///   - priority: The priority of each task; `nil` for that of the code that subscribes.
  ///   - operation: A closure that computes the result for a subscriber.
  @_disfavoredOverload
  @inlinable
  public init<Output: Sendable, Failure: Error>(
    name: String? = nil, priority: TaskPriority? = nil,
    operation: @escaping @Sendable () async throws(Failure) -> Output
  ) where DeferredPublisher == Future<Output, Failure> {
    self.init { Future(name: name, priority: priority, operation: operation) }
  }
}
