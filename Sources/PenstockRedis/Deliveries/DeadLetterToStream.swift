// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  public import PenstockConcurrency
  public import PenstockCore

  extension Publisher where Output: Delivery<[UInt8]> {
    /// Republishes deliveries, except those that have been tried too often, which it adds to a stream of Redis.
    ///
    /// ```swift
    /// let served = redis.deliveries(stream: "orders", group: "workers", consumer: "w1")
    ///   .deadLetter(after: 5, to: "orders.dead", of: redis)
    ///   .acknowledged { delivery in try await serve(delivery.payload) }
    /// ```
    ///
    /// This is `deadLetter(after:to:)` with a closure that adds an entry. The payload and the headers are kept; the
    /// field `penstock-subject` says where the delivery was published, and `penstock-attempts` how often it has been
    /// tried. A delivery that could not be settled afterwards is set aside once more.
    ///
    /// **Demand:**, **Completion:**, **Failure:** and **Traps:** as there.
    ///
    /// **Concurrency:** a task for each delivery that is set aside.
    ///
    /// - Parameters:
    ///   - count: How often a delivery may be tried.
    ///   - stream: The key of the stream to which the others are added.
    ///   - connection: The connection by which they are added.
    ///   - maxLength: The least number of entries that the stream keeps; `nil` to keep all.
    /// - Returns: A publisher of the deliveries that are not set aside.
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
    /// Republishes deliveries, except those that have been tried too often, which it adds to a stream of Redis.
    ///
    /// This is `Publisher.deadLetter(after:to:of:maxLength:)` for a pipeline that is checked for data races.
    public func deadLetter(
      after count: Int, to stream: String, of connection: RedisConnection, maxLength: Int? = nil
    ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
      SendablePublisher<_>(
        unchecked: publisher.deadLetter(after: count, to: stream, of: connection, maxLength: maxLength))
    }
  }
#endif
