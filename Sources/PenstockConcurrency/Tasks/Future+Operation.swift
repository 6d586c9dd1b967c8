// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Future {
  /// Creates a future and starts a task that computes its result.
  ///
  /// ```swift
  /// struct Thermometer {
  ///   func level() async -> Int { 7 }
  /// }
  /// let thermometer = Thermometer()
  /// let level = Future { await thermometer.level() }
  /// print(await level.value)
  /// // Prints "7"
  /// ```
  ///
  /// The task starts at once and runs only once, and every subscriber receives its result, as for every future. The
  /// closure runs in the isolation in which it is written, as a closure of `Task.init` does: on the main actor, for
  /// example, in a method of a view model.
  ///
  /// The future owns the task. As soon as nothing refers to the future any more, its task is cancelled; a subscription
  /// refers to the future until the subscription is cancelled. So if only subscriptions refer to the future, its task
  /// is cancelled with the last of them, while the task of a future in a variable continues.
  ///
  /// **Demand:** a value waits for the first request, of any size.
  ///
  /// **Completion:** `.finished` follows the value at once. A cancelled task may still return a value, which nobody
  /// receives.
  ///
  /// **Failure:** the error that the closure throws; `any Error` unless it declares a type:
  /// `Future { () async throws(LevelError) -> Int in … }`.
  ///
  /// **Concurrency:** the result is delivered on the thread on which the task has ended, or on the one that requests it
  /// later. The task has the task-local values of the code that creates the future, and its priority unless another is
  /// given.
  ///
  /// Use `Deferred` to run the closure for each subscriber, and only then.
  ///
  /// - Parameters:
  ///   - name: The task's name, which debuggers and profilers show.
  ///   - priority: The task's priority; `nil` for that of the code that creates the future.
  ///   - operation: A closure that computes the result.
  @inlinable
  public convenience init(
    name: String? = nil, priority: TaskPriority? = nil,
    @_inheritActorContext operation: sending @escaping @isolated(any) () async throws(Failure) -> Output
  ) where Output: Sendable {
    self.init()
    // The task fulfils the future if anything still refers to it.
    let future = WeakReference(self)
    own(
      TaskOwner(
        Task(name: name, priority: priority) {
          let result: Result<Output, Failure>
          do throws(Failure) {
            result = .success(try await operation())
          } catch {
            result = .failure(error)
          }
          future.object?.fulfill(result)
        }))
  }
}
