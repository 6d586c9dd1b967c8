// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Subscribers.Event {
  /// The event of a failure: short for `.completion(.failure(error))`.
  ///
  /// It makes an event; a pattern needs the long form.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let events: [Subscribers.Event<Int, Offline>] = [.value(1), .failure(Offline())]
  /// let cancellable = events.publisher.dematerialize().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "1", "failure(Offline())" on two lines.
  /// ```
  @_alwaysEmitIntoClient
  public static func failure(_ error: Failure) -> Self { .completion(.failure(error)) }

  /// The event of an end without a failure: short for `.completion(.finished)`.
  ///
  /// It makes an event; a pattern needs the long form.
  @_alwaysEmitIntoClient
  public static var finished: Self { .completion(.finished) }
}
