// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockCore

  extension NATSConnection {
    /// Returns a subscriber that publishes the values that it receives into a stream.
    ///
    /// See ``NATSStreamSubscriber``.
    ///
    /// **Traps:** less than one message in flight.
    ///
    /// - Parameters:
    ///   - failure: The failure of the publisher, if the compiler does not know it yet.
    ///   - maxInFlight: The greatest number of messages that are on their way at a time. With 1 the stream keeps them
    ///     in their order.
    ///   - attempts: The greatest number of times that each message is sent.
    ///   - timeout: How long each answer may take; `nil` for the `requestTimeout` of the options.
    ///   - onConfirmation: A closure that is called, on some thread, for each message that the stream keeps.
    /// - Returns: A subscriber, for one publisher.
    public func streamSubscriber<Failure: Error>(
      failure: Failure.Type = Failure.self, maxInFlight: Int = 256, attempts: Int = 3, timeout: Duration? = nil,
      onConfirmation: (@Sendable (PublishConfirmation) -> Void)? = nil
    ) -> NATSStreamSubscriber<Failure> {
      require(
        maxInFlight >= 1, of: "streamSubscriber(maxInFlight:)", rule: "one message in flight or more",
        given: maxInFlight)
      let confirming = Confirming(
        link: link, attempts: attempts, timeout: timeout ?? link.options.requestTimeout)
      return NATSStreamSubscriber(StreamSink(confirming, maxInFlight, onConfirmation))
    }
  }

  /// A subscriber that publishes the values that it receives into a stream, no faster than the stream confirms them.
  ///
  /// ```swift
  /// let sink = connection.streamSubscriber(failure: Never.self, maxInFlight: 64)
  /// readings.map { NATSPublication(Array("\($0)".utf8), to: "readings.kitchen") }.subscribe(sink)
  /// print(try await sink.finished().confirmed)
  /// ```
  ///
  /// **Demand:** `maxInFlight` at first, and then as many as have been confirmed, whenever that is a quarter of
  /// `maxInFlight`.
  ///
  /// **Completion:** ``finished()`` returns when upstream has finished and everything is confirmed.
  ///
  /// **Failure:** the failure of upstream, and that of the first message that is not kept in spite of its attempts,
  /// which cancels upstream. ``finished()`` throws either when no message is in flight any more.
  ///
  /// **Concurrency:** values are requested from upstream on a queue of the subscriber.
  public final class NATSStreamSubscriber<Failure: Error>: Subscriber, Cancellable, Sendable {
    public typealias Input = NATSPublication

    private let sink: StreamSink

    internal init(_ sink: StreamSink) { self.sink = sink }

    public func receive(subscription: any Subscription) { sink.receive(subscription) }

    public func receive(_ input: NATSPublication) -> Subscribers.Demand {
      sink.receive(input)
      return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
      if case .failure(let error) = completion { sink.end(error) } else { sink.end(nil) }
    }

    /// Cancels upstream; messages in flight continue.
    public func cancel() { sink.end(NATSError(.cancelled, "The subscriber has been cancelled.")) }

    /// The counts of the messages so far.
    public var counts: NATSStreamCounts { sink.counts }

    /// Waits until upstream has finished and everything is confirmed.
    ///
    /// - Returns: The counts of the messages.
    /// - Throws: A ``NATSError`` if a message has not been kept, or the subscriber was cancelled; the failure of
    ///   upstream.
    @discardableResult
    public func finished() async throws -> NATSStreamCounts { try await sink.finished() }
  }

  /// The counts of the messages of a ``NATSStreamSubscriber``.
  public struct NATSStreamCounts: Sendable, Hashable {
    /// The number of messages that have been received.
    public var received = 0
    /// The number of messages that are on their way.
    public var inFlight = 0
    /// The number of messages that the stream has confirmed, including duplicates.
    public var confirmed = 0
    /// The number of messages that the stream had before, by their ids.
    public var duplicates = 0
    /// The number of messages that have not been kept, or not for certain.
    public var failed = 0

    /// Creates counts that are all zero.
    public init() {}
  }
#endif
