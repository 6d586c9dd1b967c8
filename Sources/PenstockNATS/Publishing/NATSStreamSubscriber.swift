// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockCore

  extension NATSConnection {
    /// Makes a subscriber that publishes what it receives into a stream.
    ///
    /// See ``NATSStreamSubscriber``.
    ///
    /// **Traps:** less than one message in flight.
    ///
    /// - Parameters:
    ///   - failure: The failure of the publisher, where the compiler does not know it yet.
    ///   - maxInFlight: How many messages are on their way at a time. With 1 they are kept in their order.
    ///   - attempts: How often each message is sent at most.
    ///   - timeout: How long each answer may take; `nil` for the `requestTimeout` of the options.
    ///   - onConfirmation: A closure that is called, on some thread, for each message that is kept.
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

  /// A subscriber that publishes what it receives into a stream, no faster than the stream confirms.
  ///
  /// ```swift
  /// let sink = connection.streamSubscriber(failure: Never.self, maxInFlight: 64)
  /// readings.map { NATSPublication(Array("\($0)".utf8), to: "readings.kitchen") }.subscribe(sink)
  /// print(try await sink.finished().confirmed)
  /// ```
  ///
  /// **Demand:** `maxInFlight` at first, and as many more as have been confirmed whenever that is a quarter of it.
  ///
  /// **Completion:** ``finished()`` returns when upstream has finished and everything is confirmed.
  ///
  /// **Failure:** upstream's, and the first message that is not kept in spite of its attempts: it cancels upstream.
  /// Both are thrown by ``finished()`` when what is in flight has come to its end.
  ///
  /// **Concurrency:** upstream is asked on a queue of the subscriber.
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

    /// Cancels upstream; what is in flight goes on.
    public func cancel() { sink.end(NATSError(.cancelled, "The subscriber has been cancelled.")) }

    /// What has become of the messages so far.
    public var counts: NATSStreamCounts { sink.counts }

    /// Waits until upstream has finished and everything is confirmed.
    ///
    /// - Returns: What has become of the messages.
    /// - Throws: A ``NATSError`` if a message has not been kept, or the subscriber was cancelled; the failure of
    ///   upstream.
    @discardableResult
    public func finished() async throws -> NATSStreamCounts { try await sink.finished() }
  }

  /// What has become of the messages of a ``NATSStreamSubscriber``.
  public struct NATSStreamCounts: Sendable, Hashable {
    /// How many have been received.
    public var received = 0
    /// How many are on their way.
    public var inFlight = 0
    /// How many the stream has confirmed, duplicates included.
    public var confirmed = 0
    /// How many the stream had before, by their ids.
    public var duplicates = 0
    /// How many have not been kept, or not for certain.
    public var failed = 0

    /// Makes counts of nothing.
    public init() {}
  }
#endif
