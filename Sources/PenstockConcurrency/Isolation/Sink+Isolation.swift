// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Sendable {
  /// Attaches a subscriber with closures for the values and the completion that run where this call is made.
  ///
  /// The closures are code of the actor on which the call is made: a global actor of your own, the main actor, or the
  /// actor whose method makes the call. They need not be `Sendable`, and may capture what belongs to the actor.
  ///
  /// ```swift
  /// @globalActor actor Storage { static let shared = Storage() }
  /// @Storage final class Log {
  ///   var lines: [String] = []
  ///   func follow(_ lines: some Publisher<String, Never>, _ end: AsyncStream<Never>.Continuation) -> AnyCancellable {
  ///     lines.sink(isolation: #isolation) { _ in
  ///       end.finish()
  ///     } receiveValue: { line in
  ///       self.lines.append(line)
  ///     }
  ///   }
  /// }
  /// let (stream, end) = AsyncStream<Never>.makeStream()
  /// let log = await Log()
  /// let cancellable = await log.follow(["a", "b"].publisher, end)
  /// for await _ in stream {}
  /// print(await log.lines)
  /// // Prints "["a", "b"]".
  /// cancellable.cancel()
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``sink(on:limit:receiveCompletion:receiveValue:)-(A,_,_,_)``. Code that runs on no actor cannot call this.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the call is made on: `#isolation`.
  ///   - limit: How many values are requested at a time; `nil` for no limit. Must be at least 1.
  ///   - receiveCompletion: A closure for the completion.
  ///   - receiveValue: A closure for each value.
  /// - Returns: A cancellable, which cancels the subscription when it is deallocated.
  public func sink(
    isolation: isolated any Actor, limit: Int? = nil,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let (values, completions) = (IsolatedClosure(call: receiveValue), IsolatedClosure(call: receiveCompletion))
    return sink(on: isolation, limit: limit, values, completions)
  }

  /// For an actor whose type is known only at run time.
  private func sink<A: Actor>(
    on actor: A, limit: Int?, _ values: IsolatedClosure<Output>,
    _ completions: IsolatedClosure<Subscribers.Completion<Failure>>
  ) -> AnyCancellable {
    sink(on: actor, limit: limit) { _, completion in
      completions.call(completion)
    } receiveValue: { _, value in
      values.call(value)
    }
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Attaches a subscriber with a closure for the values that runs where this call is made, for a publisher that cannot
  /// fail.
  ///
  /// <!-- not run: declarations -->
  /// ```swift
  /// @MainActor func watch(_ levels: PassthroughSubject<Int, Never>) -> AnyCancellable {
  ///   var highest = 0
  ///   return levels.sink(isolation: #isolation) { highest = max(highest, $0) }
  /// }
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for
  /// ``sink(on:limit:receiveCompletion:receiveValue:)-(A,_,_,_)``. **Failure:** none; the publisher cannot fail.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the call is made on: `#isolation`.
  ///   - limit: How many values are requested at a time; `nil` for no limit. Must be at least 1.
  ///   - receiveValue: A closure for each value.
  /// - Returns: A cancellable, which cancels the subscription when it is deallocated.
  public func sink(
    isolation: isolated any Actor, limit: Int? = nil, receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    sink(isolation: isolation, limit: limit, receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Assigns each value to a property of an object that belongs to the actor on which this call is made.
  ///
  /// <!-- not run: declarations -->
  /// ```swift
  /// @MainActor final class Dial {
  ///   var level = 0
  ///   func follow(_ levels: PassthroughSubject<Int, Never>) -> AnyCancellable {
  ///     levels.assign(to: \.level, on: self, isolation: #isolation)
  ///   }
  /// }
  /// ```
  ///
  /// Combine's `assign(to:on:)` assigns on whatever thread delivers the value: a key path carries no isolation that
  /// could be checked.
  ///
  /// **Demand:** unlimited; values wait without a limit while the actor is busy.
  ///
  /// **Completion:** releases the object.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** assigns on the actor, as ``sink(isolation:limit:receiveValue:)`` calls its closure. The
  /// subscription retains the object: an object that stores the cancellable itself has to cancel it.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - object: The object.
  ///   - isolation: The actor that the call is made on: `#isolation`.
  /// - Returns: A cancellable, which cancels the subscription when it is deallocated.
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, isolation: isolated any Actor
  ) -> AnyCancellable {
    sink(isolation: isolation) { object[keyPath: keyPath] = $0 }
  }
}
