// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct SubscriptionSlotTests {
  /// A slot in an object: the macros of the tests need a copyable value.
  private final class Slot: @unchecked Sendable {
    private let slot = SubscriptionSlot()
    var phase: SubscriptionSlot.Phase { slot.phase }
    func attach(_ subscription: any Subscription) -> Bool { slot.attach(subscription) }
    func request(_ demand: Subscribers.Demand) { slot.request(demand) }
    @discardableResult func cancel(early: Bool = false) -> Bool { slot.cancel(early: early) }
    func finish() -> Bool { slot.finish() }
    func release() -> Bool { slot.release() }
    var exceedsDemand: Bool { slot.exceedsDemand }
    var current: (any Subscription)? { slot.current }
  }

  @Test func `A mirror shows the subscription that came, not what it is wrapped in`() throws {
    let slot = Slot()
    let subscription = ManualSubscription()
    _ = slot.attach(subscription)
    #expect(try #require(slot.current) as AnyObject === subscription)
    #expect(try #require(slot.current).combineIdentifier == subscription.combineIdentifier)
  }

  @Test func `A subscription is released with the end`() {
    var graveyard = Graveyard()
    let slot = Slot()
    _ = slot.attach(graveyard.watch(ManualSubscription(), "subscription"))
    #expect(graveyard.survivors == ["subscription"])
    slot.cancel()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `The first subscription is taken, others are cancelled`() {
    let slot = Slot()
    let (first, second) = (ManualSubscription(), ManualSubscription())
    #expect(slot.phase == .awaiting)
    #expect(slot.attach(first))
    #expect(slot.phase == .active)
    #expect(!slot.attach(second))
    #expect(first.calls.isEmpty)
    #expect(second.calls == [.cancelled])
  }

  @Test func `The same subscription offered again is cancelled, and stays`() {
    let slot = Slot()
    let subscription = ManualSubscription()
    #expect(slot.attach(subscription))
    #expect(!slot.attach(subscription))
    slot.cancel()
    #expect(subscription.calls == [.cancelled, .cancelled])
  }

  @Test func `Requests go up while the subscription is there`() {
    let slot = Slot()
    let subscription = ManualSubscription()
    slot.request(.max(1))
    _ = slot.attach(subscription)
    slot.request(.max(2))
    _ = slot.finish()
    slot.request(.max(3))
    #expect(subscription.calls == [.requested(.max(2))])
  }

  @Test(arguments: [false, true])
  func `A cancel before the subscription counts only where it is remembered`(_ remembered: Bool) {
    let slot = Slot()
    let subscription = ManualSubscription()
    #expect(slot.cancel(early: remembered) == remembered)
    #expect(slot.attach(subscription) == !remembered)
    #expect(subscription.cancellations == (remembered ? 1 : 0))
  }

  @Test func `Cancelling and finishing work once, and exclude each other`() {
    let slot = Slot()
    let subscription = ManualSubscription()
    _ = slot.attach(subscription)
    #expect(slot.cancel())
    #expect(!slot.cancel())
    #expect(!slot.finish())
    #expect(subscription.calls == [.cancelled])
    #expect(slot.phase == .terminal)
  }

  @Test func `The subscription is freed at the end`() {
    var graveyard = Graveyard()
    let (cancelled, finished) = (Slot(), Slot())
    _ = cancelled.attach(graveyard.watch(ManualSubscription(), "cancelled"))
    _ = finished.attach(graveyard.watch(ManualSubscription(), "finished"))
    cancelled.cancel()
    _ = finished.finish()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `It remembers that upstream counts no demand`() {
    let recorder = Recorder<Void, Never>(demand: nil)
    ObservableObjectPublisher().subscribe(recorder)
    let (finished, released, counted) = (Slot(), Slot(), Slot())
    _ = finished.attach(recorder.subscriptions[0])
    _ = finished.finish()
    #expect(finished.exceedsDemand)
    _ = released.attach(recorder.subscriptions[0])
    _ = released.release()
    #expect(released.exceedsDemand)
    _ = counted.attach(ManualSubscription())
    _ = counted.finish()
    #expect(!counted.exceedsDemand)
  }

  @Test func `A subscription that arrives while another thread cancels is cancelled`() {
    let rounds = meet(
      20_000, over: { (slot: Slot(), subscription: ManualSubscription()) }, { _ = $0.slot.attach($0.subscription) },
      { $0.slot.cancel(early: true) })
    #expect(rounds.count { $0.subscription.cancellations != 1 || $0.slot.phase != .terminal } == 0)
  }

  @Test func `Of many threads one ends the slot`() {
    for _ in 0..<100 {
      let slot = Slot()
      _ = slot.attach(Subscriptions.empty)
      let ends = Locked(0)
      onThreads(4) { index in
        let ended = index.isMultiple(of: 2) ? slot.cancel() : slot.finish()
        if ended { ends.change { $0 += 1 } }
      }
      #expect(ends.value == 1)
    }
  }
}
