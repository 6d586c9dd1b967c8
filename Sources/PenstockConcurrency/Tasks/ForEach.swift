// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Sendable {
  /// Calls an asynchronous closure for each value, several at a time, and returns when all calls have ended.
  ///
  /// ```swift
  /// actor Store {
  ///   var words: Set<String> = []
  ///   func add(_ word: String) { words.insert(word) }
  /// }
  /// let store = Store()
  /// await ["oak", "elm", "ash"].publisher.forEach(maxConcurrent: 2) { word in await store.add(word) }
  /// print(await store.words.sorted())
  /// // Prints "["ash", "elm", "oak"]".
  /// ```
  ///
  /// **Demand:** `maxConcurrent` values are requested, and one more for each call that has ended: so no more than
  /// `maxConcurrent` calls run, and a source that can wait is held back. Upstream has to honour demand: put a
  /// `buffer(size:prefetch:whenFull:)` after a subject, which would drop the values that arrive while all calls run.
  ///
  /// **Completion:** returns when upstream has finished and all calls have ended.
  ///
  /// **Failure:** throws the first error, upstream's or that of a call, when all calls have ended. The error cancels
  /// upstream and the other calls, and no further call begins.
  ///
  /// **Concurrency:** each call runs in a task of its own, off every actor unless the closure is isolated, with the
  /// task-local values and, unless one is given, the priority of the code that delivers the value. If the task that
  /// waits here is cancelled, upstream and the calls are cancelled, and a `CancellationError` is thrown when the calls
  /// have ended. In a task that is already cancelled nothing is subscribed to.
  ///
  /// **Traps:** a `maxConcurrent` below 1.
  ///
  /// Use `for await` with `values` for one value at a time on the caller's actor, and `mapAsync` for calls with results.
  ///
  /// - Parameters:
  ///   - maxConcurrent: The maximum number of calls at a time.
  ///   - priority: The priority of each call; `nil` for that of the code that delivers the value.
  ///   - body: A closure that is called with each value.
  @inlinable
  public nonisolated(nonsending) func forEach(
    maxConcurrent: Int, priority: TaskPriority? = nil, _ body: @escaping @Sendable (Output) async throws -> Void
  ) async throws {
    checkLimit(maxConcurrent, of: "forEach(maxConcurrent:)")
    let calls = ConcurrentCalls()
    let end = await calls.run { end in call(maxConcurrent, priority, body, in: calls, end) }
    if case .failure(let error) = end { throw error }
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Calls an asynchronous closure that does not throw for each value, several at a time, and returns when all calls have
  /// ended.
  ///
  /// ```swift
  /// await (1...3).publisher.forEach(maxConcurrent: 1) { number in print(number) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// It works as the method whose closure throws, for a publisher that cannot fail.
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as there; if the task that waits here is cancelled, it returns when
  /// the calls have ended. **Failure:** none; the publisher cannot fail.
  /// **Traps:** a `maxConcurrent` below 1.
  ///
  /// - Parameters:
  ///   - maxConcurrent: The maximum number of calls at a time.
  ///   - priority: The priority of each call; `nil` for that of the code that delivers the value.
  ///   - body: A closure that is called with each value.
  @inlinable
  public nonisolated(nonsending) func forEach(
    maxConcurrent: Int, priority: TaskPriority? = nil, _ body: @escaping @Sendable (Output) async -> Void
  ) async {
    checkLimit(maxConcurrent, of: "forEach(maxConcurrent:)")
    let calls = ConcurrentCalls()
    _ = await calls.run { end in call(maxConcurrent, priority, body, in: calls, end) }
  }
}

extension Publisher where Output: Sendable {
  /// Attaches a subscriber with an asynchronous closure that is called for each value, several at a time.
  ///
  /// ```swift
  /// struct Unreadable: Error {}
  /// let (stream, end) = AsyncStream<Never>.makeStream()
  /// let cancellable = ["1", "x", "2"].publisher.sink(maxConcurrent: 1) { completion in
  ///   print(completion)
  ///   end.finish()
  /// } receiveValue: { text in
  ///   guard let number = Int(text) else { throw Unreadable() }
  ///   print(number)
  /// }
  /// for await _ in stream {}
  /// // Prints "1", "failure(Unreadable())" on two lines.
  /// cancellable.cancel()
  /// ```
  ///
  /// **Demand:** `maxConcurrent` values are requested, and one more for each call that has ended: so no more than
  /// `maxConcurrent` calls run, and a source that can wait is held back. Upstream has to honour demand: put a
  /// `buffer(size:prefetch:whenFull:)` after a subject, which would drop the values that arrive while all calls run.
  ///
  /// **Completion:** passed to `receiveCompletion` when upstream has finished and all calls have ended. Deallocating or
  /// cancelling the result cancels upstream and the running calls, and no closure is called after that.
  ///
  /// **Failure:** the first error, upstream's or that of a call, is passed to `receiveCompletion` at once. The error
  /// cancels upstream and the other calls, which may still be running then.
  ///
  /// **Concurrency:** each call runs in a task of its own, off every actor unless the closure is isolated, with the
  /// task-local values and, unless one is given, the priority of the code that delivers the value. `receiveCompletion` is
  /// called on the thread on which the last task ends, or upstream's.
  ///
  /// **Traps:** a `maxConcurrent` below 1.
  ///
  /// Use ``forEach(maxConcurrent:priority:_:)-3zttd`` to wait for the end, and
  /// `sink(on:limit:receiveCompletion:receiveValue:)` to receive values on an actor, one at a time.
  ///
  /// - Parameters:
  ///   - maxConcurrent: The maximum number of calls at a time.
  ///   - priority: The priority of each call; `nil` for that of the code that delivers the value.
  ///   - receiveCompletion: A closure for the completion.
  ///   - receiveValue: A closure that is called with each value.
  /// - Returns: A cancellable, which cancels the subscription and the calls when it is deallocated.
  @inlinable
  public consuming func sink(
    maxConcurrent: Int, priority: TaskPriority? = nil,
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<any Error>) -> Void,
    receiveValue: @escaping @Sendable (Output) async throws -> Void
  ) -> AnyCancellable {
    checkLimit(maxConcurrent, of: "sink(maxConcurrent:)")
    return call(maxConcurrent, priority, receiveValue, in: nil, receiveCompletion)
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Attaches a subscriber with an asynchronous closure that does not throw, for a publisher that cannot fail.
  ///
  /// ```swift
  /// let (stream, end) = AsyncStream<Int>.makeStream()
  /// let cancellable = (1...3).publisher.sink(maxConcurrent: 3) { number in end.yield(number) }
  /// var total = 0
  /// for await number in stream.prefix(3) { total += number }
  /// print(total)
  /// // Prints "6".
  /// cancellable.cancel()
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for
  /// ``sink(maxConcurrent:priority:receiveCompletion:receiveValue:)``. **Failure:** none; the publisher cannot fail.
  /// **Traps:** a `maxConcurrent` below 1.
  ///
  /// - Parameters:
  ///   - maxConcurrent: The maximum number of calls at a time.
  ///   - priority: The priority of each call; `nil` for that of the code that delivers the value.
  ///   - receiveValue: A closure that is called with each value.
  /// - Returns: A cancellable, which cancels the subscription and the calls when it is deallocated.
  @inlinable
  public consuming func sink(
    maxConcurrent: Int, priority: TaskPriority? = nil, receiveValue: @escaping @Sendable (Output) async -> Void
  ) -> AnyCancellable {
    checkLimit(maxConcurrent, of: "sink(maxConcurrent:)")
    return call(maxConcurrent, priority, receiveValue, in: nil) { _ in }
  }
}

extension Publisher where Output: Sendable {
  /// Calls a closure for each value: `mapAsync` without results.
  ///
  /// - Parameter calls: Counts the calls, if something waits for them.
  @inlinable
  internal func call(
    _ maxConcurrent: Int, _ priority: TaskPriority?, _ body: @escaping @Sendable (Output) async throws -> Void,
    in calls: ConcurrentCalls?, _ end: @escaping @Sendable (Subscribers.Completion<any Error>) -> Void
  ) -> AnyCancellable {
    tryMapAsync(maxTasks: .max(maxConcurrent), inOrder: false, priority: priority) { value in
      guard let calls else { return try await body(value) }
      // A task that starts after the end makes no call.
      guard calls.begin() else { throw CancellationError() }
      defer { calls.end() }
      try await body(value)
    }
    .sink(receiveCompletion: end, receiveValue: { _ in })
  }
}
