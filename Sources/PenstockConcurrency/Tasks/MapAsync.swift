// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Sendable {
  /// Transforms each value with an asynchronous closure.
  ///
  /// ![Two values at a time are transformed by tasks. The result of the second comes first, and waits for its
  /// turn.](map-async)
  ///
  /// ```swift
  /// let titles = [3, 1, 2].publisher.mapAsync(maxTasks: .max(3)) { number in
  ///   for _ in 0..<number { await Task.yield() }
  ///   return "page \(number)"
  /// }
  /// for await title in titles.values { print(title) }
  /// // Prints "page 3", "page 1", "page 2" on three lines.
  /// ```
  ///
  /// The results are published in the order of the values, however long each takes. With `inOrder: false`, a result is
  /// published as soon as it is available.
  ///
  /// **Demand:** `maxTasks` values are requested from upstream, and one more whenever a result has been delivered, so
  /// that the running tasks, and the results that wait for an earlier one or for demand, are never more than that. The
  /// default of one task at a time never waits for a slower task, and keeps the order. Upstream has to honour demand:
  /// put a `buffer(size:prefetch:whenFull:)` after a subject, which would drop the values that arrive while all tasks
  /// are taken. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` when upstream has finished and all results have been delivered. A cancel cancels upstream,
  /// and then every task.
  ///
  /// **Failure:** an error that the closure throws ends the stream, after the results of earlier values if the order is
  /// kept; a failure of upstream ends it at once. Either cancels every other task, and drops the results that wait.
  ///
  /// **Concurrency:** the closure runs in a task of its own for each value, off every actor unless it is isolated. The
  /// task has the task-local values and, unless one is given, the priority of the code that delivers the value: with a
  /// subject, that is the code that calls `send(_:)`; after a scheduler, such as a queue, there are no task-local
  /// values. Results are delivered one at a time, on the threads on which the tasks end.
  ///
  /// **Traps:** a `maxTasks` of none.
  ///
  /// Use `map(_:)` for a closure that does not wait, `flatMap(maxPublishers:_:)` with an asynchronous closure for a
  /// closure that returns a publisher, and `map { value in Deferred { await … } }.switchToLatest()` to cancel the task
  /// of a value when the next one comes.
  ///
  /// - Parameters:
  ///   - maxTasks: The maximum number of tasks, and results that wait, at a time.
  ///   - inOrder: Whether the results come in the order of the values.
  ///   - priority: The priority of each task; `nil` for that of the code that delivers the value.
  ///   - transform: A closure that transforms a value.
  /// - Returns: A publisher of the results.
  @inlinable
  public consuming func mapAsync<T: Sendable>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = true, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> T
  ) -> Publishers.Lifted<T, Failure> {
    checkLimit(maxTasks, of: "mapAsync(maxTasks:)")
    return startTasks(maxTasks, inOrder, priority, transform)
  }

  /// Transforms each value with an asynchronous closure that may throw any error.
  ///
  /// ![The task of 2 throws: the task of 3 and upstream are cancelled, and the output fails.](try-map-async)
  ///
  /// It works as `mapAsync`, for an upstream whose failure type differs from the closure's.
  ///
  /// ```swift
  /// struct Unreadable: Error {}
  /// let levels = ["1", "x", "2"].publisher.tryMapAsync { text in
  ///   guard let level = Int(text) else { throw Unreadable() }
  ///   return level
  /// }
  /// do {
  ///   for try await level in levels.values { print(level) }
  /// } catch {
  ///   print(error)
  /// }
  /// // Prints "1", "Unreadable()" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for `mapAsync`. **Failure:** upstream's, or the error that
  /// the closure throws. **Traps:** a `maxTasks` of none.
  ///
  /// - Parameters:
  ///   - maxTasks: The maximum number of tasks, and results that wait, at a time.
  ///   - inOrder: Whether the results come in the order of the values.
  ///   - priority: The priority of each task; `nil` for that of the code that delivers the value.
  ///   - transform: A closure that transforms a value.
  /// - Returns: A publisher of the results.
  @inlinable
  public consuming func tryMapAsync<T: Sendable>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = true, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws -> T
  ) -> Publishers.Lifted<T, any Error> {
    checkLimit(maxTasks, of: "tryMapAsync(maxTasks:)")
    return mapError { $0 as any Error }.startTasks(maxTasks, inOrder, priority, transform)
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Transforms each value of a publisher that cannot fail with an asynchronous closure that may throw.
  ///
  /// ![Two values at a time are transformed by tasks. The result of the second comes first, and waits for its
  /// turn.](map-async)
  ///
  /// It works as `mapAsync` for a publisher with a failure type.
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as there. **Failure:** the error that the closure throws;
  /// `any Error` unless it declares a type: `{ value async throws(LevelError) in … }`. **Traps:** a `maxTasks` of none.
  ///
  /// - Parameters:
  ///   - maxTasks: The maximum number of tasks, and results that wait, at a time.
  ///   - inOrder: Whether the results come in the order of the values.
  ///   - priority: The priority of each task; `nil` for that of the code that delivers the value.
  ///   - transform: A closure that transforms a value.
  /// - Returns: A publisher of the results.
  @_disfavoredOverload
  @inlinable
  public consuming func mapAsync<T: Sendable, E: Error>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = true, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(E) -> T
  ) -> Publishers.Lifted<T, E> {
    checkLimit(maxTasks, of: "mapAsync(maxTasks:)")
    return setFailureType(to: E.self).startTasks(maxTasks, inOrder, priority, transform)
  }
}

extension Publisher {
  /// Applies a closure to each value, in a task of its own.
  @inlinable
  internal func startTasks<T: Sendable>(
    _ maxTasks: Subscribers.Demand, _ inOrder: Bool, _ priority: TaskPriority?,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> T
  ) -> Publishers.Lifted<T, Failure> where Output: Sendable {
    lift { TaskStage(MapAsyncStarter(priority: priority, transform: transform), maxTasks: maxTasks, inOrder: inOrder) }
  }
}

/// The part of `mapAsync` that starts a task for each value.
@usableFromInline
internal struct MapAsyncStarter<Input: Sendable, Output: Sendable, Failure: Error>: TaskStarter {
  @usableFromInline internal let priority: TaskPriority?
  @usableFromInline internal let transform: @Sendable (Input) async throws(Failure) -> Output

  @inlinable
  internal init(priority: TaskPriority?, transform: @escaping @Sendable (Input) async throws(Failure) -> Output) {
    self.priority = priority
    self.transform = transform
  }

  @inlinable
  internal static var name: String { "MapAsync" }

  @inlinable
  internal func start(
    _ input: Input, _ end: @escaping @Sendable (Result<Output, Failure>) -> Void
  ) -> Task<Void, Never> {
    Task(priority: priority) { [transform] in
      let result: Result<Output, Failure>
      do throws(Failure) {
        result = .success(try await transform(input))
      } catch {
        result = .failure(error)
      }
      end(result)
    }
  }
}
