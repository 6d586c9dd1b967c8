// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  public import PenstockConcurrency
  public import PenstockCore

  /// A publisher of the entries of a stream, for one consumer of a group.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``RedisConnection/deliveries(stream:group:consumer:deadline:batch:refillAt:options:)``, which makes it.
  public struct RedisDeliveries: DeliveryPublisher {
    public typealias Output = RedisDelivery
    public typealias Failure = RedisError

    private let source: RedisSource
    private let batch: ClosedRange<Int>
    private let lowMark: Int?
    private let ledger = CreditLedger()

    internal init(_ source: RedisSource, batch: ClosedRange<Int>, refillAt lowMark: Int?) {
      self.source = source
      self.batch = batch
      self.lowMark = lowMark
    }

    /// How many entries have been asked for, and what has happened to them, for all subscribers of this publisher
    /// together.
    ///
    /// A read that waits at the server ends several times per deadline, to look for entries that are due: what it has
    /// not brought counts as returned.
    public var counts: CreditCounts { ledger.value }

    @_alwaysEmitIntoClient
    public func receive<S: Subscriber>(subscriber: S) where S.Input == RedisDelivery, S.Failure == RedisError {
      attach(AnySubscriber(subscriber))
    }

    /// Not generic: a subscriber's type is erased where it is known.
    @usableFromInline
    internal func attach(_ subscriber: AnySubscriber<RedisDelivery, RedisError>) {
      // One for each subscriber.
      let reader = RedisReader(source, ledger)
      Publishers.fetching(batch: batch, refillAt: lowMark, onDrop: { $0.drop() }) {
        count async throws(RedisError) in try await reader.fetch(count)
      }
      .receive(subscriber: subscriber)
    }
  }
#endif
