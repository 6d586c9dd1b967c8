// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockConcurrency
public import PenstockCore

/// An engine that keeps values until they are acknowledged, as the rules see it: a queue in memory, or an adapter to a
/// server.
///
/// Each rule gets an engine of its own, with nothing in it.
public protocol DeliveryEngine: Sendable {
  associatedtype Item: Delivery
  associatedtype Failure: Error

  /// The deadline of its deliveries: see ``DeliveryRule/deadline(short:)``.
  var deadline: Duration { get }

  /// Publishes texts, in order; when the method returns, their delivery is promised.
  func publish(_ texts: [String], headers: [String: String]) async throws

  /// Publishes deliveries; each subscriber is a worker of its own, and all share the work.
  func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> AnyPublisher<Item, Failure>

  /// Returns the text that has been published.
  func text(of item: Item) -> String

  /// Returns the number of deliveries that are delivered and not settled, by the engine's own count.
  func unsettled() async throws -> Int

  /// Returns the number of values that will be delivered, or delivered again, by the engine's own count, including
  /// unsettled ones.
  func kept() async throws -> Int
}

extension DeliveryEngine {
  func publish(_ numbers: ClosedRange<Int>) async throws { try await publish(numbers.map(String.init), headers: [:]) }

  func deliveries(_ batch: ClosedRange<Int> = 1...16) -> AnyPublisher<Item, Failure> {
    deliveries(batch: batch, refillAt: nil)
  }
}

/// How long a rule waits for the work of an engine.
public enum Patience {
  /// A limit for an event that never comes: every other wait ends with its event.
  @TaskLocal public static var cap = Duration.seconds(300)

  /// The delay with which a rule gives a delivery back: long enough to distinguish the delivery from one that comes at
  /// once.
  @TaskLocal public static var delay = Duration.milliseconds(300)
}

/// A rule that an engine has broken.
struct BrokenRule: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

func expect(_ condition: Bool, _ words: @autoclosure () -> String) throws {
  if !condition { throw BrokenRule(words()) }
}

func expectEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
  try expect(found == wanted, "\(what): \(found); wanted: \(wanted)")
}

/// Asks until a condition holds: an engine's own counts follow what it has sent.
func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + Patience.cap
  while try await !condition() {
    if ContinuousClock.now > end { throw BrokenRule("not within \(Patience.cap): \(what)") }
    // Tasks have few threads, and other tasks need them.
    try? await ContinuousClock().sleep(for: .milliseconds(2))
  }
}
