// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  /// The options of a publisher of deliveries: what it tolerates.
  public struct RedisDeliveryOptions: Sendable, Hashable {
    /// How long an outage may last before the stream fails, with ``RedisError/Reason-swift.enum/outage``; `nil` for no
    /// limit.
    ///
    /// An outage counts while there is demand.
    public var failsAfter: Duration? = .seconds(60)

    /// Creates options with the defaults above.
    public init() {}
  }
#endif
