// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
internal import Foundation
internal import PenstockCore

/// The subscription of one subscriber of a `NotificationCenter.Publisher`.
///
/// The center references it weakly: a subscriber that releases its subscription ends it.
internal final class NotificationSubscription: Subscription {
  private struct Link {
    let publisher: NotificationCenter.Publisher
    let downstream: ErasedSubscriber
    var token: (any NSObjectProtocol)?
  }

  private let ledger = DemandLedger()

  /// `nil` after a cancel.
  private let link: Guarded<Link?>

  /// Serialises deliveries.
  private let loop = DrainLoop()

  /// Notifications that other threads have posted during a delivery.
  private let queue = Guarded<Deque<Notification>>([])

  internal init(_ publisher: NotificationCenter.Publisher, to downstream: ErasedSubscriber) {
    link = Guarded(Link(publisher: publisher, downstream: downstream))
  }

  deinit {
    // No other thread has access any more; the lock is only the way to the state.
    if let link = link.withLock({ $0.take() }) { Self.stopListening(link) }
  }

  /// Adds the observer, and delivers the subscription to the subscriber.
  internal func start() {
    guard let (publisher, downstream) = link.withLock({ $0.map { ($0.publisher, $0.downstream) } }) else { return }
    // The loop is owned meanwhile, which succeeds because no other thread knows it yet: what another thread posts is
    // delivered after the subscription.
    let thread = currentThread()
    _ = loop.enter(thread)
    let handler = NotificationHandler { [weak self] in self?.receive($0) }
    let token = publisher.center.addObserver(
      forName: publisher.name, object: publisher.object, queue: nil
    ) { handler.handle($0) }
    link.withLock { $0?.token = token }
    downstream.receive(subscription: self)
    leave(thread)
  }

  private func receive(_ notification: Notification) {
    let thread = currentThread()
    switch loop.enter(thread) {
    case .entered:
      deliver(notification)
      leave(thread)
    case .nested:
      deliver(notification)
    case .busy:
      queue.withLock { $0.append(notification) }
      if loop.announce(thread) { leave(thread) }
    }
  }

  private func leave(_ thread: UInt) {
    repeat {
      while let notification = queue.withLock({ $0.popFirst() }) { deliver(notification) }
    } while !loop.leave(thread)
  }

  private func deliver(_ notification: Notification) {
    guard ledger.takeOne(), let downstream = link.withLock({ $0?.downstream }) else { return }
    let more = downstream.receive(notification)
    if more != .none { ledger.add(more) }
  }

  internal func request(_ demand: Subscribers.Demand) {
    ledger.add(demand)
  }

  internal func cancel() {
    _ = ledger.close()
    if let link = link.withLock({ $0.take() }) { Self.stopListening(link) }
  }

  private static func stopListening(_ link: Link) {
    if let token = link.token { link.publisher.center.removeObserver(token) }
  }
}

extension NotificationSubscription: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  internal var description: String { "NotificationCenter Observer" }

  internal var playgroundDescription: Any { description }

  internal var customMirror: Mirror {
    let publisher = link.withLock { $0?.publisher }
    return Mirror(
      self,
      children: [
        ("center", publisher?.center as Any), ("name", publisher?.name as Any),
        ("object", publisher?.object as Any), ("demand", ledger.balance),
      ])
  }
}

/// The handler that the center calls, in a sendable box, since the center requires one.
private struct NotificationHandler: @unchecked Sendable {
  // `@unchecked`, because the closure calls a subscription, which may be used on any thread.

  let handle: (Notification) -> Void
}
