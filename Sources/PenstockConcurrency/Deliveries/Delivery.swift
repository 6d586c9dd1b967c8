// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A value that has to be acknowledged; otherwise it is delivered again.
///
/// Brokers deliver *at least once*: a consumer reports when it is done with a message, and a message without such a
/// report is delivered again, to the same consumer or another one. So the same message may come twice, even after it
/// has been processed, if the acknowledgement was lost: the code that processes messages has to tolerate that.
///
/// A delivery is *settled* by the first of ``ack()``, ``nak(after:)``, ``giveBack()`` and ``terminate()``. Code rarely
/// calls them directly: `acknowledged(maxTasks:…)` does so, when the work for a value has been done or has failed.
///
/// ```swift
/// let queue = DeliveryQueue<String>(capacity: 10)
/// try await queue.publish("a letter")
/// for await delivery in queue.deliveries().prefix(1).values {
///   print(delivery.payload, delivery.attempt)
///   try await delivery.ack()
/// }
/// // Prints "a letter 1"
/// ```
///
/// **Concurrency:** everything may be called in any task. The methods that settle a delivery work in a cancelled task
/// as well, since that is where a delivery is given back.
public protocol Delivery<Payload>: Sendable {
  /// The type of the values that are published.
  associatedtype Payload: Sendable

  /// The value that has been published.
  var payload: Payload { get }

  /// The place where it has been published: a subject, a key, the name of a stream.
  var subject: String { get }

  /// The headers that have been published with the payload, by name.
  var headers: [String: String] { get }

  /// The identifier of the message, the same for each delivery of it; `nil` if there is none.
  ///
  /// It keeps a message that has come again meanwhile from being in a batch twice. For adapters; `nil` by default.
  var messageID: String? { get }

  /// The number of the attempt: 1 when the message is tried for the first time, 2 for the second time, and so on.
  ///
  /// A message that has been delivered counts as tried, unless it has been given back with ``giveBack()``.
  var attempt: Int { get }

  /// The maximum number of times that the broker delivers the message; `nil` for no limit.
  ///
  /// After that many attempts the message does not come again, whether it is settled or not, and nobody is informed: so
  /// `deadLetter(after:to:)` sets aside a message that comes for the last time. For adapters; `nil` by default.
  var maxAttempts: Int? { get }

  /// The time from its publication to its delivery.
  var age: Duration { get }

  /// The time within which it has to be settled, or ``extend()`` has to be called; `nil` if there is no limit.
  var deadline: Duration? { get }

  /// Acknowledges the delivery: it is done, and will not come again.
  func ack() async throws(DeliveryError)

  /// Gives the delivery back: it is not done, and should come again.
  ///
  /// - Parameter delay: How much later it should come; `nil` for at once, or as the broker is configured.
  func nak(after delay: Duration?) async throws(DeliveryError)

  /// Gives the delivery back as not tried: it comes again at once, and its attempt does not count.
  ///
  /// Use it for a delivery that has been read ahead, or has waited, and is cancelled before any work for it began. If a
  /// broker can't take an attempt back, this method works as `nak(after: nil)`, which is also the default
  /// implementation.
  func giveBack() async throws(DeliveryError)

  /// Extends the time for the delivery: the deadline starts again.
  func extend() async throws(DeliveryError)

  /// Terminates the delivery: it can't be done, and must not come again.
  func terminate() async throws(DeliveryError)
}

extension Delivery {
  public var messageID: String? { nil }

  public var maxAttempts: Int? { nil }

  public func giveBack() async throws(DeliveryError) { try await nak(after: nil) }
}

/// An error that says why a delivery can't be settled, or a value can't be published.
public struct DeliveryError: Error, Hashable, CustomStringConvertible {
  /// What has happened.
  public enum Reason: Sendable, Hashable {
    /// It has been settled before.
    case settled
    /// Its deadline has passed, and it has been or will be delivered again.
    case expired
    /// The source of the delivery is closed, or there is no connection to it.
    case closed
    /// The broker refuses the operation.
    case refused
    /// The task has been cancelled before the value was accepted.
    case cancelled
  }

  /// What has happened.
  public let reason: Reason

  /// What has happened, and what to do.
  public let description: String

  /// Makes an error; for adapters of brokers.
  ///
  /// - Parameters:
  ///   - reason: What has happened.
  ///   - description: What has happened in words, and what to do.
  public init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
