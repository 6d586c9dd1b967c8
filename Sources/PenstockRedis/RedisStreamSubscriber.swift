// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  public import PenstockCore

  /// Adds the values of a publisher to a stream of Redis, with as many on their way as the server confirms.
  ///
  /// ```swift
  /// let writer = RedisStreamSubscriber<String, Never>(redis, stream: "orders", maxInFlight: 100) { order in
  ///   (payload: Array(order.utf8), headers: [:])
  /// }
  /// ["tea", "coffee"].publisher.subscribe(writer)
  /// try await writer.finished()
  /// ```
  ///
  /// **Demand:** `maxInFlight`, and one more for each value that the server has confirmed.
  ///
  /// **Completion:** ``finished()`` returns when upstream has ended, and everything is confirmed.
  ///
  /// **Failure:** the first value that the server does not confirm cancels upstream, and `finished()` throws it. The order is
  /// that of upstream, but values that were on their way with it may have been added.
  ///
  /// **Concurrency:** upstream is asked for more on the thread of the connection, which must not be blocked: where values are
  /// made by slow code, let it run elsewhere, with `subscribe(on:)` and `receive(on:)`.
  public final class RedisStreamSubscriber<Input, Failure: Error>: Subscriber, Cancellable, Sendable {
    private let connection: RedisConnection
    private let stream: String
    private let maxLength: Int?
    private let maxInFlight: Int
    private let message: @Sendable (Input) -> (payload: [UInt8], headers: [String: String])
    private let state = Guarded(RedisWriting<Failure>())

    /// Makes a subscriber, for one publisher.
    ///
    /// **Traps:** an empty name, less than one value on its way.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - stream: The key of the stream.
    ///   - maxInFlight: How many values may be on their way to the server, and not be confirmed.
    ///   - maxLength: How many entries the stream keeps at least, or `nil` for all: see
    ///     ``RedisConnection/publish(_:to:headers:maxLength:)``.
    ///   - message: A closure that makes the entry of a value.
    public init(
      _ connection: RedisConnection, stream: String, maxInFlight: Int = 256, maxLength: Int? = nil,
      message: @escaping @Sendable (_ value: Input) -> (payload: [UInt8], headers: [String: String])
    ) {
      if stream.isEmpty {
        trap(
          .unfitArgument(
            of: "RedisStreamSubscriber(stream:)", rule: "a name that is not empty", given: "an empty one"))
      }
      if maxInFlight < 1 {
        trap(
          .unfitArgument(
            of: "RedisStreamSubscriber(maxInFlight:)", rule: "at least one value", given: "\(maxInFlight)"))
      }
      (self.connection, self.stream, self.message) = (connection, stream, message)
      (self.maxInFlight, self.maxLength) = (maxInFlight, maxLength)
    }

    /// How many values the server has confirmed.
    public var confirmed: Int { state.withLock { $0.confirmed } }

    public func receive(subscription: any Subscription) {
      if state.withLock({ $0.begin(subscription) }) {
        subscription.request(.max(maxInFlight))
      } else {
        subscription.cancel()
      }
    }

    public func receive(_ input: Input) -> Subscribers.Demand {
      if state.withLock({ !$0.send() }) { return .none }
      let (payload, headers) = message(input)
      do throws(RedisError) {
        connection.link.send(try RedisConnection.addition(payload, stream, headers, maxLength)) { self.confirm($0) }
      } catch {
        confirm(.failure(error))
      }
      return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) { apply { $0.end(.success(completion)) } }

    /// Cancels upstream; what is on its way is still confirmed.
    public func cancel() {
      apply { $0.end(.failure(RedisError(.cancelled, "The subscriber of the stream has been cancelled."))) }
    }

    /// Waits until upstream has ended and everything is confirmed.
    ///
    /// A cancel of the task cancels the subscriber.
    ///
    /// - Returns: How upstream has ended.
    /// - Throws: The ``RedisError`` of the first value that was not confirmed, or that the subscriber was cancelled.
    @discardableResult
    public func finished() async throws(RedisError) -> Subscribers.Completion<Failure> {
      let result = await withTaskCancellationHandler {
        await withUnsafeContinuation { waiter in
          apply { state in
            state.waiters.append(waiter)
            return nil
          }
        }
      } onCancel: {
        cancel()
      }
      return try result.get()
    }

    /// Changes the state, cancels the subscription that it returns, and tells those who wait if everything is over.
    private func apply(_ change: (inout RedisWriting<Failure>) -> (any Subscription)?) {
      let (cancelled, waiters, ending) = state.withLock { state in
        let cancelled = change(&state)
        let ending = state.inFlight == 0 ? state.ending : nil
        return (cancelled, ending == nil ? [] : exchange(&state.waiters, with: []), ending)
      }
      cancelled?.cancel()
      if let ending { for waiter in waiters { waiter.resume(returning: ending) } }
    }

    private func confirm(_ result: Result<RedisReply, RedisError>) {
      switch result {
      case .success:
        let subscription = state.withLock { $0.confirm() }
        apply { _ in nil }
        subscription?.request(.max(1))
      case .failure(let error):
        apply { state in
          state.inFlight -= 1
          return state.end(.failure(error))
        }
      }
    }
  }
#endif
