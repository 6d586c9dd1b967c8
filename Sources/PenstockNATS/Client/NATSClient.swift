// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import Dispatch
  internal import PenstockConcurrency
  internal import PenstockCore
  internal import PenstockOperators
  internal import Synchronization

  /// A connection, as held by everything that uses it.
  ///
  /// It is closed when nothing holds it any more.
  internal final class NATSClient: Sendable {
    internal let options: NATSOptions
    internal let events: NATSClientEvents
    internal let writer: Writer
    internal let replies: Replies
    /// The unsettled deliveries of all streams: the end waits for them.
    internal let unsettled = Tally()
    /// Deliveries that have been given back untried.
    internal let untried = UntriedDeliveries()
    /// The subscriptions of streams, for which the end waits, too.
    internal let subscriptions = Tally()

    /// The greatest payload that the server takes.
    internal var maxPayload: Int { Int(events.maxPayload.load(ordering: .relaxed)) }

    private init(_ connection: OpaquePointer, _ options: NATSOptions, _ events: NATSClientEvents) {
      self.options = options
      self.events = events
      writer = Writer(connection)
      replies = Replies(writer)
      events.observers.add(replies) { $0.clientChanged($1) }
    }

    deinit { close() }

    // MARK: The beginning and the end

    internal static func connect(_ servers: [String], _ options: NATSOptions) async throws(NATSError) -> NATSClient {
      try options.check(servers)
      return try await result { done in
        DispatchQueue(label: "penstock.nats.connector").async { done(connectNow(servers, options)) }
      }.get()
    }

    private static func connectNow(_ servers: [String], _ options: NATSOptions) -> Result<NATSClient, NATSError> {
      var settings: OpaquePointer?
      guard natsOptions_Create(&settings) == NATS_OK, let settings else {
        return .failure(NATSError(.client, "The C client can't begin: is memory used up?"))
      }
      defer { natsOptions_Destroy(settings) }
      let events = NATSClientEvents()
      if let error = options.apply(to: settings, servers, events.secrets) { return .failure(error) }
      var connection: OpaquePointer?
      var status = events.attach(to: settings)
      if status == NATS_OK { status = natsConnection_Connect(&connection, settings) }
      guard status == NATS_OK, let connection else {
        // Without a connection, the client makes no callbacks.
        events.giveUp()
        let action = "Can't connect to \(servers.map { ServerAddress($0).text }.joined(separator: ", "))"
        return .failure(options.refusal(status, servers, action) ?? NATSError(status, action))
      }
      let client = NATSClient(connection, options, events)
      events.begin(connection)
      return .success(client)
    }

    internal func close() {
      events.noteClosing()
      writer.call { natsConnection_Close($0) }
    }

    /// Sends the messages that wait, and closes; at the limit it closes whatever remains.
    ///
    /// A write that the server does not take keeps the client busy for as long as a write may take, and so delays the
    /// end; a caller that drains does not wait for that.
    internal func drain(within limit: Duration) async {
      let end = ContinuousClock.now + limit.countable
      let steps = Tally()
      steps.add(1)
      Task {
        await finish(until: end)
        steps.add(-1)
      }
      await steps.waitForZero(until: end)
      // At the limit the task above may be about to close, and the caller must not see an open connection.
      events.noteClosing()
    }

    private func finish(until end: ContinuousClock.Instant) async {
      if events.beginDraining() {
        await unsettled.waitForZero(until: end)
        await subscriptions.waitForZero(until: end)
        let rest = (end - .now).milliseconds
        // The server answers when it has everything that was sent before.
        if rest > 0 { _ = await writer.flush(rest) }
        close()
      }
      await events.closed()
    }

    // MARK: Publishing

    /// Returns a message whose parts have been checked.
    internal func outgoing(
      _ payload: [UInt8], to subject: String, reply: String? = nil, headers: [String: [String]], madeID: String? = nil
    ) throws(NATSError) -> Outgoing {
      for subject in [subject, reply] { if let subject { try Names.check(subject: subject) } }
      try Names.check(headers: headers)
      let message = Outgoing(subject: subject, reply: reply, headers: headers, madeID: madeID, payload: payload)
      try check(message)
      return message
    }

    /// Checks whether a message can be published now, and throws if not.
    internal func check(_ message: Outgoing) throws(NATSError) {
      if events.isClosed { throw Self.closed }
      let (size, headers, limit) = (message.payload.count, message.headerSize, maxPayload)
      if size + headers > limit {
        let parts = headers == 0 ? "" : ", and its headers \(headers)"
        throw NATSError(
          .payloadTooLarge,
          "The payload has \(size) bytes\(parts), and the server takes \(limit): send less, or set its `max_payload`.")
      }
    }

    /// Publishes a message that has been checked.
    ///
    /// Without a connection the client keeps the message, until its buffer is full; the call waits for that. With a
    /// connection, a failure after the call is reported as a state.
    internal func publish(_ message: Outgoing) async throws(NATSError) {
      await writer.waitForRoom()
      if !events.isConnected {
        let status = await writer.publishNow(message)
        if status != NATS_OK { throw NATSError(status, "Can't publish to \(message.subject)") }
        return
      }
      writer.publish(message) { [events] in events.noteUnsent(message.subject, $0) }
    }

    /// Returns a closure that runs others one after the other, on a queue of its own.
    internal static func schedule() -> @Sendable (@escaping @Sendable () -> Void) -> Void {
      let queue = DispatchQueue(label: "penstock.nats.subscription")
      return { queue.async(execute: $0) }
    }

    /// The pauses between attempts of a request that a server can't handle now, because it is away or has no leader.
    internal static let outage = RetryPolicy.exponential(.max, initial: .milliseconds(50), ceiling: .seconds(1))

    internal static let closed = NATSError(.closed, "The connection is closed. Make another one.")
  }
#endif
