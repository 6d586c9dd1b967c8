// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SendablePublisher {
  /// Transforms each value with an asynchronous closure.
  ///
  /// ```swift
  /// let doubled = [1, 2, 3].publisher.sendable.mapAsync { $0 * 2 }
  /// for await number in doubled.values { print(number) }
  /// // Prints "2", "4", "6" on three lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/mapAsync(maxTasks:inOrder:priority:_:)->Publishers.Lifted<T,Self.Failure>``.
  @inlinable
  public func mapAsync<T: Sendable>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = true, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> T
  ) -> SendablePublisher<Publishers.Lifted<T, Failure>> {
    SendablePublisher<_>(
      unchecked: base.mapAsync(maxTasks: maxTasks, inOrder: inOrder, priority: priority, transform))
  }

  /// Transforms each value with an asynchronous closure that may throw any error.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/tryMapAsync(maxTasks:inOrder:priority:_:)``.
  @inlinable
  public func tryMapAsync<T: Sendable>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = true, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws -> T
  ) -> SendablePublisher<Publishers.Lifted<T, any Error>> {
    SendablePublisher<_>(
      unchecked: base.tryMapAsync(maxTasks: maxTasks, inOrder: inOrder, priority: priority, transform))
  }

  /// Transforms each value with an asynchronous closure, one at a time among values with the same key.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/mapAsync(maxTasks:by:priority:_:)->Publishers.Lifted<T,Self.Failure>``.
  @inlinable
  public func mapAsync<Key: Hashable & Sendable, T: Sendable>(
    maxTasks: Subscribers.Demand, by key: @escaping @Sendable (Output) -> Key, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> T
  ) -> SendablePublisher<Publishers.Lifted<T, Failure>> {
    SendablePublisher<_>(unchecked: base.mapAsync(maxTasks: maxTasks, by: key, priority: priority, transform))
  }

  /// Transforms each value with an asynchronous closure that may throw any error, one at a time among values with the
  /// same key.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/tryMapAsync(maxTasks:by:priority:_:)``.
  @inlinable
  public func tryMapAsync<Key: Hashable & Sendable, T: Sendable>(
    maxTasks: Subscribers.Demand, by key: @escaping @Sendable (Output) -> Key, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws -> T
  ) -> SendablePublisher<Publishers.Lifted<T, any Error>> {
    SendablePublisher<_>(unchecked: base.tryMapAsync(maxTasks: maxTasks, by: key, priority: priority, transform))
  }

  /// Publishes the values of the publishers that an asynchronous closure makes from the values.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `Publisher.flatMap` with such a closure.
  @inlinable
  public func flatMap<P: Publisher & SendableMetatype>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<P.Output, Failure>> where P.Failure == Failure {
    SendablePublisher<_>(
      unchecked: base.flatMap(maxPublishers: maxPublishers) {
        (value) async throws(Failure) -> SendablePublisher<P>.Plain in try await transform(value).publisher
      })
  }

  /// Publishes the values of the publishers that an asynchronous closure, which may throw, makes from the values of a
  /// publisher that cannot fail.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `Publisher.flatMap` with such a closure.
  @inlinable
  public func flatMap<P: Publisher & SendableMetatype>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) async throws(P.Failure) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<P.Output, P.Failure>> where Failure == Never {
    SendablePublisher<_>(
      unchecked: base.flatMap(maxPublishers: maxPublishers) {
        (value) async throws(P.Failure) -> SendablePublisher<P>.Plain in try await transform(value).publisher
      })
  }

  /// Publishes the values of the publishers that an asynchronous closure makes from the values of a publisher that
  /// cannot fail.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `Publisher.flatMap` with such a closure.
  @inlinable
  public func flatMap<P: Publisher & SendableMetatype>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) async -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<P.Output, P.Failure>> where Failure == Never {
    SendablePublisher<_>(
      unchecked: base.flatMap(maxPublishers: maxPublishers) {
        (value) async -> SendablePublisher<P>.Plain in await transform(value).publisher
      })
  }

  /// Publishes the values of the publishers that an asynchronous closure makes from the values, when none of them can
  /// fail.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `Publisher.flatMap` with such a closure.
  @inlinable
  public func flatMap<P: Publisher & SendableMetatype>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) async -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<P.Output, Never>> where Failure == Never, P.Failure == Never {
    SendablePublisher<_>(
      unchecked: base.flatMap(maxPublishers: maxPublishers) {
        (value) async -> SendablePublisher<P>.Plain in await transform(value).publisher
      })
  }
}

extension SendablePublisher where Base.Failure == Never {
  /// Transforms each value of a publisher that cannot fail with an asynchronous closure that may throw.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/mapAsync(maxTasks:inOrder:priority:_:)->Publishers.Lifted<T,E>``.
  /// Disfavoured, since a closure that throws nothing would otherwise fit both overloads.
  @_disfavoredOverload
  @inlinable
  public func mapAsync<T: Sendable, E: Error>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = true, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(E) -> T
  ) -> SendablePublisher<Publishers.Lifted<T, E>> {
    SendablePublisher<_>(
      unchecked: base.mapAsync(maxTasks: maxTasks, inOrder: inOrder, priority: priority, transform))
  }

  /// Transforms each value with an asynchronous closure that may throw, one at a time among values with the same key,
  /// for a publisher that cannot fail.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/mapAsync(maxTasks:by:priority:_:)->Publishers.Lifted<T,E>``.
  @_disfavoredOverload
  @inlinable
  public func mapAsync<Key: Hashable & Sendable, T: Sendable, E: Error>(
    maxTasks: Subscribers.Demand, by key: @escaping @Sendable (Output) -> Key, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(E) -> T
  ) -> SendablePublisher<Publishers.Lifted<T, E>> {
    SendablePublisher<_>(unchecked: base.mapAsync(maxTasks: maxTasks, by: key, priority: priority, transform))
  }
}

extension SendablePublisher {
  /// Calls an asynchronous closure for each value, several at a time, and returns when all calls have ended.
  ///
  /// ```swift
  /// await (1...3).publisher.sendable.forEach(maxConcurrent: 1) { number in print(number) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/forEach(maxConcurrent:priority:_:)-3zttd``.
  @inlinable
  public nonisolated(nonsending) func forEach(
    maxConcurrent: Int, priority: TaskPriority? = nil, _ body: @escaping @Sendable (Output) async throws -> Void
  ) async throws {
    try await publisher.forEach(maxConcurrent: maxConcurrent, priority: priority, body)
  }

  /// Calls an asynchronous closure that does not throw for each value, several at a time, and returns when all calls have
  /// ended.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/forEach(maxConcurrent:priority:_:)-88hsj``.
  @inlinable
  public nonisolated(nonsending) func forEach(
    maxConcurrent: Int, priority: TaskPriority? = nil, _ body: @escaping @Sendable (Output) async -> Void
  ) async where Failure == Never {
    await publisher.forEach(maxConcurrent: maxConcurrent, priority: priority, body)
  }

  /// Attaches a subscriber with an asynchronous closure that is called for each value, several at a time.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/sink(maxConcurrent:priority:receiveCompletion:receiveValue:)``.
  @inlinable
  public func sink(
    maxConcurrent: Int, priority: TaskPriority? = nil,
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<any Error>) -> Void,
    receiveValue: @escaping @Sendable (Output) async throws -> Void
  ) -> AnyCancellable {
    publisher.sink(
      maxConcurrent: maxConcurrent, priority: priority, receiveCompletion: receiveCompletion, receiveValue: receiveValue
    )
  }

  /// Attaches a subscriber with an asynchronous closure that does not throw, for a publisher that cannot fail.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``/PenstockConcurrency/PenstockCore/Publisher/sink(maxConcurrent:priority:receiveValue:)``.
  @inlinable
  public func sink(
    maxConcurrent: Int, priority: TaskPriority? = nil, receiveValue: @escaping @Sendable (Output) async -> Void
  ) -> AnyCancellable where Failure == Never {
    publisher.sink(maxConcurrent: maxConcurrent, priority: priority, receiveValue: receiveValue)
  }
}
