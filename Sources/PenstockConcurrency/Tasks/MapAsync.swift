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
  /// The results come in the order of the values, however long each takes. With `inOrder: false` a result comes as soon
  /// as it is there.
  ///
  /// **Demand:** `maxTasks` values are requested from upstream, and one more whenever a result has been delivered, so that the
  /// number of tasks that run, and of results that wait for an earlier one or for demand, is never more than that. The default of one task at a time never waits for a slower one and loses no order. Upstream
  /// has to honour demand: put a `buffer(size:prefetch:whenFull:)` behind a subject, which
  /// would drop the values that come while all tasks are taken. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` when upstream has finished and all results have been delivered. A cancel cancels upstream,
  /// and then every task.
  ///
  /// **Failure:** what the closure throws ends the stream, behind the results of earlier values if the order is kept;
  /// a failure of upstream ends it at once. Either cancels every other task, and drops the results that wait.
  ///
  /// **Concurrency:** the closure runs in a task of its own for each value, off every actor unless it is isolated. The
  /// task has the task-local values and, unless one is given, the priority of the code that delivers the value: the one
  /// that calls `send(_:)` of a subject, but none behind a scheduler such as a queue. Results are delivered one at a
  /// time, on the threads on which the tasks end.
  ///
  /// **Traps:** a `maxTasks` of none.
  ///
  /// Use `map(_:)` for a closure that does not wait,
  /// `flatMap(maxPublishers:_:)` with an asynchronous closure for one that returns a publisher,
  /// and `map { value in Deferred { await … } }.switchToLatest()` to cancel the task of a value when the next one comes.
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
  /// It works as `mapAsync`, for an upstream whose failures are not those of the closure.
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
  /// **Demand:**, **Completion:** and **Concurrency:** as for `mapAsync`. **Failure:** upstream's, or what the closure
  /// throws. **Traps:** a `maxTasks` of none.
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
  /// **Demand:**, **Completion:** and **Concurrency:** as there. **Failure:** what the closure throws; `any Error` unless
  /// it declares a type: `{ value async throws(LevelError) in … }`. **Traps:** a `maxTasks` of none.
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
  /// Applies a closure in a task of its own to each value.
  @inlinable
  internal func startTasks<T: Sendable>(
    _ maxTasks: Subscribers.Demand, _ inOrder: Bool, _ priority: TaskPriority?,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> T
  ) -> Publishers.Lifted<T, Failure> where Output: Sendable {
    lift { TaskStage(MapAsyncStarter(priority: priority, transform: transform), maxTasks: maxTasks, inOrder: inOrder) }
  }
}

/// What `mapAsync` does for each value.
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
