// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A value that has to be acknowledged, or it comes again.
///
/// Brokers deliver *at least once*: who gets a message says when it is done, and a message about which nothing is said is
/// delivered again, to the same consumer or another one. So the same message may come twice, also after it has been
/// processed, if the acknowledgement was lost: what processes it has to bear that.
///
/// A delivery is *settled* by the first of ``ack()``, ``nak(after:)``, ``giveBack()`` and ``terminate()``. Hardly any code calls
/// them itself: `acknowledged(maxTasks:…)` does, when the work for a value has been done or has failed.
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
/// **Concurrency:** everything may be called in any task. What settles a delivery works in a cancelled task as well, since
/// that is where one is given back.
public protocol Delivery<Payload>: Sendable {
  /// What has been published.
  associatedtype Payload: Sendable

  /// What has been published.
  var payload: Payload { get }

  /// Where it has been published: a subject, a key, the name of a stream.
  var subject: String { get }

  /// What has been published beside the payload, by name.
  var headers: [String: String] { get }

  /// What names the message, the same for each delivery of it; `nil` if nothing does.
  ///
  /// By it a batch has a message once that has come again meanwhile. For adapters; `nil` unless a type says otherwise.
  var messageID: String? { get }

  /// 1 when it is tried for the first time, 2 for the second time, and so on.
  ///
  /// What has been delivered counts as tried, unless it has been given back by ``giveBack()``.
  var attempt: Int { get }

  /// How often the broker delivers it, at most; `nil` for without a limit.
  ///
  /// After as many attempts it comes no more, whether it is settled or not, and nobody hears of it: so
  /// `deadLetter(after:to:)` sets aside what comes for the last time. For adapters; `nil` unless a type says otherwise.
  var maxAttempts: Int? { get }

  /// How long ago it was published, when it was delivered.
  var age: Duration { get }

  /// How long it may take until it is settled, or ``extend()`` is called; `nil` if that may take any time.
  var deadline: Duration? { get }

  /// It is done, and will not come again.
  func ack() async throws(DeliveryError)

  /// It is not done, and is to come again.
  ///
  /// - Parameter delay: How much later; `nil` for at once, or as the broker has been told.
  func nak(after delay: Duration?) async throws(DeliveryError)

  /// It has not been tried: it comes again at once, and its attempt does not count.
  ///
  /// For what has been read ahead, or has waited, and is cancelled before any work for it began. Where a broker can't take an
  /// attempt back, it does what `nak(after: nil)` does, as every type does that says nothing else.
  func giveBack() async throws(DeliveryError)

  /// It takes longer: the deadline begins anew.
  func extend() async throws(DeliveryError)

  /// It can't be done, and shall not come again.
  func terminate() async throws(DeliveryError)
}

extension Delivery {
  public var messageID: String? { nil }

  public var maxAttempts: Int? { nil }

  public func giveBack() async throws(DeliveryError) { try await nak(after: nil) }
}

/// Why a delivery can't be settled, or a value not be published.
public struct DeliveryError: Error, Hashable, CustomStringConvertible {
  /// What has happened.
  public enum Reason: Sendable, Hashable {
    /// It has been settled before.
    case settled
    /// Its deadline has passed, and it has been or will be delivered again.
    case expired
    /// What it came from is closed, or there is no connection to it.
    case closed
    /// The broker refuses it.
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
