// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockConcurrency
public import PenstockCore

/// An engine of deliveries as its verification sees it: a queue in memory, or an adapter to a message broker.
///
/// Five methods suffice. The others are for what an engine can do and need not: it lists these in ``capabilities``, and
/// rules about anything else do not apply to it.
///
/// ```swift
/// struct MemoryEngine: DeliveryEngine {
///   let queue: DeliveryQueue<String>
///
///   func publish(_ texts: [String], headers: [String: String]) async throws {
///     for text in texts { try await queue.publish(text, headers: headers) }
///   }
///
///   func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> QueuedDeliveries<String> {
///     queue.deliveries(batch: batch, refillAt: lowMark)
///   }
///
///   func text(of delivery: QueuedDelivery<String>) -> String { delivery.payload }
///   func unsettledCount() -> Int { queue.counts.unsettled }
///   func retainedCount() -> Int { queue.counts.unsettled + queue.counts.waiting }
/// }
///
/// let engine = MemoryEngine(queue: DeliveryQueue(capacity: 10))
/// try await engine.publish(["tea"], headers: [:])
/// print(engine.unsettledCount(), engine.retainedCount())
/// // Prints "0 1"
/// ```
///
/// **Concurrency:** a check calls the methods in tasks of its own, some of them at the same time.
public protocol DeliveryEngine: Sendable {
  /// The publisher of the deliveries.
  associatedtype Deliveries: Publisher where Deliveries.Output: Delivery

  /// Publishes messages, in order.
  ///
  /// When the method returns, the engine has accepted them: from then on it must not lose them.
  ///
  /// - Parameters:
  ///   - texts: The payloads, in UTF-8 if the engine has bytes.
  ///   - headers: The headers of each message.
  func publish(_ texts: [String], headers: [String: String]) async throws

  /// Returns a publisher of the messages.
  ///
  /// Each call, and each subscriber, is a consumer of its own, and all consumers compete for the same messages.
  ///
  /// - Parameters:
  ///   - batch: The minimum and maximum number of messages that are fetched at a time.
  ///   - lowMark: The number of messages left at which a batch is prefetched; `nil` to prefetch nothing. Both mean what
  ///     they mean to `Publishers.fetching(batch:refillAt:maxCalls:priority:onDrop:_:)`.
  func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> Deliveries

  /// Returns the text that has been published as the payload of a delivery.
  func text(of delivery: Deliveries.Output) -> String

  /// Returns the number of messages that consumers have and have not settled, as the engine itself counts them.
  ///
  /// Prefetched messages are among them. A check asks until the number is the expected one, since an engine's own count
  /// may follow later.
  func unsettledCount() async throws -> Int

  /// Returns the number of messages that the engine retains, as it counts them: those that wait, and unsettled ones.
  func retainedCount() async throws -> Int

  /// The optional features of the engine; none by default.
  var capabilities: DeliveryCapabilities { get }

  /// Returns the counts of each publisher that the engine has made, for ``DeliveryCapabilities/creditCounts``.
  func creditCounts() -> [CreditCounts]

  /// Ends the streams in an orderly way, for ``DeliveryCapabilities/draining``: returns when they have finished.
  func drain() async throws

  /// Publishes what a publisher delivers through a subscriber, for ``DeliveryCapabilities/streamSubscriber``.
  ///
  /// - Parameters:
  ///   - texts: The publisher of the payloads.
  ///   - maxInFlight: The number of messages that may be on their way without having been confirmed.
  ///   - withMessageIDs: Whether each message has an identifier, which is its text.
  /// - Returns: The counts of the subscriber, after everything has been confirmed.
  func publish(
    _ texts: AnyPublisher<String, Never>, maxInFlight: Int, withMessageIDs: Bool
  ) async throws -> StreamCounts

  /// Takes the server away, for ``DeliveryCapabilities/outages``.
  func stopServer() async throws

  /// Brings the server back, with everything that it has confirmed; for ``DeliveryCapabilities/outages``.
  func startServer() async throws

  /// Returns whether a stream has failed because of an outage, for ``DeliveryCapabilities/outages``.
  func isOutage(_ failure: Deliveries.Failure) -> Bool

  /// Releases what the engine has; does nothing by default.
  ///
  /// Called at the end of each check, also of one that fails, but not of one that was given up in a call of the engine
  /// that does not return.
  func close() async
}

extension DeliveryEngine {
  public var capabilities: DeliveryCapabilities { [] }

  public func creditCounts() -> [CreditCounts] { [] }

  public func drain() async throws { throw missing("drain()", for: "draining") }

  public func publish(
    _ texts: AnyPublisher<String, Never>, maxInFlight: Int, withMessageIDs: Bool
  ) async throws -> StreamCounts {
    throw missing("publish(_:maxInFlight:withMessageIDs:)", for: "streamSubscriber")
  }

  public func stopServer() async throws { throw missing("stopServer()", for: "outages") }

  public func startServer() async throws { throw missing("startServer()", for: "outages") }

  public func isOutage(_ failure: Deliveries.Failure) -> Bool { false }

  public func close() async {}

  private func missing(_ method: String, for capability: String) -> BrokenRule {
    BrokenRule("\(Self.self) has the capability \(capability), and does not implement \(method)")
  }
}

/// The optional features of an engine.
public struct DeliveryCapabilities: OptionSet, Sendable, CustomStringConvertible {
  /// The set as a number.
  public let rawValue: Int

  /// Creates a set from a number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Its publishers count what they ask for, and what happens to the deliveries: see `DeliveryPublisher`.
  public static let creditCounts = DeliveryCapabilities(rawValue: 1)

  /// Its streams can be ended in an orderly way.
  public static let draining = DeliveryCapabilities(rawValue: 2)

  /// It has a subscriber that publishes what it receives, within a limit: see `StreamSubscriber`.
  public static let streamSubscriber = DeliveryCapabilities(rawValue: 4)

  /// It has a server that can be unreachable.
  public static let outages = DeliveryCapabilities(rawValue: 8)

  /// All features.
  public static let all: DeliveryCapabilities = [.creditCounts, .draining, .streamSubscriber, .outages]

  /// The names of the features.
  public var description: String {
    let names = [
      (Self.creditCounts, "creditCounts"), (.draining, "draining"), (.streamSubscriber, "streamSubscriber"),
      (.outages, "outages"),
    ]
    return "[" + names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") + "]"
  }
}

/// What a check needs of the engine that it gets.
///
/// ``DeliveryVerification`` passes one to the closure that makes an engine.
public struct DeliveryEngineConfiguration: Sendable {
  /// The rule that is checked.
  public let rule: DeliveryRule

  /// The time within which a delivery has to be settled, before it is delivered again.
  ///
  /// An hour for most rules, so that nothing is redelivered because of it; ``DeliveryVerification/deadline`` for those
  /// that wait for it.
  public let deadline: Duration

  /// The longest outage that the streams of the engine survive; of no use to an engine without a server.
  public let outageLimit: Duration

  /// Whether the check stops the server, so that no other check may use it meanwhile.
  public var needsOwnServer: Bool { rule.check.capability == .outages }
}
