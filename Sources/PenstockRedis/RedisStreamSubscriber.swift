// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  public import PenstockCore

  /// A subscriber that adds the values of a publisher to a stream of Redis, no faster than the server confirms them.
  ///
  /// ```swift
  /// let writer = RedisStreamSubscriber<String, Never>(redis, stream: "orders", maxInFlight: 100) { order in
  ///   (payload: Array(order.utf8), headers: [:])
  /// }
  /// ["tea", "coffee"].publisher.subscribe(writer)
  /// try await writer.finished()
  /// ```
  ///
  /// **Demand:** `maxInFlight` at first, and one more for each value that the server has confirmed.
  ///
  /// **Completion:** ``finished()`` returns when upstream has ended, and everything is confirmed.
  ///
  /// **Failure:** the first value that the server does not confirm cancels upstream, and `finished()` throws it. Values
  /// are added in the order of upstream, but values that were on their way together with that one may have been added.
  ///
  /// **Concurrency:** values are requested from upstream on the thread of the connection, which must not be blocked: if
  /// slow code makes the values, let it run elsewhere, with `subscribe(on:)` and `receive(on:)`.
  public final class RedisStreamSubscriber<Input, Failure: Error>: Subscriber, Cancellable, Sendable {
    private let writer: RedisWriter<Input, Failure>

    /// Creates a subscriber, for one publisher.
    ///
    /// **Traps:** an empty name, less than one value on its way.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - stream: The key of the stream.
    ///   - maxInFlight: The greatest number of values that may be on their way to the server and not yet confirmed.
    ///   - maxLength: The least number of entries that the stream keeps, or `nil` for all: see
    ///     ``RedisConnection/publish(_:to:headers:maxLength:)``.
    ///   - message: A closure that makes the entry for a value.
    public init(
      _ connection: RedisConnection, stream: String, maxInFlight: Int = 256, maxLength: Int? = nil,
      message: @escaping @Sendable (_ value: Input) -> (payload: [UInt8], headers: [String: String])
    ) {
      require(
        !stream.isEmpty, of: "RedisStreamSubscriber(stream:)", rule: "a name that is not empty", given: "an empty one")
      require(
        maxInFlight > 0, of: "RedisStreamSubscriber(maxInFlight:)", rule: "at least one value", given: maxInFlight)
      writer = RedisWriter(maxInFlight: maxInFlight) { value, completion in
        let (payload, headers) = message(value)
        do throws(RedisError) {
          connection.link.send(try RedisConnection.addition(payload, stream, headers, maxLength), completion)
        } catch {
          completion(.failure(error))
        }
      }
    }

    public func receive(subscription: any Subscription) { writer.subscriber.receive(subscription: subscription) }

    public func receive(_ input: Input) -> Subscribers.Demand { writer.subscriber.receive(input) }

    public func receive(completion: Subscribers.Completion<Failure>) {
      writer.subscriber.receive(completion: completion)
    }

    /// Cancels upstream; what is on its way may still be added.
    public func cancel() { writer.cancel() }

    /// Waits until upstream has ended and everything is confirmed.
    ///
    /// A cancel of the task cancels the subscriber.
    ///
    /// - Returns: The completion of upstream.
    /// - Throws: The ``RedisError`` of the first value that was not confirmed, or that the subscriber was cancelled.
    @discardableResult
    public func finished() async throws(RedisError) -> Subscribers.Completion<Failure> {
      let ending = await withTaskCancellationHandler {
        await writer.ending.value
      } onCancel: {
        cancel()
      }
      return try ending.get()
    }
  }
#endif
