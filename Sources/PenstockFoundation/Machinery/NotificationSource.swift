// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Foundation
internal import PenstockCore

/// What a `NotificationCenter.Publisher` does for one subscriber.
///
/// The center references it weakly, and only the subscription keeps it: a subscriber that releases its subscription ends it.
internal final class NotificationSource {
  private struct References {
    let publisher: NotificationCenter.Publisher
    let downstream: ErasedSubscriber
    /// Weak, as that of the center is.
    let subscription: WeakReference<SourceSubscription>
    var token: (any NSObjectProtocol)?
  }

  private let ledger = DemandLedger()

  /// `nil` before the subscription, and after a cancel.
  private let references = Guarded<References?>(nil)

  /// Serialises deliveries; other threads may post during one.
  private let queue = SerialQueue<Notification, NoState>()

  deinit {
    stopListening()
  }

  /// Adds the observer, and delivers a subscription to the subscriber.
  internal func start(_ publisher: NotificationCenter.Publisher, _ downstream: ErasedSubscriber) {
    let subscription = SourceSubscription("NotificationCenter Observer", acceptsNone: true) { _, call in
      switch call {
      case .request(let demand): self.ledger.add(demand)
      case .cancel: self.cancel()
      case .describe(let state): self.describe(&state.pointee)
      }
    }
    let downstream = subscription.counting(downstream)
    references.withLock {
      $0 = References(publisher: publisher, downstream: downstream, subscription: WeakReference(subscription))
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
    downstream.receive(subscription: subscription)
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
      if !ledger.isClosed {
        noteDiscard(notification, .withoutDemand, by: references.withLock { $0?.subscription.object })
      }
      return
    }
    guard let downstream = references.withLock({ $0?.downstream }) else { return }
    let more = downstream.receive(notification)
    if more != .none { ledger.add(more) }
  }

  private func describe(_ state: inout SourceState) {
    let references = references.withLock { $0 }
    state.downstream = references?.downstream
    state.take(ledger)
    let publisher = references?.publisher
    state.children = [
      ("center", publisher?.center as Any), ("name", publisher?.name as Any), ("object", publisher?.object as Any),
    ]
  }

  private func cancel() {
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
