// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  public import PenstockConcurrency
  internal import PenstockCore

  extension RedisConnection {
    /// Returns a subscriber that adds the values that it receives to a stream.
    ///
    /// ```swift
    /// let writer = redis.streamSubscriber(to: "orders", failure: Never.self, maxInFlight: 100) { (order: String) in
    ///   StreamMessage(Array(order.utf8))
    /// }
    /// ["tea", "coffee"].publisher.subscribe(writer)
    /// try await writer.finished()
    /// ```
    ///
    /// See `StreamSubscriber`. Values are added in the order of upstream, unless one of them has
    /// to be sent again. A message with an id is sent again even if it may have been added: see
    /// ``publish(_:to:id:headers:maxLength:attempts:)``.
    ///
    /// **Traps:** an empty name, less than one value on its way.
    ///
    /// - Parameters:
    ///   - stream: The key of the stream.
    ///   - failure: The failure of the publisher, if the compiler does not know it yet.
    ///   - maxInFlight: The greatest number of values that may be on their way to the server and not yet confirmed.
    ///   - attempts: The greatest number of times that each message is sent.
    ///   - maxLength: The least number of entries that the stream keeps, or `nil` for all.
    ///   - message: A closure that makes the message for a value.
    /// - Returns: A subscriber, for one publisher.
    public func streamSubscriber<Value, Failure: Error>(
      to stream: String, failure: Failure.Type = Failure.self, maxInFlight: Int = 256, attempts: Int = 3,
      maxLength: Int? = nil, message: @escaping @Sendable (_ value: Value) -> StreamMessage<[UInt8]>
    ) -> StreamSubscriber<Value, Failure, RedisError> {
      require(!stream.isEmpty, of: "streamSubscriber(to:)", rule: "a name that is not empty", given: "an empty one")
      let addition = RedisAddition(connection: self, stream: stream, maxLength: maxLength, attempts: attempts)
      return StreamSubscriber(
        maxInFlight: maxInFlight, cancellation: RedisError(.cancelled, "The subscriber has been cancelled.")
      ) { value, confirm in
        addition.add(message(value)) { confirm($0.map(\.isDuplicate)) }
      }
    }
  }
#endif
