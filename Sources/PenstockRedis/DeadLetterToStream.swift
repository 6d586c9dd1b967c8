// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  public import PenstockConcurrency
  public import PenstockCore

  extension Publisher where Output: Delivery<[UInt8]> {
    /// Republishes deliveries, and adds those to a stream of Redis that have been tried too often.
    ///
    /// ```swift
    /// let served = redis.deliveries(stream: "orders", group: "workers", consumer: "w1")
    ///   .deadLetter(after: 5, to: "orders.dead", of: redis)
    ///   .acknowledged { delivery in try await serve(delivery.payload) }
    /// ```
    ///
    /// Does what `deadLetter(after:to:)` does with a closure that adds an entry. The payload and the headers are kept; the field
    /// `penstock-subject` says where it was published, and `penstock-attempts` how often it has been tried. What could not be
    /// settled afterwards is set aside once more.
    ///
    /// **Demand:**, **Completion:**, **Failure:** and **Traps:** as there.
    ///
    /// **Concurrency:** a task for each delivery that is set aside.
    ///
    /// - Parameters:
    ///   - count: How often a delivery may be tried.
    ///   - stream: The key of the stream to which the others are added.
    ///   - connection: The connection by which they are.
    ///   - maxLength: How many entries the stream keeps at least; `nil` to keep all.
    /// - Returns: A publisher of the other deliveries.
    public consuming func deadLetter(
      after count: Int, to stream: String, of connection: RedisConnection, maxLength: Int? = nil
    ) -> Publishers.Lifted<Output, Failure> {
      deadLetter(after: count) { delivery in
        var headers = delivery.headers
        headers["penstock-subject"] = delivery.subject
        headers["penstock-attempts"] = "\(delivery.attempt - 1)"
        try await connection.publish(delivery.payload, to: stream, headers: headers, maxLength: maxLength)
      }
    }
  }

  extension SendablePublisher where Base.Output: Delivery<[UInt8]> {
    /// Republishes deliveries, and adds those to a stream of Redis that have been tried too often.
    ///
    /// Does what `Publisher.deadLetter(after:to:of:maxLength:)` does, in a pipeline that is checked for data races.
    public func deadLetter(
      after count: Int, to stream: String, of connection: RedisConnection, maxLength: Int? = nil
    ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
      SendablePublisher<_>(
        unchecked: publisher.deadLetter(after: count, to: stream, of: connection, maxLength: maxLength))
    }
  }
#endif
