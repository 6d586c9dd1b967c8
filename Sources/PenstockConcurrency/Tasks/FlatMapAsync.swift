// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Sendable {
  /// Turns each value into a publisher with an asynchronous closure, and republishes the values of all of them.
  ///
  /// ![The task of each letter returns a publisher, whose values are published. Each takes as long as it
  /// takes.](flat-map-async)
  ///
  /// ```swift
  /// actor Shelf {
  ///   func pages(of book: Int) -> Publishers.Sequence<[String], Never> {
  ///     ["\(book)a", "\(book)b"].publisher
  ///   }
  /// }
  /// let shelf = Shelf()
  /// let pages = [1, 2].publisher.flatMap(maxPublishers: .max(1)) { book in await shelf.pages(of: book) }
  /// for await page in pages.values { print(page, terminator: " ") }
  /// // Prints "1a 1b 2a 2b ".
  /// ```
  ///
  /// It works as `flatMap` with a closure that does not wait. The closure's task counts as a publisher that has not
  /// finished.
  ///
  /// **Demand:** `maxPublishers` values are requested from upstream, and one more whenever an inner publisher finishes.
  /// A value that downstream has not requested waits: at most one for each inner publisher. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` when upstream and all inner publishers have finished and no value waits. A cancel
  /// cancels the tasks and the inner publishers, and then upstream.
  ///
  /// **Failure:** the first failure, of upstream, of an inner publisher or of the closure, is forwarded at once.
  /// Everything else is cancelled.
  ///
  /// **Concurrency:** the closure runs in a task of its own for each value, off every actor unless it is isolated, with
  /// the task-local values and the priority of the code that delivers the value. Downstream receives one value at a
  /// time.
  ///
  /// **Traps:** a `maxPublishers` of none.
  ///
  /// Use `mapAsync` for a closure that returns a value.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of tasks and inner publishers at a time.
  ///   - transform: A closure that turns a value into a publisher.
  /// - Returns: A publisher of the values of all inner publishers.
  @_disfavoredOverload
  @inlinable
  public consuming func flatMap<P: Publisher & SendableMetatype>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> sending P
  ) -> Publishers.Lifted<P.Output, Failure> where P.Failure == Failure {
    checkLimit(maxPublishers, of: "flatMap(maxPublishers:)")
    // The annotation chooses Combine's `flatMap`, whose closure does not wait.
    return Publishers.Lifted(
      flatMap(maxPublishers: maxPublishers) { value -> FlatMapTask<P> in FlatMapTask(transform, value) })
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Turns each value of a publisher that cannot fail into a publisher that can, with an asynchronous closure, and
  /// republishes the values of all of them.
  ///
  /// ![The task of each letter returns a publisher, whose values are published. Each takes as long as it
  /// takes.](flat-map-async)
  ///
  /// It works as `flatMap` with an asynchronous closure for a publisher with a failure type.
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as there. **Failure:** the first failure of an inner publisher or
  /// of the closure. **Traps:** a `maxPublishers` of none.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of tasks and inner publishers at a time.
  ///   - transform: A closure that turns a value into a publisher.
  /// - Returns: A publisher of the values of all inner publishers.
  @_disfavoredOverload
  @inlinable
  public consuming func flatMap<P: Publisher & SendableMetatype>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) async throws(P.Failure) -> sending P
  ) -> Publishers.Lifted<P.Output, P.Failure> {
    checkLimit(maxPublishers, of: "flatMap(maxPublishers:)")
    return Publishers.Lifted(
      setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers) { value -> FlatMapTask<P> in
        FlatMapTask(transform, value)
      })
  }

  /// Turns each value of a publisher that cannot fail into a publisher that can, with an asynchronous closure that does
  /// not throw, and republishes the values of all of them.
  ///
  /// ![The task of each letter returns a publisher, whose values are published. Each takes as long as it
  /// takes.](flat-map-async)
  ///
  /// It works as `flatMap` with an asynchronous closure for a publisher with a failure type.
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as there. **Failure:** the first failure of an inner publisher.
  /// **Traps:** a `maxPublishers` of none.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of tasks and inner publishers at a time.
  ///   - transform: A closure that turns a value into a publisher.
  /// - Returns: A publisher of the values of all inner publishers.
  @_disfavoredOverload
  @inlinable
  public consuming func flatMap<P: Publisher & SendableMetatype>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) async -> sending P
  ) -> Publishers.Lifted<P.Output, P.Failure> {
    checkLimit(maxPublishers, of: "flatMap(maxPublishers:)")
    return Publishers.Lifted(
      setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers) { value -> FlatMapTask<P> in
        FlatMapTask({ (value) async throws(P.Failure) -> sending P in await transform(value) }, value)
      })
  }

  /// Turns each value into a publisher with an asynchronous closure, and republishes the values of all of them; neither
  /// side can fail.
  ///
  /// ![The task of each letter returns a publisher, whose values are published. Each takes as long as it
  /// takes.](flat-map-async)
  ///
  /// It works as `flatMap` with an asynchronous closure for a publisher with a failure type.
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as there. **Failure:** none; the publisher cannot fail.
  /// **Traps:** a `maxPublishers` of none.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of tasks and inner publishers at a time.
  ///   - transform: A closure that turns a value into a publisher.
  /// - Returns: A publisher of the values of all inner publishers.
  @_disfavoredOverload
  @inlinable
  public consuming func flatMap<P: Publisher & SendableMetatype>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) async -> sending P
  ) -> Publishers.Lifted<P.Output, Never> where P.Failure == Never {
    checkLimit(maxPublishers, of: "flatMap(maxPublishers:)")
    return Publishers.Lifted(
      flatMap(maxPublishers: maxPublishers) { value -> FlatMapTask<P> in FlatMapTask(transform, value) })
  }
}
