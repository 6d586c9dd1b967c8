// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Foundation
internal import PenstockCore

/// The source of a `NotificationCenter.Publisher` for one subscriber.
///
/// The center references it weakly, and only the subscription keeps it alive: a subscriber that releases its
/// subscription ends it.
internal final class NotificationSource: SubscriptionSource {
  private struct References {
    let publisher: NotificationCenter.Publisher
    /// `nil` before the subscription.
    var downstream: ErasedSubscriber?
    /// Weak, like the center's reference.
    var subscription = WeakReference<SourceSubscription>(nil)
    var token: (any NSObjectProtocol)?
  }

  private let ledger = DemandLedger()

  /// `nil` after a cancel.
  private let references: Guarded<References?>

  /// Serialises deliveries; other threads may post during one.
  private let queue = SerialQueue<Notification, NoState>()

  deinit {
    stopListening()
  }

  internal init(_ publisher: NotificationCenter.Publisher) { references = Guarded(References(publisher: publisher)) }

  /// Adds the observer, and delivers a subscription to the subscriber.
  internal func start(_ downstream: ErasedSubscriber) {
    // This thread owns the loop meanwhile, which succeeds because no other thread knows the loop yet: notifications
    // that another thread posts are delivered after the subscription.
    let thread = currentThread()
    _ = queue.enter(thread)
    introduce(downstream, name: "NotificationCenter Observer", acceptsNone: true)
    leave(thread)
  }

  internal func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
    let publisher = references.withLock { references in
      references?.downstream = downstream
      references?.subscription = WeakReference(subscription)
      return references?.publisher
    }
    guard let publisher else { return }
    let handler = NotificationHandler { [weak self] in self?.receive($0) }
    let token = publisher.center.addObserver(
      forName: publisher.name, object: publisher.object, queue: nil
    ) { handler.handle($0) }
    references.withLock { $0?.token = token }
  }

  internal func request(_ demand: Subscribers.Demand) { ledger.add(demand) }

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
      if !ledger.isClosed {
        noteDiscard(notification, .withoutDemand, by: references.withLock { $0?.subscription.object })
      }
      return
    }
    guard let downstream = references.withLock({ $0?.downstream }) else { return }
    let more = downstream.receive(notification)
    if more != .none { ledger.add(more) }
  }

  internal func show(in link: inout LinkState) {
    let references = references.withLock { $0 }
    let publisher = references?.publisher
    link.downstream = references?.downstream
    link.take(ledger)
    link.mirrored = [
      ("center", publisher?.center as Any), ("name", publisher?.name as Any), ("object", publisher?.object as Any),
    ]
  }

  internal func cancel(_ subscription: SourceSubscription) {
    _ = ledger.close()
    stopListening()
  }

  private func stopListening() {
    guard let references = references.withLock({ $0.take() }), let token = references.token else { return }
    references.publisher.center.removeObserver(token)
  }
}

/// The handler that the center calls, in a sendable box, since the center requires one.
private struct NotificationHandler: @unchecked Sendable {
  // `@unchecked`, because the closure calls a subscription, which may be used on any thread.

  let handle: (Notification) -> Void
}
