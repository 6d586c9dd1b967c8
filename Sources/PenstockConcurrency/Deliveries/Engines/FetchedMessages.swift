// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The messages of a broker, for one subscriber.
package protocol MessageSource<Message, Failure>: Sendable {
  associatedtype Message: Sendable
  associatedtype Failure: Error

  /// Fetches messages, up to a number, and waits if there are none.
  ///
  /// - Returns: `nil` when there will be no others; possibly none, also after a cancel of the task.
  func fetch(_ count: Int) async throws(Failure) -> [Message]?

  /// Gives back a message that has been fetched and can't be delivered, since the stream has been cancelled.
  func drop(_ message: Message)
}

/// A publisher of messages that each subscriber fetches from a broker, as many as are requested, with counts of them.
///
/// The publishers of a ``DeliveryQueue`` and of the adapters to brokers are of this type.
///
/// **Demand:** the broker is asked for the messages that are requested and have not come. `request(.none)` traps.
///
/// **Completion:** when the source has been drained or finished. A cancel gives back what has been fetched and has not
/// been delivered.
///
/// **Failure:** the source's.
///
/// **Concurrency:** messages come in a task of the subscriber.
public struct FetchedMessages<Output: Sendable, Failure: Error>: Publisher, Sendable {
  @usableFromInline internal let base: FetchPublisher<Output, Failure>
  private let ledger: CreditLedger

  /// - Parameters:
  ///   - name: The name of the method that makes it, for the argument that does not fit.
  ///   - batch: The least and the greatest number of messages that are fetched at a time.
  ///   - lowMark: The number of messages that are left when a batch is read ahead; `nil` to read nothing ahead.
  ///   - makeSource: Makes the source for a subscriber. The source is released when the stream has ended, in whatever
  ///     way.
  package init<Source: MessageSource<Output, Failure>>(
    _ name: String = "deliveries", batch: ClosedRange<Int>, refillAt lowMark: Int?,
    from makeSource: @escaping @Sendable (CreditLedger) -> Source
  ) {
    self.init(rules: .checked(name, batch, lowMark, 1)) { _, ledger in
      let source = makeSource(ledger)
      return FetchLoop.Client(onDrop: { source.drop($0) }) { count async throws(Failure) in
        guard let messages = try await source.fetch(count) else { return ([], true) }
        return (messages, false)
      }
    }
  }

  internal init(
    rules: FetchRules,
    makeClient: @escaping @Sendable (FetchInbox<Output, Failure>, CreditLedger) -> FetchLoop<Output, Failure>.Client
  ) {
    let ledger = CreditLedger()
    self.ledger = ledger
    base = FetchPublisher(rules: rules, name: "Fetching", priority: nil) { makeClient($0, ledger) }
  }

  /// How many messages have been asked for, and what has happened to them, for all subscribers of this publisher
  /// together.
  public var counts: CreditCounts { ledger.value }

  @_alwaysEmitIntoClient
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    base.receive(subscriber: subscriber)
  }
}

extension FetchedMessages: DeliveryPublisher where Output: Delivery {}
