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
    private let isSettled = Settlement()

    internal init?(_ reply: RedisReply, _ attempts: [RedisEntryID: Int], _ reader: RedisReader) {
      // A deleted entry has no fields.
      guard reply.array.count == 2, let id = reply.array[0].id else { return nil }
      let fields = reply.array[1].array.map { $0.bytes ?? [] }
      if fields.isEmpty { return nil }
      var (payload, headers): ([UInt8], [String: String]) = ([], [:])
      for index in stride(from: 0, to: fields.count - 1, by: 2) {
        let name = String(decoding: fields[index], as: UTF8.self)
        if name == RedisConnection.payloadField {
          payload = fields[index + 1]
        } else {
          headers[name] = String(decoding: fields[index + 1], as: UTF8.self)
        }
      }
      (self.payload, self.headers, self.id, self.source, self.reader) = (payload, headers, id, reader.source, reader)
      attempt = attempts[id] ?? 1
      let now = unixMilliseconds()
      age = .milliseconds(Int64(clamping: now - min(now, id.milliseconds)))
    }

    /// The key of the stream.
    public var subject: String { source.stream }

    public var messageID: String? { "\(id)" }

    public var deadline: Duration? { source.deadline }

    public func ack() async throws(DeliveryError) {
      do throws(DeliveryError) {
        try await settle(words("XACK", source.stream, source.group, id))
      } catch  where error.reason == .expired {
        // A trimmed entry does not come again, which is all that the call asks for.
        if try await !isTrimmed() { throw error }
      }
    }

    public func nak(after delay: Duration?) async throws(DeliveryError) {
      let idle = source.deadline.milliseconds - max(0, delay?.milliseconds ?? 0)
      try await settle(source.claim(id, attempt, idle: max(0, idle), counted: attempt))
      if idle >= source.deadline.milliseconds { reader?.look() }
    }

    public func extend() async throws(DeliveryError) {
      if isSettled.value { throw Self.settled }
      do throws(DeliveryError) {
        try accepted(await source.connection.link.reply(to: source.claim(id, attempt, idle: 0, counted: attempt)))
      } catch  where error.reason == .refused || error.reason == .expired {
        // Nobody else can get a trimmed entry.
        if try await !isTrimmed() { throw error }
      }
    }

    /// Whether the entry is no longer in its stream, while the stream exists.
    private func isTrimmed() async throws(DeliveryError) -> Bool {
      do throws(RedisError) {
        let link = source.connection.link
        let entries = try await link.reply(to: words("XRANGE", source.stream, id, id)).get()
        if !entries.array.isEmpty { return false }
        return try await link.reply(to: words("EXISTS", source.stream)).get().integer == 1
      } catch {
        throw error.asDeliveryError
      }
    }

    public func terminate() async throws(DeliveryError) { try await ack() }

    public func giveBack() async throws(DeliveryError) {
      try await settle(source.claim(id, attempt, idle: source.deadline.milliseconds, counted: attempt - 1))
      reader?.look()
    }

    /// Gives back an entry that nobody has received.
    internal func drop() {
      let claim = source.claim(id, attempt, idle: source.deadline.milliseconds, counted: attempt - 1)
      // The connection is kept alive for that.
      source.connection.link.send(claim) { [source] _ in withExtendedLifetime(source) {} }
    }

    private func settle(_ command: [[UInt8]]) async throws(DeliveryError) {
      if !isSettled.begin() { throw Self.settled }
      let result = await source.connection.link.reply(to: command)
      // Nobody knows whether it has been carried out: it may be tried again.
      if case .failure = result { isSettled.takeBack() }
      try accepted(result)
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

    private static let settled = DeliveryError(.settled, "The delivery has been settled before: settle it once.")
  }

  extension RedisConnection {
    /// Returns a publisher of the entries of a stream, which reads them as a consumer of a group.
    ///
    /// ```swift
    /// let orders = redis.deliveries(stream: "orders", group: "workers", consumer: "w1", deadline: .seconds(30))
    /// let served = orders
    ///   .deadLetter(after: 5) { delivery in try await redis.publish(delivery.payload, to: "orders.dead") }
    ///   .acknowledged(maxTasks: .max(4)) { delivery in try await serve(delivery.payload) }
    /// for try await result in served.values { print(result) }
    /// ```
    ///
    /// Entries that are due again come first: those that were given back, and those that have been with a consumer for
    /// longer than the deadline, whether that consumer lives or has died. Then come new entries. While there are none,
    /// the publisher looks for entries that are due four times per deadline, at least once a second, so that they come
    /// at most that much later.
    ///
    /// **Demand:** as many entries as are requested are read from the server, by `COUNT`, and no more, unless
    /// `refillAt` reads ahead or `batch` has a lower bound above one. The deadlines of entries that wait for demand
    /// then run.
    ///
    /// **Completion:** none: a stream has no end. A cancel ends the waiting read at once; entries that come
    /// nevertheless are given back, and count as not tried.
    ///
    /// **Failure:** a ``RedisError``: the group or the stream does not exist or has been deleted, the server is not
    /// reached within the connection's time limit. A link that is lost for a shorter time is no failure.
    ///
    /// **Concurrency:** each subscriber has a connection and a thread of its own. Values are delivered in a task of the
    /// subscriber.
    ///
    /// **Traps:** an empty name, a deadline below a millisecond, and everything at which
    /// `Publishers.fetching(batch:refillAt:maxCalls:priority:onDrop:_:)` traps.
    ///
    /// All consumers of a group should have the same deadline, since each looks for entries that are due by its own
    /// deadline.
    ///
    /// - Parameters:
    ///   - stream: The key of the stream.
    ///   - group: The name of the group, made by ``makeGroup(stream:group:from:)``.
    ///   - consumer: The name of this consumer. Several may have the same name; then the server can't distinguish them.
    ///   - deadline: The time until a delivery has to be settled or extended.
    ///   - batch: The least and the greatest number of entries that are read at a time.
    ///   - lowMark: The number of entries that are left when a batch is read ahead; `nil` to read nothing ahead.
    /// - Returns: A publisher of deliveries, which several subscribers share.
    public func deliveries(
      stream: String, group: String, consumer: String, deadline: Duration = .seconds(30),
      batch: ClosedRange<Int> = 1...64, refillAt lowMark: Int? = nil
    ) -> RedisDeliveries {
      for (label, name) in [("stream", stream), ("group", group), ("consumer", consumer)] {
        require(!name.isEmpty, of: "deliveries(\(label):)", rule: "a name that is not empty", given: "an empty one")
      }
      require(
        deadline >= .milliseconds(1), of: "deliveries(deadline:)", rule: "a deadline of at least 1 ms", given: deadline)
      let source = RedisSource(
        connection: self, stream: stream, group: group, consumer: consumer, deadline: deadline)
      return RedisDeliveries(source, batch: batch, refillAt: lowMark)
    }
  }
#endif
