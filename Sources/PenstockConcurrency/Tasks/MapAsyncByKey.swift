// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Sendable {
  /// Transforms each value with an asynchronous closure, one at a time among values with the same key.
  ///
  /// ![Of the values with the same letter, one at a time is transformed. The others do not wait for
  /// it.](map-async-by)
  ///
  /// ```swift
  /// actor Ledger {
  ///   private var balances: [String: Int] = [:]
  ///   func book(_ amount: Int, on account: String) -> String {
  ///     balances[account, default: 0] += amount
  ///     return "\(account): \(balances[account, default: 0])"
  ///   }
  /// }
  /// let ledger = Ledger()
  /// let bookings = [("rent", 900), ("food", 20), ("rent", -900)].publisher
  /// let lines = bookings.mapAsync(maxTasks: .max(40), by: { $0.0 }) { booking in
  ///   await ledger.book(booking.1, on: booking.0)
  /// }
  /// for await line in lines.filter({ $0.hasPrefix("rent") }).values { print(line) }
  /// // Prints "rent: 900", "rent: 0" on two lines.
  /// ```
  ///
  /// A value whose key has no task starts at once; any other waits, and starts when all earlier values of its key have
  /// been transformed. So the results of a key are published in the order of its values, and results of different keys
  /// as soon as they are available.
  ///
  /// **Demand:** `maxTasks` values are requested from upstream, and one more whenever a result has been delivered, so
  /// that the running tasks, the values that wait for their key, and the results that wait for demand are never more
  /// than `maxTasks` together. Values of one key may take all of these places, and then the others have to wait
  /// upstream: a larger number lets more keys run beside a busy one. Upstream has to honour demand: put a
  /// `buffer(size:prefetch:whenFull:)` after a subject, which would drop the values that arrive while all places are
  /// taken. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` when upstream has finished and all results have been delivered. A cancel cancels every
  /// task, and drops the values that wait: the closure is not called with them.
  ///
  /// **Failure:** an error that the closure throws, or a failure of upstream, ends the stream at once. It cancels every
  /// other task, and drops the values and the results that wait.
  ///
  /// **Concurrency:** the closure for the key is called once, on the thread that delivers the value; no lock is held
  /// while the key is looked up. The closure runs in a task of its own for each value, off every actor unless it is
  /// isolated. The task has the task-local values and, unless one is given, the priority of the code that delivers the
  /// value, even if it has to wait. Results are delivered one at a time, on the threads on which the tasks end. Nothing
  /// is kept for a key without a value.
  ///
  /// **Traps:** a `maxTasks` of none.
  ///
  /// Use `mapAsync(maxTasks:inOrder:priority:_:)` if any two values may be transformed at the same time.
  ///
  /// - Parameters:
  ///   - maxTasks: The maximum number of tasks, and of values and results that wait, at a time.
  ///   - key: A closure that returns a value's key.
  ///   - priority: The priority of each task; `nil` for that of the code that delivers the value.
  ///   - transform: A closure that transforms a value.
  /// - Returns: A publisher of the results.
  @inlinable
  public consuming func mapAsync<Key: Hashable & Sendable, T: Sendable>(
    maxTasks: Subscribers.Demand, by key: @escaping (Output) -> Key, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> T
  ) -> Publishers.Lifted<T, Failure> {
    checkLimit(maxTasks, of: "mapAsync(maxTasks:by:)")
    return Publishers.Lifted(
      MapAsyncByKey(upstream: self, maxTasks: maxTasks, key: key, priority: priority, transform: transform))
  }

  /// Transforms each value with an asynchronous closure that may throw any error, one at a time among values with the
  /// same key.
  ///
  /// ![Of the values with the same letter, one at a time is transformed. The others do not wait for
  /// it.](map-async-by)
  ///
  /// It works as `mapAsync(maxTasks:by:priority:_:)`, for an upstream whose failure type differs from the closure's.
  ///
  /// ```swift
  /// struct Overdrawn: Error {}
  /// let lines = [5, 3, -4, 1].publisher.tryMapAsync(maxTasks: .max(4), by: { $0 > 0 }) { amount in
  ///   guard amount > 0 else { throw Overdrawn() }
  ///   return amount
  /// }
  /// do {
  ///   for try await amount in lines.ignoreOutput().values { print(amount) }
  /// } catch {
  ///   print(error)
  /// }
  /// // Prints "Overdrawn()".
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as there. **Failure:** upstream's, or the error that the closure
  /// throws. **Traps:** a `maxTasks` of none.
  ///
  /// - Parameters:
  ///   - maxTasks: The maximum number of tasks, and of values and results that wait, at a time.
  ///   - key: A closure that returns a value's key.
  ///   - priority: The priority of each task; `nil` for that of the code that delivers the value.
  ///   - transform: A closure that transforms a value.
  /// - Returns: A publisher of the results.
  @inlinable
  public consuming func tryMapAsync<Key: Hashable & Sendable, T: Sendable>(
    maxTasks: Subscribers.Demand, by key: @escaping (Output) -> Key, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws -> T
  ) -> Publishers.Lifted<T, any Error> {
    checkLimit(maxTasks, of: "tryMapAsync(maxTasks:by:)")
    return Publishers.Lifted(
      MapAsyncByKey(
        upstream: mapError { $0 as any Error }, maxTasks: maxTasks, key: key, priority: priority, transform: transform))
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Transforms each value of a publisher that cannot fail with an asynchronous closure that may throw, one at a time
  /// among values with the same key.
  ///
  /// ![Of the values with the same letter, one at a time is transformed. The others do not wait for
  /// it.](map-async-by)
  ///
  /// It works as `mapAsync(maxTasks:by:priority:_:)` for a publisher with a failure type.
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as there. **Failure:** the error that the closure throws;
  /// `any Error` unless it declares a type: `{ value async throws(LevelError) in … }`. **Traps:** a `maxTasks` of none.
  ///
  /// - Parameters:
  ///   - maxTasks: The maximum number of tasks, and of values and results that wait, at a time.
  ///   - key: A closure that returns a value's key.
  ///   - priority: The priority of each task; `nil` for that of the code that delivers the value.
  ///   - transform: A closure that transforms a value.
  /// - Returns: A publisher of the results.
  @_disfavoredOverload
  @inlinable
  public consuming func mapAsync<Key: Hashable & Sendable, T: Sendable, E: Error>(
    maxTasks: Subscribers.Demand, by key: @escaping (Output) -> Key, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(E) -> T
  ) -> Publishers.Lifted<T, E> {
    checkLimit(maxTasks, of: "mapAsync(maxTasks:by:)")
    return Publishers.Lifted(
      MapAsyncByKey(
        upstream: setFailureType(to: E.self), maxTasks: maxTasks, key: key, priority: priority, transform: transform))
  }
}

/// The publisher of `mapAsync` with a key: a future for each value, as an inner publisher of `flatMap`.
///
/// The task of a future waits for its turn among the tasks of its key. A turn ends when the result has been handed to
/// `flatMap`, which keeps the order; or, if that call has other work to do before it returns, when the result leaves
/// `flatMap`.
@usableFromInline
internal struct MapAsyncByKey<Upstream: Publisher, Key: Hashable & Sendable, Output: Sendable>: Publisher
where Upstream.Output: Sendable {
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let maxTasks: Subscribers.Demand
  @usableFromInline internal let key: (Upstream.Output) -> Key
  @usableFromInline internal let priority: TaskPriority?
  @usableFromInline internal let transform: @Sendable (Upstream.Output) async throws(Failure) -> Output

  @inlinable
  internal init(
    upstream: Upstream, maxTasks: Subscribers.Demand, key: @escaping (Upstream.Output) -> Key, priority: TaskPriority?,
    transform: @escaping @Sendable (Upstream.Output) async throws(Failure) -> Output
  ) {
    self.upstream = upstream
    self.maxTasks = maxTasks
    self.key = key
    self.priority = priority
    self.transform = transform
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let turns = KeyTurns<Key>()
    let (key, priority, transform) = (key, priority, transform)
    upstream.flatMap(maxPublishers: maxTasks) { value in
      let turn = KeyTurn(of: key(value))
      turns.begin(turn)
      return Future(value, in: turn, of: turns, priority: priority, transform).untilDelivered
    }
    .map { result in
      turns.end(result.turn)
      return result.value
    }
    .subscribe(subscriber)
  }
}

extension Future {
  /// The future, as an inner publisher of `flatMap` that ends when its value has been delivered.
  ///
  /// The buffer holds back the end of a future whose value has not been requested, since `flatMap` would request the next
  /// value from upstream as soon as the future has ended.
  @inlinable
  internal var untilDelivered: Publishers.Buffer<Future> {
    buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
  }
}
