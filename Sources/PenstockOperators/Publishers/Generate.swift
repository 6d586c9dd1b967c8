// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publishers {
  /// Publishes values that a closure makes from a state, each when it is requested.
  ///
  /// ![Each request makes as many values as it asks for.](generate)
  ///
  /// Nothing is made before it is requested, so the values may be endless or costly. Each subscriber begins with the
  /// initial state.
  ///
  /// ```swift
  /// let powers = Publishers.generate(state: 1) { power -> Int? in
  ///   if power > 100 { return nil }
  ///   defer { power *= 3 }
  ///   return power
  /// }
  /// let cancellable = powers.sink { print($0) }
  /// // Prints "1", "3", "9", "27", "81" on five lines.
  /// ```
  ///
  /// **Demand:** one call of the closure for each value, in a loop: values that a delivery requests are made when it
  /// has returned. `request(.none)` is accepted and has no effect.
  ///
  /// **Completion:** when the closure returns `nil`, at the request after the last value. The closure is not called
  /// again.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** values are made and delivered on the thread that requests them. A request from another thread, or
  /// during a delivery, adds to the demand of the delivery in progress. The state is released at the end or a cancel.
  ///
  /// Use ``tryGenerate(state:next:)`` with a closure that throws, and `sequence(state:next:).publisher` for the same
  /// values, made one ahead, so that the completion follows the last value at once. A range needs no closure:
  /// `(0..<10).publisher` delivers its elements on request, too.
  ///
  /// - Parameters:
  ///   - state: The state with which each subscriber begins.
  ///   - next: A closure that changes the state and returns the next value; `nil` ends the stream.
  /// - Returns: A publisher of the closure's results.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public static func generate<State, Output>(
    state: State, next: @escaping (_ state: inout State) -> Output?
  ) -> some Publisher<Output, Never> {
    Generate { GenerateStage(state: state, next: next) }
  }

  /// Publishes values that a throwing closure makes from a state, each when it is requested.
  ///
  /// ![Each request makes as many values as it asks for, until the closure throws.](try-generate)
  ///
  /// It works as ``generate(state:next:)``; an error that the closure throws ends the stream.
  ///
  /// ```swift
  /// struct Spent: Error {}
  /// let budget = Publishers.tryGenerate(state: 2) { left -> Int? in
  ///   if left == 0 { throw Spent() }
  ///   left -= 1
  ///   return left
  /// }
  /// let cancellable = budget.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "1", "0", "failure(Spent())" on three lines.
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for ``generate(state:next:)``.
  ///
  /// **Failure:** the error that the closure throws. The closure is not called again.
  ///
  /// - Parameters:
  ///   - state: The state with which each subscriber begins.
  ///   - next: A closure that changes the state and returns the next value; `nil` ends the stream.
  /// - Returns: A publisher of the closure's results.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public static func tryGenerate<State, Output>(
    state: State, next: @escaping (_ state: inout State) throws -> Output?
  ) -> some Publisher<Output, any Error> {
    Generate { TryGenerateStage(state: state, next: next) }
  }
}

/// A publisher that makes the stage of each subscription.
@usableFromInline
internal struct Generate<Stage: SourceStage>: Publisher {
  @usableFromInline internal typealias Output = Stage.Output
  @usableFromInline internal typealias Failure = Stage.Failure

  @usableFromInline internal let makeStage: () -> Stage

  @inlinable
  internal init(_ makeStage: @escaping () -> Stage) { self.makeStage = makeStage }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    attachSource(makeStage(), name: "Generate", to: subscriber)
  }
}

/// The stage of `generate`.
@usableFromInline
internal struct GenerateStage<State, Output>: SourceStage {
  @usableFromInline internal var state: State
  @usableFromInline internal let step: (inout State) -> Output?

  @inlinable
  internal init(state: State, next: @escaping (inout State) -> Output?) {
    self.state = state
    step = next
  }

  @inlinable
  internal mutating func next() -> Output? { step(&state) }

  @inlinable
  internal var ending: Subscribers.Completion<Never> { .finished }
}

/// The stage of `tryGenerate`.
@usableFromInline
internal struct TryGenerateStage<State, Output>: SourceStage {
  @usableFromInline internal var state: State
  @usableFromInline internal let step: (inout State) throws -> Output?
  @usableFromInline internal var ending = Subscribers.Completion<any Error>.finished

  @inlinable
  internal init(state: State, next: @escaping (inout State) throws -> Output?) {
    self.state = state
    step = next
  }

  @inlinable
  internal mutating func next() -> Output? {
    do { return try step(&state) } catch {
      ending = .failure(error)
      return nil
    }
  }
}
