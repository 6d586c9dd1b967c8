// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import Dispatch
  internal import PenstockCore

  /// A connection, as everything that uses it holds it.
  ///
  /// It is closed when nothing holds it any more.
  internal final class Link: Sendable {
    internal let options: NATSOptions
    internal let events: LinkEvents
    internal let writer: Writer
    internal let replies: Replies
    /// Deliveries that are not settled, over all streams: the end waits for them.
    internal let unsettled = Tally()
    /// Subscriptions of streams, which the end waits for, too.
    internal let inlets = Tally()
    /// The greatest payload that the server takes.
    internal let maxPayload: Int

    private init(_ connection: OpaquePointer, _ options: NATSOptions, _ events: LinkEvents) {
      self.options = options
      self.events = events
      writer = Writer(connection)
      replies = Replies(writer)
      maxPayload = Int(natsConnection_GetMaxPayload(connection))
      events.add(replies)
    }

    deinit { close() }

    // MARK: The beginning and the end

    internal static func connect(_ servers: [String], _ options: NATSOptions) async throws(NATSError) -> Link {
      try options.check(servers)
      let result = await withUnsafeContinuation { (continuation: UnsafeContinuation<Result<Link, NATSError>, Never>) in
        DispatchQueue(label: "penstock.nats.connector").async {
          continuation.resume(returning: connectNow(servers, options))
        }
      }
      return try result.get()
    }

    private static func connectNow(_ servers: [String], _ options: NATSOptions) -> Result<Link, NATSError> {
      var settings: OpaquePointer?
      guard natsOptions_Create(&settings) == NATS_OK, let settings else {
        return .failure(NATSError(.client, "The C client can't begin: is memory used up?"))
      }
      defer { natsOptions_Destroy(settings) }
      if let error = options.apply(to: settings, servers) { return .failure(error) }
      let events = LinkEvents()
      var connection: OpaquePointer?
      var status = events.attach(to: settings)
      if status == NATS_OK { status = natsConnection_Connect(&connection, settings) }
      guard status == NATS_OK, let connection else {
        // Where there has been no connection, the client calls nothing.
        events.giveUp()
        let action = "Can't connect to \(servers.map(withoutPassword).joined(separator: ", "))"
        return .failure(options.refusal(status, servers, action) ?? NATSError(status, action))
      }
      let link = Link(connection, options, events)
      events.begin(at: address(of: connection))
      return .success(link)
    }

    private static func withoutPassword(_ address: String) -> String {
      guard let at = address.lastIndex(of: "@") else { return address }
      let scheme = address.range(of: "://").map { String(address[..<$0.upperBound]) } ?? ""
      return scheme + "…" + address[at...]
    }

    internal func close() {
      events.noteClosing()
      writer.call { natsConnection_Close($0) }
    }

    /// Sends what waits, and closes.
    internal func drain(within limit: Duration) async {
      let end = ContinuousClock.now + limit.countable
      if events.beginDraining() {
        await unsettled.waitForZero(until: end)
        await inlets.waitForZero(until: end)
        let rest = (end - .now).milliseconds
        // The server answers when it has everything that was sent before.
        if rest > 0 { _ = await writer.flush(rest) }
        close()
      }
      await events.closed()
    }

    // MARK: Publishing

    /// What is wrong with publishing something now.
    internal func check(_ message: Outgoing) throws(NATSError) {
      if events.isClosed { throw Self.closed }
      let size = message.payload.count
      if size > maxPayload {
        throw NATSError(
          .payloadTooLarge,
          "The payload has \(size) bytes, and the server takes \(maxPayload): send less, or set its `max_payload`.")
      }
    }

    internal static let closed = NATSError(.closed, "The connection is closed. Make another one.")
  }

  extension String {
    /// Where a text is, if it is part of this.
    fileprivate func range(of text: String) -> Range<Index>? {
      var start = startIndex
      while start < endIndex {
        if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
        start = index(after: start)
      }
      return nil
    }
  }
#endif
