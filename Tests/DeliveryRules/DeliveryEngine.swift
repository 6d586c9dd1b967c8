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

  /// The other things that the engine can do; a rule about anything else does not apply to it.
  var abilities: Set<EngineAbility> { get }

  /// Returns the sum of the counts of all publishers that the engine has made.
  func counts() -> CreditCounts

  /// Ends the streams in an orderly way.
  func drain() async

  /// Publishes texts by a subscriber into the stream, each with itself as its id if they have ids, and returns the
  /// counts when everything is confirmed.
  func write(_ texts: AnyPublisher<String, Never>, maxInFlight: Int, haveIDs: Bool) async throws -> StreamCounts

  /// Takes the server away, or brings it back with everything that it has confirmed.
  func setAway(_ isAway: Bool) async throws

  /// Whether a stream has failed because of an outage.
  func isOutage(_ failure: Failure) -> Bool
}

/// Something that an engine can do, but need not.
public enum EngineAbility: Hashable, Sendable {
  /// It counts what its publishers ask for, and what happens to the deliveries.
  case counts
  /// Its streams can be ended in an orderly way.
  case drain
  /// It has a subscriber into the stream.
  case write
  /// It has a server that can be away.
  case outages
}

extension Set<EngineAbility> {
  /// Everything that an engine without a server can do.
  public static let withoutServer: Self = [.counts, .drain, .write]
  /// Everything.
  public static let all: Self = [.counts, .drain, .write, .outages]
}

/// For engines that have none of these abilities.
extension DeliveryEngine {
  public var abilities: Set<EngineAbility> { [] }
  public func counts() -> CreditCounts { CreditCounts() }
  public func drain() async {}
  public func write(
    _ texts: AnyPublisher<String, Never>, maxInFlight: Int, haveIDs: Bool
  ) async throws -> StreamCounts {
    throw BrokenRule("there is no subscriber into the stream")
  }
  public func setAway(_ isAway: Bool) async throws {}
  public func isOutage(_ failure: Failure) -> Bool { false }
}

extension [CreditCounts] {
  /// The sum of the counts of several publishers.
  public var sum: CreditCounts {
    reduce(into: CreditCounts()) { sum, counts in
      sum.asked += counts.asked
      sum.credit += counts.credit
      sum.fetched += counts.fetched
      sum.inFlight += counts.inFlight
      sum.acknowledged += counts.acknowledged
      sum.givenBack += counts.givenBack
      sum.terminated += counts.terminated
      sum.refused += counts.refused
      sum.returnedCredit += counts.returnedCredit
      sum.lostCredit += counts.lostCredit
    }
  }
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
