// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscription that requests from upstream, and cancels it, on a scheduler.
@usableFromInline
package class SubscribeOnSubscription: BaseSubscription {
  /// The introduction of downstream.
  ///
  /// Until `receive(subscription:)` has returned, requests that a block makes on another thread are held: values that
  /// they cause must not overlap with that call.
  internal struct Introduction {
    var thread: UInt?
    var held: Subscribers.Demand?
  }

  @usableFromInline internal let slot = SubscriptionSlot()
  @usableFromInline internal let name: String
  @usableFromInline internal let schedule: (@escaping () -> Void) -> Void
  private let introduction = Guarded(Introduction())

  @usableFromInline
  internal init(name: String, schedule: @escaping (@escaping () -> Void) -> Void) {
    self.name = name
    self.schedule = schedule
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if slot.phase == .active { schedule { self.ask(for: demand) } }
  }

  /// Requests from upstream; called by a scheduled block.
  private func ask(for demand: Subscribers.Demand) {
    let thread = currentThread()
    let isHeld = introduction.withLock { introduction in
      guard let introducer = introduction.thread, introducer != thread else { return false }
      introduction.held = (introduction.held ?? .none) + demand
      return true
    }
    if !isHeld { slot.request(demand) }
  }

  @usableFromInline
  package final override func cancel() {
    // The slot is emptied at once, so nothing is delivered any more, whenever the block runs.
    if let subscription = slot.end().subscription { schedule { subscription.cancel() } }
  }

  @usableFromInline
  internal final func beginIntroduction() {
    let thread = currentThread()
    introduction.withLock { $0.thread = thread }
  }

  @usableFromInline
  internal final func endIntroduction() {
    let held = introduction.withLock { introduction in
      introduction.thread = nil
      return introduction.held.take()
    }
    if let held { slot.request(held) }
  }

  /// Forwarded to upstream: this subscription's deliveries end when upstream's do.
  @usableFromInline
  package final override func observeQuiescence(_ observer: any QuiescenceObserver) -> Bool {
    slot.observeQuiescence(observer)
  }

  @usableFromInline
  package final override var above: BaseSubscription? { slot.base }

  @usableFromInline
  package final override var description: String { name }
}
