// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Failure == Never {
  /// Publishes the values of events, and completes with the first event that is a completion.
  ///
  /// ![The values of events are published, and an event of a failure fails the output.](dematerialize)
  ///
  /// ```swift
  /// let events: [Subscribers.Event<Int, Never>] = [.value(1), .completion(.finished), .value(2)]
  /// let cancellable = events.publisher.dematerialize().sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints "1", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. So the event of the completion has to be requested, as a value has.
  /// `request(.none)` traps.
  ///
  /// **Completion:** an event that is a completion cancels upstream and becomes the completion. Upstream's own
  /// `.finished` is forwarded.
  ///
  /// **Failure:** the failure of an event cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; values are delivered on the thread on which upstream delivers.
  ///
  /// Use ``materialize()`` for the opposite.
  ///
  /// - Returns: A publisher of the events' values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func dematerialize<Value, NewFailure>() -> Publishers.Lifted<Value, NewFailure>
  where Output == Subscribers.Event<Value, NewFailure> {
    lift { DematerializeStage<Value, NewFailure>() }
  }
}

/// The stage of `dematerialize()`.
@frozen
@usableFromInline
internal struct DematerializeStage<Output, Failure: Error>: ManagedStage, Sendable {
  @usableFromInline internal typealias Channel = ReplacingChannel<Never, Failure>

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "Dematerialize" }

  @inlinable
  internal func receive(_ event: Subscribers.Event<Output, Failure>) -> Verdict<Output, Failure> {
    switch event {
    case .value(let value): .emit(value)
    case .completion(.finished): .finish
    case .completion(.failure(let failure)): .fail(failure)
    }
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Never>) -> Subscribers.Completion<Failure> { .finished }
}
