// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockConcurrency
  public import PenstockCore

  extension Publisher where Output: Delivery<[UInt8]> {
    /// Republishes deliveries, except those that have been tried too often, which it publishes to a stream of NATS.
    ///
    /// ```swift
    /// try await connection.createStream(StreamConfiguration("DEAD", subjects: ["dead.>"]))
    /// let billed = connection.deliveries(stream: "ORDERS", consumer: "billing")
    ///   .deadLetter(after: 5, to: "dead.orders", of: connection)
    ///   .acknowledged { delivery in try await bill(delivery.text) }
    /// ```
    ///
    /// This is `deadLetter(after:to:)` with a closure that publishes the delivery and waits until the stream has
    /// confirmed it. The payload and the headers are kept; the header `Penstock-Subject` says where the message was
    /// published, and `Penstock-Attempts` how often it has been tried. A delivery that is set aside twice, because it
    /// could not be settled, is in the stream once within its `duplicateWindow`, if the delivery has a name.
    ///
    /// **Demand:**, **Completion:**, **Failure:** and **Traps:** as there. An invalid subject, or one that no stream
    /// keeps, fails like any closure that throws: the delivery comes again, later and later.
    ///
    /// **Concurrency:** a task for each delivery that is set aside.
    ///
    /// - Parameters:
    ///   - count: How often a delivery may be tried.
    ///   - subject: The subject to which the others are published; a stream has to keep it.
    ///   - connection: The connection by which they are published.
    /// - Returns: A publisher of the deliveries that are not set aside.
    public consuming func deadLetter(
      after count: Int, to subject: String, of connection: NATSConnection
    ) -> Publishers.Lifted<Output, Failure> {
      deadLetter(after: count) { delivery in
        // A header without a value can't be sent.
        var headers = delivery.headers.filter { !$0.value.isEmpty }
        headers["Penstock-Subject"] = delivery.subject
        headers["Penstock-Attempts"] = "\(delivery.attempt - 1)"
        // The header has the name of the first message: with it, the second stream would take this message for one that
        // it has.
        headers["Nats-Msg-Id"] = nil
        let id = delivery.messageID.map { "dead \(delivery.subject) \($0)" }
        try await connection.publishConfirmed(
          NATSPublication(delivery.payload, to: subject, id: id, headers: headers))
      }
    }
  }

  extension SendablePublisher where Base.Output: Delivery<[UInt8]> {
    /// Republishes deliveries, except those that have been tried too often, which it publishes to a stream of NATS.
    ///
    /// This is `Publisher.deadLetter(after:to:of:)` for a pipeline that is checked for data races.
    public func deadLetter(
      after count: Int, to subject: String, of connection: NATSConnection
    ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
      SendablePublisher<_>(unchecked: publisher.deadLetter(after: count, to: subject, of: connection))
    }
  }
#endif
