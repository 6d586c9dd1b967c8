// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

  /// The options of a publisher of deliveries: how it asks a consumer, and what it tolerates.
  public struct NATSDeliveryOptions: Sendable, Hashable {
    /// How long a request waits at the server; then it is made again.
    public var expires = Duration.seconds(30)
    /// The interval at which the server reports that a request still waits.
    ///
    /// After two silent intervals the request counts as lost, and is made again: so a server that hangs, or another
    /// that has taken its place, is noticed after that time. The interval is at most half of `expires`.
    public var heartbeat = Duration.seconds(5)
    /// The greatest number of bytes of messages that a request asks for, including their subjects and headers.
    ///
    /// If more than the server's `max_pending`, by default 64 MiB, waits for a client, the server considers the client
    /// too slow, and ends its connection. A single message that is larger than this fails the stream, with
    /// ``NATSError/Reason/limitExceeded``.
    public var maxBytes = 8 << 20
    /// How long an outage may last before the stream fails, with ``NATSError/Reason/outage``; `nil` for no limit.
    ///
    /// An outage counts while there is demand.
    public var failsAfter: Duration? = .seconds(60)
    /// Whether an acknowledgement waits until the server confirms that it has been received.
    public var confirmsAcknowledgements = false

    /// Creates options with the defaults above.
    public init() {}

    /// Stops a program whose options are out of range.
    internal func check() {
      require(
        expires >= .milliseconds(2), of: "NATSDeliveryOptions.expires", rule: "two milliseconds or more",
        given: expires)
      require(
        heartbeat >= .milliseconds(1) && heartbeat <= expires / 2,
        of: "NATSDeliveryOptions.heartbeat", rule: "a millisecond or more, and at most half of expires",
        given: heartbeat)
      require(
        maxBytes >= 1, of: "NATSDeliveryOptions.maxBytes", rule: "a byte or more", given: maxBytes)
    }
  }
#endif
