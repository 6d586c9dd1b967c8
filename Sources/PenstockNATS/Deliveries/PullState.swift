// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency

  /// What one subscriber knows of the consumer that it asks.
  internal struct PullState: Sendable {
    /// The name of the consumer.
    internal var consumer: String
    internal var inbox: PullInbox?
    internal var needsInbox = true
    internal var isOpening = false
    /// Whether there has been an inbox.
    internal var hasBegun = false
    /// The number of the last request.
    internal var number = 0
    internal var configuration: ConsumerConfiguration?
    /// The time at which that was read.
    internal var readingDate: ContinuousClock.Instant?
    /// The time of the last request; `hasDelivered` says whether a message has come since.
    internal var askDate = ContinuousClock.now
    internal var hasDelivered = false
    /// The time of the last sign of life from the consumer; while nothing has been asked for, the consumer is silent.
    internal var lastHeard = ContinuousClock.now
    internal var outage = Outage()
    /// Whether nothing more is taken: the stream is drained, has failed or has been cancelled.
    internal var isOver = false
    internal var isWatching = false
    // Of an ordered pull: the numbers of the last message, in its consumer and in its stream, and the creation date of
    // the stream to which the latter belongs.
    internal var lastDelivery: UInt64 = 0
    internal var lastSequence: UInt64 = 0
    internal var creationDate: String?

    internal init(consumer: String) { self.consumer = consumer }

    /// Notes a message of an ordered pull.
    ///
    /// - Returns: Whether it is the next one of its consumer.
    internal mutating func isNext(_ origin: AckSubject) -> Bool {
      if origin.consumerSequence != lastDelivery + 1 { return false }
      lastDelivery = origin.consumerSequence
      lastSequence = origin.streamSequence
      return true
    }

    /// How long the consumer is left alone when it has nothing to deliver; `nil` if it has waited, or has delivered
    /// some messages.
    ///
    /// Only a server that wants to be asked in a loop says so at once, again and again.
    internal var pause: Duration? {
      hasDelivered || ContinuousClock.now - askDate > .milliseconds(100) ? nil : .milliseconds(250)
    }
  }
#endif
