// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// How a publisher of deliveries asks a consumer, and what it bears.
  public struct NATSDeliveryOptions: Sendable, Hashable {
    /// How long a request waits at the server; then it is made anew.
    public var expires = Duration.seconds(30)
    /// How often the server says that a request is still there.
    ///
    /// When nothing has been heard for two of these, the request counts as lost, and is made anew: so a server that
    /// stands still or another that has taken its place is noticed after that time. At most half of `expires`.
    public var heartbeat = Duration.seconds(5)
    /// How many bytes of messages a request asks for at most, their subjects and headers included.
    ///
    /// A server takes a client that has more waiting for it than its `max_pending`, by default 64 MiB, for one that is too slow,
    /// and ends its connection. A single message that is larger than this fails the stream, with ``NATSError/Reason/limitExceeded``.
    public var maxBytes = 8 << 20
    /// How long an outage may last until the stream fails, with ``NATSError/Reason/outage``; `nil` for ever.
    ///
    /// It counts while there is demand.
    public var failsAfter: Duration? = .seconds(60)
    /// Whether an acknowledgement waits until the server says that it has it.
    public var confirmsAcknowledgements = false

    /// Makes options in which everything is as said above.
    public init() {}
  }
#endif
