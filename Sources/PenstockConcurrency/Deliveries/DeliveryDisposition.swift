// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore
internal import PenstockOperators

/// What becomes of a delivery whose work has failed.
public enum DeliveryDisposition: Sendable, Hashable {
  /// It counts as done.
  case ack
  /// It comes again: at once, or later.
  case nak(after: Duration? = nil)
  /// It does not come again.
  case terminate
}

extension DeliveryDisposition {
  /// It comes again, and waits twice as long after each attempt, or as long as the error says.
  ///
  /// So `acknowledged` treats failures unless it is told otherwise. A service that is down for a moment is not asked a thousand
  /// times meanwhile, and `deadLetter(after: 5)` has half a minute before it sets something aside, not some milliseconds.
  ///
  /// ```swift
  /// for attempt in [1, 2, 3, 10] { print(DeliveryDisposition.backoff(attempt: attempt)) }
  /// // Prints:
  /// // nak(after: Optional(1.0 seconds))
  /// // nak(after: Optional(2.0 seconds))
  /// // nak(after: Optional(4.0 seconds))
  /// // nak(after: Optional(60.0 seconds))
  /// ```
  ///
  /// Where the wait has to be random, or grow in another way, `.nak(after: policy.delay(beforeRetry: attempt - 1))` takes it
  /// from a `RetryPolicy` of `PenstockOperators`.
  ///
  /// **Traps:** a negative time.
  ///
  /// - Parameters:
  ///   - error: The error. A ``RetryAfterError`` names the wait itself.
  ///   - attempt: The delivery's ``Delivery/attempt``. A number below one counts as the first.
  ///   - initial: The wait after the first attempt.
  ///   - ceiling: The longest wait, but for what an error says.
  /// - Returns: A disposition that gives back, after the wait.
  public static func backoff(
    after error: (any Error)? = nil, attempt: Int, initial: Duration = .seconds(1), ceiling: Duration = .seconds(60)
  ) -> DeliveryDisposition {
    for (name, time) in [("initial", initial), ("ceiling", ceiling)] {
      require(time >= .zero, of: "backoff(\(name):)", rule: "a time of 0 or more", given: time)
    }
    if let error = error as? any RetryAfterError { return .nak(after: max(error.retryAfter, .zero)) }
    let policy = RetryPolicy.exponential(.max, initial: initial, ceiling: ceiling)
    return .nak(after: policy.delay(beforeRetry: max(attempt, 1) - 1))
  }
}

/// An error that says when it is worth to try again.
///
/// A service that is asked too often, or that is being maintained, tells for how long: as HTTP does by `Retry-After`. Work that
/// throws such an error has its delivery back after that time: `acknowledged` follows it, unless `onFailure` does something else.
///
/// ```swift
/// struct Overloaded: RetryAfterError { let retryAfter: Duration }
/// print(DeliveryDisposition.backoff(after: Overloaded(retryAfter: .seconds(7)), attempt: 1))
/// // Prints "nak(after: Optional(7.0 seconds))"
/// ```
public protocol RetryAfterError: Error {
  /// How much later; a negative time counts as none.
  var retryAfter: Duration { get }
}
