// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  public import PenstockConcurrency
  internal import PenstockCore

  /// An entry of a stream, delivered to a consumer of a group.
  ///
  /// Its payload is the field `payload`, whatever its bytes, and its headers are the other fields, read as UTF-8. An entry without
  /// such a field, which another program has added, has an empty payload.
  ///
  /// Redis counts how long an entry has been with its consumer. So the calls on a delivery do this:
  ///
  /// - ``ack()`` removes the entry from the pending ones. After the deadline that is accepted as long as nobody else
  ///   has acknowledged it: the work is done, whoever has the entry now.
  /// - ``nak(after:)`` sets that time such that the entry becomes due at once, or after the delay. *A delay above the
  ///   deadline is cut to the deadline*: Redis keeps no time in the future.
  /// - ``giveBack()`` takes one from the count of deliveries, and makes the entry due at once.
  /// - ``extend()`` starts that time again. Like `nak(after:)`, it is refused when the entry has been delivered again.
  /// - ``terminate()`` is the same to Redis as `ack()`. The entry stays in the stream, as acknowledged ones do, until the stream
  ///   is trimmed.
  ///
  /// An entry that is trimmed from the stream while its work runs is done when the work is: ``ack()`` and ``extend()`` are
  /// accepted, and ``nak(after:)`` is refused, since it can't come again.
  public struct RedisDelivery: Delivery {
    public let payload: [UInt8]
    public let headers: [String: String]
    /// The name of the entry.
    public let id: RedisEntryID
    public let attempt: Int
    public let age: Duration
    private let source: RedisSource
    private weak let reader: RedisReader?
    private let settlement: Settlement

    internal init?(_ reply: RedisReply, _ attempts: [RedisEntryID: Int], _ reader: RedisReader) {
      // A deleted entry has no fields.
      guard reply.array.count == 2, let id = reply.array[0].id else { return nil }
      var fields = reply.array[1].fields
      if fields.isEmpty { return nil }
      payload = fields.removeValue(forKey: RedisConnection.payloadField)?.bytes ?? []
      headers = fields.mapValues(\.text)
      (self.id, source, self.reader) = (id, reader.source, reader)
      settlement = reader.makeSettlement()
      attempt = attempts[id] ?? 1
      let now = unixMilliseconds()
      age = .milliseconds(Int64(clamping: now - min(now, id.milliseconds)))
    }

    /// The key of the stream.
    public var subject: String { source.stream }

    public var messageID: String? { "\(id)" }

    public var deadline: Duration? { source.deadline }

    public func ack() async throws(DeliveryError) { try await finish(as: .ack) }

    public func terminate() async throws(DeliveryError) { try await finish(as: .terminate) }

    private func finish(as disposition: DeliveryDisposition) async throws(DeliveryError) {
      try await settlement.settle(as: disposition) { () throws(DeliveryError) in
        do throws(DeliveryError) {
          try accepted(await source.reply(to: words("XACK", source.stream, source.group, id)))
        } catch  where error.reason == .expired {
          // A trimmed entry does not come again, which is all that the call asks for.
          if try await !isTrimmed() { throw error }
        }
      }
    }

    public func nak(after delay: Duration?) async throws(DeliveryError) {
      let idle = source.deadline.milliseconds - max(0, delay?.milliseconds ?? 0)
      try await settle(as: .nak(), idle: max(0, idle), counted: attempt)
    }

    public func giveBack() async throws(DeliveryError) {
      try await settle(as: nil, idle: source.deadline.milliseconds, counted: attempt - 1)
    }

    private func settle(
      as disposition: DeliveryDisposition?, idle: Int64, counted: Int
    ) async throws(DeliveryError) {
      try await settlement.settle(as: disposition) { () throws(DeliveryError) in
        try accepted(await source.reply(to: source.claim(id, attempt, idle: idle, counted: counted)))
      }
      if idle >= source.deadline.milliseconds { reader?.look() }
    }

    public func extend() async throws(DeliveryError) {
      try await settlement.extend { () throws(DeliveryError) in
        do throws(DeliveryError) {
          try accepted(await source.reply(to: source.claim(id, attempt, idle: 0, counted: attempt)))
        } catch  where error.reason == .refused || error.reason == .expired {
          // Nobody else can get a trimmed entry.
          if try await !isTrimmed() { throw error }
        }
      }
    }

    /// Whether the entry is no longer in its stream, while the stream exists.
    private func isTrimmed() async throws(DeliveryError) -> Bool {
      do throws(RedisError) {
        let entries = try await source.reply(to: words("XRANGE", source.stream, id, id)).get()
        if !entries.array.isEmpty { return false }
        return try await source.reply(to: words("EXISTS", source.stream)).get().integer == 1
      } catch {
        throw error.asDeliveryError
      }
    }

    /// Gives back an entry that nobody has received.
    internal func drop() {
      settlement.drop {
        let claim = source.claim(id, attempt, idle: source.deadline.milliseconds, counted: attempt - 1)
        // The connection is kept alive for that.
        source.connection.client.send(claim) { [source] _ in withExtendedLifetime(source) {} }
      }
    }

    private func accepted(_ result: Result<RedisReply, RedisError>) throws(DeliveryError) {
      switch result {
      case .success(.integer(1)): break
      case .success(.integer(-1)):
        throw DeliveryError(
          .refused,
          "Entry \(id) is no longer in the stream, so that it can't come again: see who trims it, and how far.")
      case .success:
        throw DeliveryError(
          .expired,
          "Entry \(id) has been settled elsewhere or delivered again: call extend() before \(source.deadline) are over."
        )
      case .failure(let error): throw error.asDeliveryError
      }
    }
  }
#endif
