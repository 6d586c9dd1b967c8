// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The credit of one subscriber, and the messages that have come for it.
  internal struct PullState: Sendable {
    /// The next step of the fetch.
    internal enum Step {
      case deliver([NATSDelivery])
      /// Check whether the consumer exists, and make an inbox.
      case open
      /// Ask for that many messages.
      case ask(Int, inbox: String, number: Int)
      case wait
      case finish
      case fail(NATSError)
      case stop
    }

    internal var arrived: [NATSDelivery] = []
    /// The number of messages that have been asked for and have not come.
    internal var credit = 0
    /// The name of the consumer.
    internal var consumer: String
    internal var inbox: PullInbox?
    internal var needsInbox = true
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
    /// The time at which the consumer was lost; `nil` while it is reachable.
    internal var lossDate: ContinuousClock.Instant?
    /// Whether the consumer has refused for the moment, and is asked again later.
    internal var isRefused = false
    /// The time at which the running fetch has begun: an outage counts while somebody waits.
    internal var fetchDate: ContinuousClock.Instant?
    internal var failure: NATSError?
    internal var isEnding = false
    internal var isCancelled = false
    internal var watch: Task<Void, Never>?
    internal var waiter: UnsafeContinuation<Void, Never>?

    // Of an ordered pull: the numbers of the last message, in its consumer and in its stream, and the creation date of the
    // stream to which the latter belongs.
    internal var lastDelivery: UInt64 = 0
    internal var lastSequence: UInt64 = 0
    internal var creationDate: String?

    internal init(consumer: String) { self.consumer = consumer }

    /// The number of unrequested messages that are kept: a few may come when credit has been counted as lost.
    private static let mostUnasked = 1_000

    /// Keeps a message that has come.
    ///
    /// - Returns: Whether the message had been asked for.
    internal mutating func keep(_ delivery: NATSDelivery) -> Bool {
      arrived.append(delivery)
      hasDelivered = true
      lastHeard = .now
      if credit > 0 {
        credit -= 1
        return true
      }
      if arrived.count > Self.mostUnasked, failure == nil {
        failure = NATSError(
          .badResponse, "The server sends more messages than it has been asked for. Is it a NATS server?")
      }
      return false
    }

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

    /// Whether a fetch of that many messages has nothing to do before something comes.
    internal func mustWait(for count: Int) -> Bool {
      if isCancelled || !arrived.isEmpty || failure != nil || isEnding || needsInbox { return false }
      // Less than half is not worth a request: the messages that wait cause the next call.
      return credit * 2 > count || isRefused
    }

    internal mutating func next(_ count: Int) -> Step {
      if isCancelled { return .stop }
      if !arrived.isEmpty {
        if arrived.count <= count {
          defer { arrived = [] }
          return .deliver(arrived)
        }
        defer { arrived.removeFirst(count) }
        return .deliver(Array(arrived.prefix(count)))
      }
      if let failure { return .fail(failure) }
      if isEnding { return .finish }
      guard !needsInbox, let inbox else { return .open }
      if mustWait(for: count) { return .wait }
      let missing = min(count - credit, configuration?.maxRequestBatch ?? .max)
      askDate = .now
      hasDelivered = false
      if credit == 0 { lastHeard = .now }
      credit += missing
      number += 1
      return .ask(missing, inbox: inbox.name, number: number)
    }
  }
#endif
