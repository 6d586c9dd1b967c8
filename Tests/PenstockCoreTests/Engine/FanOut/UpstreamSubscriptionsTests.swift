// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct UpstreamSubscriptionsTests {
  private final class Upstreams: @unchecked Sendable {
    private let table: UpstreamSubscriptions
    init(open: Bool) { table = UpstreamSubscriptions(open: open) }
    var kept: Int { table.kept }
    var objects: [AnyObject] { table.objects }
    func add(_ subscription: any Subscription) { table.add(subscription) }
    func add(member subscription: any Subscription & AnyObject) { table.add(member: subscription) }
    func remove(member subscription: any Subscription & AnyObject) { table.remove(member: subscription) }
    func demandRose() { table.demandRose() }
    func cancel() { table.cancel() }
  }

  @Test(arguments: [false, true])
  func `Upstream is requested once: at once, or when demand rises`(_ isOpen: Bool) {
    let upstreams = Upstreams(open: isOpen)
    let (before, after) = (ManualSubscription(), ManualSubscription())
    upstreams.add(before)
    #expect(before.requests == (isOpen ? [.unlimited] : []))
    upstreams.demandRose()
    upstreams.demandRose()
    upstreams.add(member: after)
    #expect(before.requests == [.unlimited])
    #expect(after.requests == [.unlimited])
    #expect(upstreams.kept == 2)
  }

  @Test func `A subject that has been asked before it has an upstream requests from the first one at once`() {
    let upstreams = Upstreams(open: false)
    upstreams.demandRose()
    let subscription = ManualSubscription()
    upstreams.add(member: subscription)
    #expect(subscription.requests == [.unlimited])
    upstreams.remove(member: subscription)
    #expect(upstreams.kept == 0)
  }

  @Test(arguments: [false, true], [false, true])
  func `What comes after the subject is cancelled, whether it had an upstream or not`(_ isOpen: Bool, _ hadOne: Bool) {
    let upstreams = Upstreams(open: isOpen)
    let (first, late, later) = (ManualSubscription(), ManualSubscription(), ManualSubscription())
    if hadOne { upstreams.add(first) }
    upstreams.cancel()
    #expect(first.cancellations == (hadOne ? 1 : 0))
    upstreams.add(late)
    upstreams.add(member: later)
    #expect(late.calls == [.cancelled])
    #expect(later.calls == [.cancelled])
    #expect(upstreams.kept == 0)
    upstreams.cancel()
    #expect(late.cancellations == 1)
  }

  @Test func `Kept subscriptions are released with the table`() {
    var graveyard = Graveyard()
    do {
      let upstreams = Upstreams(open: false)
      upstreams.add(graveyard.watch(ManualSubscription(), "foreign"))
      upstreams.add(member: graveyard.watch(ManualSubscription(), "member"))
      #expect(graveyard.survivors.count == 2)
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `The first request and the first upstreams may come on different threads`() {
    for _ in 1...2_000 {
      let upstreams = Upstreams(open: false)
      let subscriptions = [ManualSubscription(), ManualSubscription()]
      onThreads(3) { thread in
        if thread == 0 { upstreams.demandRose() } else { upstreams.add(subscriptions[thread - 1]) }
      }
      #expect(upstreams.kept == 2)
      for subscription in subscriptions { #expect(subscription.requests == [.unlimited]) }
    }
  }

  @Test func `Another upstream that comes while the subject is freed is cancelled once, too`() {
    for round in 0..<16 {
      let (upstreams, subscription) = (Upstreams(open: true), ManualSubscription())
      for _ in 0..<20_000 { upstreams.add(member: ManualSubscription()) }
      // Two more threads have the lock all the time, so that the others wait for it in the order in which they come: a
      // call that takes it twice would take it once before the cancel, and once after it.
      let (meeting, isOver) = (Meeting(), Locked(false))
      let occupy: @Sendable () -> Void = { while !isOver.value { _ = upstreams.objects } }
      onThreads([
        occupy, occupy,
        {
          meeting.wait()
          upstreams.add(subscription)
        },
        {
          meeting.wait(longer: 10_000 << (round % 5))
          upstreams.cancel()
          isOver.change { $0 = true }
        },
      ])
      #expect(upstreams.kept == 0)
      #expect(subscription.cancellations == 1)
    }
  }

  @Test func `An upstream that comes while the subject is freed is cancelled once`() {
    for round in 1...2_000 {
      let upstreams = Upstreams(open: round.isMultiple(of: 2))
      let subscriptions = [ManualSubscription(), ManualSubscription()]
      onThreads(3) { thread in
        if thread == 0 { upstreams.cancel() } else { upstreams.add(subscriptions[thread - 1]) }
      }
      #expect(upstreams.kept == 0)
      for subscription in subscriptions { #expect(subscription.cancellations == 1) }
    }
  }
}
