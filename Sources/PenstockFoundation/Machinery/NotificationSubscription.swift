// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
internal import Foundation
internal import PenstockCore

/// One subscriber of a `NotificationCenter.Publisher`, and its subscription.
///
/// The center knows it weakly: a subscriber that lets go of its subscription has ended it.
internal final class NotificationSubscription: Subscription {
  private struct Link {
    let publisher: NotificationCenter.Publisher
    let downstream: ErasedSubscriber
    var token: (any NSObjectProtocol)?
  }

  private let ledger = DemandLedger()

  /// Empty after a cancel.
  private let link: Guarded<Link?>

  /// Lets one thread deliver at a time.
  private let loop = DrainLoop()

  /// What other threads have posted meanwhile.
  private let queue = Guarded<Deque<Notification>>([])

  internal init(_ publisher: NotificationCenter.Publisher, to downstream: ErasedSubscriber) {
    link = Guarded(Link(publisher: publisher, downstream: downstream))
  }

  deinit {
    // The lock has nobody left to guard against.
    if let link = link.withLock({ $0.take() }) { Self.stopListening(link) }
  }

  /// Starts to listen, and hands the subscriber its subscription.
  internal func start() {
    guard let (publisher, downstream) = link.withLock({ $0.map { ($0.publisher, $0.downstream) } }) else { return }
    // Inside of the loop, which is free as long as nobody knows of it: what another thread posts is delivered only when
    // the subscriber knows its subscription.
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

/// What the center calls; it wants something that is Sendable, and the subscription takes care of threads by itself.
private struct NotificationHandler: @unchecked Sendable {
  // `@unchecked`, because what is behind the closure is a subscription, which may be called on any thread.

  let handle: (Notification) -> Void
}
