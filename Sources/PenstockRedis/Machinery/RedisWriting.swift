// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import PenstockCore

  /// What is on its way from a publisher to a stream.
  internal struct RedisWriting<Failure: Error> {
    internal typealias Ending = Result<Subscribers.Completion<Failure>, RedisError>

    /// `nil` before the beginning, and after the end.
    private var subscription: (any Subscription)?
    private var hasBegun = false
    internal var inFlight = 0
    internal private(set) var confirmed = 0
    /// How it ends when nothing is on its way any more.
    internal private(set) var ending: Ending?
    internal var waiters: [UnsafeContinuation<Ending, Never>] = []

    /// - Returns: Whether there was no other subscription, and no cancel.
    internal mutating func begin(_ subscription: any Subscription) -> Bool {
      if hasBegun || ending != nil { return false }
      hasBegun = true
      self.subscription = subscription
      return true
    }

    /// - Returns: Whether a value is to be sent.
    internal mutating func send() -> Bool {
      if ending != nil { return false }
      inFlight += 1
      return true
    }

    /// - Returns: Where to request another value.
    internal mutating func confirm() -> (any Subscription)? {
      inFlight -= 1
      confirmed += 1
      return subscription
    }

    /// Ends it, or lets a failure replace the completion of upstream.
    ///
    /// - Returns: The subscription, to be cancelled.
    internal mutating func end(_ ending: Ending) -> (any Subscription)? {
      switch (self.ending, ending) {
      case (nil, _), (.success?, .failure): self.ending = ending
      default: break
      }
      return subscription.take()
    }
  }
#endif
