// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes the failures of events, without their values.
  ///
  /// ![Of the events, the failures are published.](failures)
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let download = Fail<Int, Offline>(error: Offline()).prepend(1)
  /// let cancellable = download.materialize().failures().sink { print($0) }
  /// // Prints "Offline()".
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each event that is not a failure, one more is requested.
  ///
  /// **Completion:** forwarded. An event that is a completion does not end the stream.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; failures are delivered on the thread on which upstream delivers.
  ///
  /// Use ``values()`` for the other half of the events. Share the events if both are used and the work must be done
  /// only once.
  ///
  /// - Returns: A publisher of the events' failures.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func failures<Value, EventFailure>() -> Publishers.CompactMap<Self, EventFailure>
  where Output == Subscribers.Event<Value, EventFailure> {
    compactMap { if case .completion(.failure(let failure)) = $0 { failure } else { nil } }
  }
}
