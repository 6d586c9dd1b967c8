// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Sendable {
  /// Attaches a subscriber with closures for the values and the completion that run on the main actor.
  ///
  /// The compiler checks the closures as code of the main actor: they use its state directly, from wherever the
  /// pipeline is written. Values may arrive on any thread; they wait in a queue, and one job on the main actor handles
  /// them.
  ///
  /// ```swift
  /// @MainActor final class Gauge { var levels: [Int] = [] }
  /// let gauge = await Gauge()
  /// let (stream, end) = AsyncStream<Never>.makeStream()
  /// let cancellable = [1, 2].publisher.sink(on: .shared) { _ in
  ///   end.finish()
  /// } receiveValue: { level in
  ///   gauge.levels.append(level)
  /// }
  /// for await _ in stream {}
  /// print(await gauge.levels)
  /// // Prints "[1, 2]".
  /// cancellable.cancel()
  /// ```
  ///
  /// **Demand:** unlimited, as for `sink`, so values wait without a limit while the main actor is busy. With a `limit`,
  /// that many are requested, and more as the closure receives them; a subject drops values that were not requested.
  ///
  /// **Completion:** passed to `receiveCompletion` after the values before it. The closures are released then, or when
  /// the cancellable is cancelled.
  ///
  /// **Failure:** passed to `receiveCompletion`.
  ///
  /// **Concurrency:** the closures run on the main actor, in the order of the signals, and never before this call has
  /// returned. After 256 values the job lets other work have the actor. A `cancel()` on the main actor is final: no
  /// closure runs after it; after a `cancel()` on another thread, a running closure may still finish. Task-local values
  /// of the sender do not reach the closures.
  ///
  /// Use ``sink(on:limit:receiveCompletion:receiveValue:)-(A,_,_,_)`` for an actor of your own,
  /// ``sink(isolation:limit:receiveCompletion:receiveValue:)`` for a global actor of your own, and ``receive(on:)-(A)``
  /// if only the thread matters.
  ///
  /// - Parameters:
  ///   - actor: The main actor: `.shared`.
  ///   - limit: How many values are requested at a time; `nil` for no limit. Must be at least 1.
  ///   - receiveCompletion: A closure for the completion.
  ///   - receiveValue: A closure for each value.
  /// - Returns: A cancellable, which cancels the subscription when it is deallocated.
  @inlinable
  public func sink(
    on actor: MainActor, limit: Int? = nil,
    receiveCompletion: @escaping @MainActor (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor (Output) -> Void
  ) -> AnyCancellable {
    let sink = IsolatedSink<Output, Failure>(limit: limit) { sink in
      // Detached: neither the task-local values nor the priority of the first sender apply to the closures.
      Task.detached { await sink.run(receiveCompletion, receiveValue) }
    }
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension IsolatedSink {
  /// The job, on the main actor.
  @MainActor
  @inlinable
  internal func run(
    _ receiveCompletion: @MainActor (Subscribers.Completion<Failure>) -> Void,
    _ receiveValue: @MainActor (Input) -> Void
  ) async {
    var batch = JobQueue<Signal>.Batch()
    while performTurn(&batch, value: { receiveValue($0) }, completion: { receiveCompletion($0) }) {
      await Task.yield()
    }
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Attaches a subscriber with a closure for the values that runs on the main actor, for a publisher that cannot fail.
  ///
  /// ```swift
  /// @MainActor func total(of levels: [Int]) async -> Int {
  ///   var sum = 0
  ///   let (stream, end) = AsyncStream<Never>.makeStream()
  ///   let cancellable = levels.publisher.sink(on: .shared) { level in
  ///     sum += level
  ///     if level == levels.last { end.finish() }
  ///   }
  ///   for await _ in stream {}
  ///   cancellable.cancel()
  ///   return sum
  /// }
  /// print(await total(of: [1, 2, 3]))
  /// // Prints "6".
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for
  /// ``sink(on:limit:receiveCompletion:receiveValue:)-(MainActor,_,_,_)``. **Failure:** none; the publisher cannot fail.
  ///
  /// - Parameters:
  ///   - actor: The main actor: `.shared`.
  ///   - limit: How many values are requested at a time; `nil` for no limit. Must be at least 1.
  ///   - receiveValue: A closure for each value.
  /// - Returns: A cancellable, which cancels the subscription when it is deallocated.
  @inlinable
  public func sink(
    on actor: MainActor, limit: Int? = nil, receiveValue: @escaping @MainActor (Output) -> Void
  ) -> AnyCancellable {
    sink(on: actor, limit: limit, receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
