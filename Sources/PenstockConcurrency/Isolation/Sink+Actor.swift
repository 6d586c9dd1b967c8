// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Sendable {
  /// Attaches a subscriber with closures for the values and the completion that run on an actor.
  ///
  /// The closures receive the actor as a parameter that they are isolated to, so the compiler checks them as code of the
  /// actor, and they need not capture it.
  ///
  /// ```swift
  /// actor Meter {
  ///   var total = 0
  ///   func add(_ amount: Int) { total += amount }
  /// }
  /// let meter = Meter()
  /// let (stream, end) = AsyncStream<Never>.makeStream()
  /// let cancellable = [1, 2, 3].publisher.sink(on: meter) { _, _ in
  ///   end.finish()
  /// } receiveValue: { meter, amount in
  ///   meter.add(amount)
  /// }
  /// for await _ in stream {}
  /// print(await meter.total)
  /// // Prints "6".
  /// cancellable.cancel()
  /// ```
  ///
  /// The subscription retains the actor until the stream ends or is cancelled: an actor that keeps the cancellable
  /// itself has to cancel it, or to finish the stream.
  ///
  /// **Demand:** unlimited, as for `sink`, so values wait without a limit while the actor is busy. With a `limit`, that
  /// many are requested, and more as the closure receives them; a subject drops values that were not requested.
  ///
  /// **Completion:** passed to `receiveCompletion` after the values before it. The closures are released then, or when
  /// the cancellable is cancelled.
  ///
  /// **Failure:** passed to `receiveCompletion`.
  ///
  /// **Concurrency:** the closures run on the actor, in the order of the signals, with one job for all that wait. After
  /// 256 values the job lets other work have the actor. A `cancel()` on the actor is final: no closure runs after it;
  /// after a `cancel()` on another thread, a running closure may still finish. Task-local values of the sender do not
  /// reach the closures.
  ///
  /// - Parameters:
  ///   - actor: The actor that the closures run on.
  ///   - limit: How many values are requested at a time; `nil` for no limit. Must be at least 1.
  ///   - receiveCompletion: A closure for the completion.
  ///   - receiveValue: A closure for each value.
  /// - Returns: A cancellable, which cancels the subscription when it is deallocated.
  @inlinable
  public func sink<A: Actor>(
    on actor: A, limit: Int? = nil,
    receiveCompletion: @escaping @Sendable (isolated A, Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (isolated A, Output) -> Void
  ) -> AnyCancellable {
    let sink = IsolatedSink<Output, Failure>(limit: limit) { sink in
      Task.detached { await sink.run(on: actor, receiveCompletion, receiveValue) }
    }
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension IsolatedSink {
  /// The job, on an actor that is a parameter of the closures.
  @inlinable
  internal func run<A: Actor>(
    on actor: isolated A, _ receiveCompletion: (isolated A, Subscribers.Completion<Failure>) -> Void,
    _ receiveValue: (isolated A, Input) -> Void
  ) async {
    var batch = JobQueue<Signal>.Batch()
    while performTurn(&batch, value: { receiveValue(actor, $0) }, completion: { receiveCompletion(actor, $0) }) {
      await Task.yield()
    }
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Attaches a subscriber with a closure for the values that runs on an actor, for a publisher that cannot fail.
  ///
  /// ```swift
  /// actor Meter {
  ///   var total = 0
  ///   private var cancellable: AnyCancellable?
  ///   func follow(_ amounts: PassthroughSubject<Int, Never>) {
  ///     cancellable = amounts.sink(on: self) { $0.total += $1 }
  ///   }
  ///   func leave() { cancellable = nil }
  /// }
  /// let (meter, amounts) = (Meter(), PassthroughSubject<Int, Never>())
  /// await meter.follow(amounts)
  /// amounts.send(4)
  /// while await meter.total == 0 { await Task.yield() }
  /// print(await meter.total)
  /// // Prints "4".
  /// await meter.leave()
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for
  /// ``sink(on:limit:receiveCompletion:receiveValue:)-(A,_,_,_)``. **Failure:** none; the publisher cannot fail.
  ///
  /// - Parameters:
  ///   - actor: The actor that the closure runs on.
  ///   - limit: How many values are requested at a time; `nil` for no limit. Must be at least 1.
  ///   - receiveValue: A closure for each value.
  /// - Returns: A cancellable, which cancels the subscription when it is deallocated.
  @inlinable
  public func sink<A: Actor>(
    on actor: A, limit: Int? = nil, receiveValue: @escaping @Sendable (isolated A, Output) -> Void
  ) -> AnyCancellable {
    sink(on: actor, limit: limit, receiveCompletion: { _, _ in }, receiveValue: receiveValue)
  }
}
