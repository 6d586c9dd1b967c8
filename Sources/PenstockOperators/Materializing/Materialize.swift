// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes each value, and the completion, as an event.
  ///
  /// ![The values and the failure are published as events. Then the output finishes.](materialize)
  ///
  /// So the failures of a publisher can be logged, collected or counted like values.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let cancellable = Fail<Int, Offline>(error: Offline()).prepend(1).materialize().sink { event in
  ///   switch event {
  ///   case .value(let value): print("value:", value)
  ///   case .completion(.failure(let error)): print("failure:", error)
  ///   case .completion(.finished): print("finished")
  ///   }
  /// }
  /// // Prints "value: 1", "failure: Offline()" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. The event of the completion waits until it is requested. `request(.none)`
  /// traps.
  ///
  /// **Completion:** published as an event; `.finished` follows it.
  ///
  /// **Failure:** published as an event; `.finished` follows it.
  ///
  /// **Concurrency:** adds no thread; events are delivered on the thread on which upstream delivers, and the last one
  /// on the thread that requests it if that happens later.
  ///
  /// Use ``dematerialize()`` for the opposite, and `replaceError(with:)` or `catch(_:)` to continue without the
  /// failure.
  ///
  /// - Returns: A publisher of events, which cannot fail.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func materialize() -> Publishers.Lifted<Subscribers.Event<Output, Failure>, Never> {
    lift { MaterializeStage<Output, Failure>() }
  }
}

/// The stage of `materialize()`.
@frozen
@usableFromInline
internal struct MaterializeStage<Input, Failure: Error>: QueuedStage, Sendable {
  @usableFromInline internal typealias Output = Subscribers.Event<Input, Failure>
  @usableFromInline internal typealias Channel = ReplacingChannel<Failure, Never>

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "Materialize" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Output, Never> { .emit(.value(input)) }

  @inlinable
  internal func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Output>
  ) -> Subscribers.Completion<Never> {
    outputs.append(.completion(completion))
    return .finished
  }
}
