// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import ItemDatabase
import Logging
import PenstockConcurrency
public import PenstockOperators
import ServerSentEvents
import Synchronization

/// The present visitors.
///
/// **Concurrency:** any task may use it. A visitor is added when its stream begins, and removed when it ends.
public final class Visitors: Sendable {
  private let visitors = Mutex<[String: Visitor]>([:])
  private let database: ItemDatabase
  private let archive: Archive
  private let policy: RetryPolicy
  private let limit: Int
  private let logger: Logger

  /// Creates an empty set of visitors.
  ///
  /// - Parameters:
  ///   - database: The database that they search.
  ///   - archive: The archive that they ask for details.
  ///   - policy: How often, and after which delays, the archive is asked again.
  ///   - limit: The maximum number of visitors.
  ///   - logger: The logger for arrivals and departures.
  public init(
    database: ItemDatabase, archive: Archive,
    policy: RetryPolicy = .exponential(4, initial: .milliseconds(250), ceiling: .seconds(2), jitter: 0.5),
    limit: Int = 10_000, logger: Logger
  ) {
    (self.database, self.archive, self.policy, self.limit) = (database, archive, policy, limit)
    self.logger = logger
  }

  /// The number of present visitors.
  public var count: Int { visitors.withLock { $0.count } }

  var isFull: Bool { count >= limit }

  subscript(id: String) -> Visitor? { visitors.withLock { $0[id] } }

  /// The stream of a new visitor, for each subscriber.
  var events: AnySendablePublisher<ServerSentEvent, any Error> {
    SendablePublisher(deferred: { [self] in
      let visitor = Visitor(id: Self.newID(), database: database, archive: archive, policy: policy)
      return visitor.events.handleEvents(
        receiveSubscription: { [self] _ in add(visitor) }, receiveCompletion: { [self] _ in remove(visitor) },
        receiveCancel: { [self] in remove(visitor) })
    })
    .eraseToAnySendablePublisher()
  }

  private func add(_ visitor: Visitor) {
    let count = visitors.withLock { visitors in
      visitors[visitor.id] = visitor
      return visitors.count
    }
    logger.debug("visitor came", metadata: ["visitor": "\(visitor.id)", "visitors": "\(count)"])
  }

  private func remove(_ visitor: Visitor) {
    // Released outside the lock: what a visitor holds ends with it.
    let (removed, count) = visitors.withLock { ($0.removeValue(forKey: visitor.id), $0.count) }
    guard removed != nil else { return }
    logger.debug("visitor left", metadata: ["visitor": "\(visitor.id)", "visitors": "\(count)"])
  }

  /// It can't be guessed, so nobody can type into another visitor's field.
  private static func newID() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let half = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - half.count) + half
    }.joined()
  }
}
