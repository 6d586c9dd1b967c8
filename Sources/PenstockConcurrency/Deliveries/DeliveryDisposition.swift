// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore
internal import PenstockOperators

/// What happens to a delivery whose work has failed.
public enum DeliveryDisposition: Sendable, Hashable {
  /// It counts as done.
  case ack
  /// It comes again: at once, or later.
  case nak(after: Duration? = nil)
  /// It does not come again.
  case terminate
}

extension DeliveryDisposition {
  /// Returns a disposition with which a delivery comes again, after a wait that doubles with each attempt, or that the
  /// error names.
  ///
  /// This is how `acknowledged` treats failures by default. A service that is down for a moment is not called a
  /// thousand times meanwhile, and half a minute passes, and not just some milliseconds, before `deadLetter(after: 5)`
  /// sets something aside.
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
  /// If the wait should be random, or grow in another way, `.nak(after: policy.delay(beforeRetry: attempt - 1))` takes
  /// it from a `RetryPolicy` of `PenstockOperators`.
  ///
  /// **Traps:** a negative time.
  ///
  /// - Parameters:
  ///   - error: The error. A ``RetryAfterError`` names the wait itself.
  ///   - attempt: The delivery's ``Delivery/attempt``. A number below one counts as the first.
  ///   - initial: The wait after the first attempt.
  ///   - ceiling: The longest wait, unless an error names a longer one.
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

/// An error that says when to try again.
///
/// A service that is called too often, or that is under maintenance, often says how long to wait, as HTTP does with
/// `Retry-After`. If work throws such an error, its delivery comes again after that time: `acknowledged` follows the
/// error, unless `onFailure` decides otherwise.
///
/// ```swift
/// struct Overloaded: RetryAfterError { let retryAfter: Duration }
/// print(DeliveryDisposition.backoff(after: Overloaded(retryAfter: .seconds(7)), attempt: 1))
/// // Prints "nak(after: Optional(7.0 seconds))"
/// ```
public protocol RetryAfterError: Error {
  /// The time to wait; a negative time counts as zero.
  var retryAfter: Duration { get }
}
