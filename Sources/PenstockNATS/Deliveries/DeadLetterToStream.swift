// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockConcurrency
  public import PenstockCore

  extension Publisher where Output: Delivery<[UInt8]> {
    /// Republishes deliveries, and publishes those to a stream of NATS that have been tried too often.
    ///
    /// ```swift
    /// try await connection.createStream(StreamConfiguration("DEAD", subjects: ["dead.>"]))
    /// let billed = connection.deliveries(stream: "ORDERS", consumer: "billing")
    ///   .deadLetter(after: 5, to: "dead.orders", of: connection)
    ///   .acknowledged { delivery in try await bill(delivery.text) }
    /// ```
    ///
    /// Does what `deadLetter(after:to:)` does with a closure that publishes and waits until the stream has confirmed it. The payload
    /// and the headers are kept; the header `Penstock-Subject` says where it was published, and `Penstock-Attempts` how often it
    /// has been tried. What is set aside twice, since it could not be settled, is in the stream once within its
    /// `duplicateWindow`, where the delivery has a name.
    ///
    /// **Demand:**, **Completion:**, **Failure:** and **Traps:** as there. A subject that can't be one, or that no stream keeps, fails
    /// like any closure that throws: the delivery comes again, later and later.
    ///
    /// **Concurrency:** a task for each delivery that is set aside.
    ///
    /// - Parameters:
    ///   - count: How often a delivery may be tried.
    ///   - subject: Where the others are published; a stream has to keep it.
    ///   - connection: The connection by which they are.
    /// - Returns: A publisher of the other deliveries.
    public consuming func deadLetter(
      after count: Int, to subject: String, of connection: NATSConnection
    ) -> Publishers.Lifted<Output, Failure> {
      deadLetter(after: count) { delivery in
        // A header without a value can't be sent.
        var headers = delivery.headers.filter { !$0.value.isEmpty }
        headers["Penstock-Subject"] = delivery.subject
        headers["Penstock-Attempts"] = "\(delivery.attempt - 1)"
        // The name of the first message: with it the second stream would take this for one that it has.
        headers["Nats-Msg-Id"] = nil
        let id = delivery.messageID.map { "dead \(delivery.subject) \($0)" }
        try await connection.publishConfirmed(
          NATSPublication(delivery.payload, to: subject, id: id, headers: headers))
      }
    }
  }

  extension SendablePublisher where Base.Output: Delivery<[UInt8]> {
    /// Republishes deliveries, and publishes those to a stream of NATS that have been tried too often.
    ///
    /// Does what `Publisher.deadLetter(after:to:of:)` does, in a pipeline that is checked for data races.
    public func deadLetter(
      after count: Int, to subject: String, of connection: NATSConnection
    ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
      SendablePublisher<_>(unchecked: publisher.deadLetter(after: count, to: subject, of: connection))
    }
  }
#endif
