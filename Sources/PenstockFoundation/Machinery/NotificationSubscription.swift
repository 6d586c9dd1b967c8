// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Foundation
internal import PenstockCore

/// The subscription of one subscriber of a `NotificationCenter.Publisher`.
///
/// The center references it weakly: a subscriber that releases its subscription ends it.
internal final class NotificationSubscription: Subscription {
  private struct References {
    let publisher: NotificationCenter.Publisher
    let downstream: ErasedSubscriber
    var token: (any NSObjectProtocol)?
  }

  private let ledger = DemandLedger()

  /// `nil` after a cancel.
  private let references: Guarded<References?>

  /// Serialises deliveries; other threads may post during one.
  private let queue = SerialQueue<Notification, NoState>()

  internal init(_ publisher: NotificationCenter.Publisher, to downstream: ErasedSubscriber) {
    references = Guarded(References(publisher: publisher, downstream: downstream))
  }

  deinit {
    stopListening()
  }

  /// Adds the observer, and delivers the subscription to the subscriber.
  internal func start() {
    guard let (publisher, downstream) = references.withLock({ $0.map { ($0.publisher, $0.downstream) } }) else {
      return
    }
    // The loop is owned meanwhile, which succeeds because no other thread knows it yet: what another thread posts is
    // delivered after the subscription.
    let thread = currentThread()
    _ = queue.enter(thread)
    let handler = NotificationHandler { [weak self] in self?.receive($0) }
    let token = publisher.center.addObserver(
      forName: publisher.name, object: publisher.object, queue: nil
    ) { handler.handle($0) }
    references.withLock { $0?.token = token }
    downstream.receive(subscription: self)
    leave(thread)
  }

  private func receive(_ notification: Notification) {
    let thread = currentThread()
    queue.perform(
      on: thread, { deliver(notification) },
      orQueue: { if queue.append(notification, thread) { leave(thread) } }, leave: { leave(thread) })
  }

  private func leave(_ thread: UInt) {
    queue.drain(thread, isRefused: false) { deliver($0) }
  }

  private func deliver(_ notification: Notification) {
    guard ledger.takeOne() else {
      if !ledger.isClosed { noteDiscard(notification, .withoutDemand, by: self) }
      return
    }
    guard let downstream = references.withLock({ $0?.downstream }) else { return }
    let more = downstream.receive(notification)
    if more != .none { ledger.add(more) }
  }

  internal func request(_ demand: Subscribers.Demand) {
    ledger.add(demand)
  }

  internal func cancel() {
    _ = ledger.close()
    stopListening()
  }

  private func stopListening() {
    guard let references = references.withLock({ $0.take() }), let token = references.token else { return }
    references.publisher.center.removeObserver(token)
  }
}

extension NotificationSubscription: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  internal var description: String { "NotificationCenter Observer" }

  internal var playgroundDescription: Any { description }

  internal var customMirror: Mirror {
    let publisher = references.withLock { $0?.publisher }
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
