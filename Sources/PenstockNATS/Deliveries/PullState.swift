// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The credit of one subscriber, and what has come for it.
  internal struct PullState: Sendable {
    /// What the fetch has to do.
    internal enum Step {
      case deliver([NATSDelivery])
      /// Look whether the consumer is there, and make an inbox.
      case open
      /// Ask for so many.
      case ask(Int, inbox: String, number: Int)
      case wait
      case finish
      case fail(NATSError)
      case stop
    }

    internal var arrived: [NATSDelivery] = []
    /// What has been asked for and has not come.
    internal var credit = 0
    internal var inbox: PullInbox?
    internal var needsInbox = true
    /// Whether there has been an inbox.
    internal var hasBegun = false
    /// The number of the last request.
    internal var number = 0
    internal var configuration: ConsumerConfiguration?
    /// When that was read.
    internal var readingDate: ContinuousClock.Instant?
    /// When it was last asked, and whether a message has come since.
    internal var askDate = ContinuousClock.now
    internal var hasDelivered = false
    /// When something has last been heard of the consumer; while nothing has been asked for, it is silent.
    internal var lastHeard = ContinuousClock.now
    /// When it was lost; `nil` while it is there.
    internal var lossDate: ContinuousClock.Instant?
    /// Whether it has refused for the moment, and is asked again later.
    internal var isRefused = false
    /// When the fetch has begun that runs: an outage counts while somebody waits.
    internal var fetchDate: ContinuousClock.Instant?
    internal var failure: NATSError?
    internal var isEnding = false
    internal var isCancelled = false
    internal var watch: Task<Void, Never>?
    internal var waiter: UnsafeContinuation<Void, Never>?

    /// How many messages are kept that nobody has asked for: a few may come when credit has been counted as lost.
    private static let mostUnasked = 1_000

    /// Keeps a message that has come.
    ///
    /// - Returns: Whether it had been asked for.
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

    /// How long the consumer is left alone when it has nothing to deliver; not at all when it has waited, or delivered some.
    ///
    /// At once, and again and again, only a server says so that wants to be asked in a loop.
    internal var pause: Duration? {
      hasDelivered || ContinuousClock.now - askDate > .milliseconds(100) ? nil : .milliseconds(250)
    }

    /// Whether there is nothing to do for a fetch of so many before something comes.
    internal func mustWait(for count: Int) -> Bool {
      if isCancelled || !arrived.isEmpty || failure != nil || isEnding || needsInbox { return false }
      // Less than half is not worth a request: what is there brings the next call.
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
