// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The upstream of an operator or a subscriber under test, without its types: driven by hand, and able to break rules.
final class UpstreamControl: @unchecked Sendable {
  /// One subscriber of the upstream, with the log of its calls.
  struct Link {
    let subscription: TestSubscription
    /// Delivers the value with a number, whatever the demand; returns the demand that the subscriber returns.
    let sendValue: (Int) -> Subscribers.Demand
    /// Completes, with a failure if that is wanted and possible, whatever came before.
    let sendEnd: (_ fails: Bool) -> Void
    let offer: (any Subscription) -> Void
  }

  /// The log of the check in which it was made.
  let log = CheckLog.current

  private let state = Locked<[Link]>([])
  private let count = Locked(0)
  /// Whether a subscriber is given its subscription.
  var introduces = true
  /// Called with each link after its subscription has been delivered; its number is from 0.
  var onLink: ((Link, Int) -> Void)?
  /// Called for each request and each cancel of a subscriber.
  var onCall: ((_ name: String) -> Void)?

  var links: [Link] { state.value }
  var subscriptions: [TestSubscription] { links.map(\.subscription) }
  var live: [TestSubscription] { subscriptions.filter(\.isLive) }

  func add(_ link: Link) {
    state.with { $0.append(link) }
    let number = count.with { count in
      defer { count += 1 }
      return count
    }
    called("subscribe")
    if introduces { link.offer(link.subscription) }
    onLink?(link, number)
  }

  /// A subscriber calls.
  func called(_ name: String) {
    onCall?(name)
    log?.note(on: thisThread())
  }

  /// Waits until somebody asks for something, or nobody can any more.
  func waitForDemand() {
    log?.waitForReaction { live.isEmpty || live.contains { $0.ledger.outstanding > .none } }
  }

  /// The number of times that it was subscribed to.
  var attached: Int { count.value }

  /// Releases all subscribers but the latest, so that a long run does not fill the memory.
  func dropOldLinks() {
    let dropped = state.with { links in
      defer { links.removeFirst(Swift.max(0, links.count - 1)) }
      return links
    }
    _ = dropped
  }

  /// Releases all subscribers, as an upstream does when it is over.
  func dropLinks() { _ = takeLinks() }

  /// Returns all subscribers, and releases them.
  func takeLinks() -> [Link] {
    state.with { links in
      defer { links = [] }
      return links
    }
  }
}

extension UpstreamControl.Link {
  /// Delivers a value, as an upstream that keeps the rules does.
  ///
  /// - Returns: Whether there was demand for it.
  @discardableResult
  func deliver(_ number: Int) -> Bool {
    let isAllowed = subscription.state.with { state in
      state.isLive && state.ledger.outstanding > .none && state.ledger.deliver()
    }
    guard isAllowed else { return false }
    let more = sendValue(number)
    subscription.state.with { $0.ledger.receiveReturned(more) }
    return true
  }

  /// Completes, once, unless it was cancelled.
  ///
  /// - Returns: Whether it has.
  @discardableResult
  func end(fails: Bool = false) -> Bool {
    let isLive = subscription.state.with { state in
      defer { state.isEnded = true }
      return state.isLive
    }
    if isLive { sendEnd(fails) }
    return isLive
  }

  var outstanding: Subscribers.Demand { subscription.ledger.outstanding }
}
