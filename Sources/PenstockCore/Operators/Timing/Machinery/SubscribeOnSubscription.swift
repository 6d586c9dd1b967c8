// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A subscription that requests from upstream, and cancels it, on a scheduler.
@usableFromInline
package class SubscribeOnSubscription: EmbeddingSubscription {
  @usableFromInline internal final let slot = SubscriptionSlot()
  @usableFromInline internal final let name: String
  @usableFromInline internal final let schedule: (@escaping () -> Void) -> Void
  /// The introduction of downstream: until it is over, requests that a block makes on another thread are held.
  private let introduction = IntroductionHold()
  private let held = DemandLedger()

  @usableFromInline
  internal init(name: String, schedule: @escaping (@escaping () -> Void) -> Void, downstream: SubscriberCalls) {
    self.name = name
    self.schedule = schedule
    super.init(downstream: downstream)
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if slot.phase == .active { schedule { self.ask(for: demand) } }
  }

  /// Requests from upstream; called by a scheduled block.
  private func ask(for demand: Subscribers.Demand) {
    if introduction.isOpen { return slot.request(demand) }
    held.add(demand)
    if !introduction.holdBack() { askForHeld() }
  }

  private func askForHeld() {
    let demand = held.withdrawAll()
    if demand != .none { slot.request(demand) }
  }

  @usableFromInline
  package final override func cancel() {
    // The slot is emptied at once, so nothing is delivered any more, whenever the block runs.
    if let subscription = slot.end().subscription { schedule { subscription.cancel() } }
  }

  @usableFromInline
  internal final func beginIntroduction() { introduction.begin() }

  @usableFromInline
  internal final func endIntroduction() {
    if introduction.end() { askForHeld() }
  }

  @usableFromInline
  package final override var upstreamBase: BaseSubscription? { slot.base }

  @usableFromInline
  package final override var description: String { name }
}
