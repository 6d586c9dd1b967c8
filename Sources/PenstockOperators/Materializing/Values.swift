// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes the values of events, without their completions.
  ///
  /// ![Of the events, the values are published.](values)
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let events: [Subscribers.Event<Int, Offline>] = [.value(1), .completion(.failure(Offline())), .value(2)]
  /// let cancellable = events.publisher.values().sink { print($0) }
  /// // Prints "1", "2" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each event that is a completion, one more is requested.
  ///
  /// **Completion:** forwarded. An event that is a completion does not end the stream.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; values are delivered on the thread on which upstream delivers.
  ///
  /// Use ``failures()`` for the other half of the events, and ``dematerialize()`` to end with the first completion.
  ///
  /// - Returns: A publisher of the events' values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func values<Value, EventFailure>() -> Publishers.CompactMap<Self, Value>
  where Output == Subscribers.Event<Value, EventFailure> {
    compactMap { if case .value(let value) = $0 { value } else { nil } }
  }
}
