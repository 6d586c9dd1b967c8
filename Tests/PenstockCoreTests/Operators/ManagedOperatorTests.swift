// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The common behaviour of all managed operators, while upstream and downstream keep the rules.
@Suite struct ManagedOperatorTests {
  @Test(arguments: ManagedCase.all)
  func `It hands down a subscription of its own, with its own name`(_ managed: ManagedCase) {
    let line = managed.line(demand: nil)
    #expect(line.events == ["subscription \(managed.name)"])
    #expect(line.received.first as? ManualSubscription == nil)
    #expect(line.subscription.calls.isEmpty)
  }

  @Test(arguments: ManagedCase.all)
  func `Its texts, as a subscriber and as a subscription`(_ managed: ManagedCase) {
    let line = managed.line()
    #expect(Shown(of: line.subscriber) == managed.operatorCase.shown)
    #expect(Shown(of: line.received[0]) == managed.operatorCase.shown)
  }

  @Test(arguments: ManagedCase.all)
  func `Subscriber and subscription have one identifier, which is no one else's`(_ managed: ManagedCase) {
    let (line, other) = (managed.line(), managed.line())
    #expect(line.subscriber.combineIdentifier == line.received[0].combineIdentifier)
    let identifiers = Set([
      line.received[0].combineIdentifier, other.received[0].combineIdentifier,
      line.subscription.combineIdentifier, line.downstream.combineIdentifier,
    ])
    #expect(identifiers.count == 4)
  }

  @Test(arguments: ManagedCase.all, [Subscribers.Demand.none, .max(3), .unlimited])
  func `Values go through, and what downstream wants more goes back`(
    _ managed: ManagedCase, _ more: Subscribers.Demand
  ) {
    let line = managed.line()
    line.onValue = { more }
    #expect(line.send(2) == more)
    #expect(line.send(3) == more)
    #expect(line.values == managed.operatorCase.outputs)
  }

  @Test(arguments: ManagedCase.all)
  func `Requests go up unchanged, those during callbacks too`(_ managed: ManagedCase) {
    let line = managed.line(demand: .max(2))
    line.onValue = { [unowned line] in
      line.request(.max(5))
      return .none
    }
    line.send(2)
    line.request(.unlimited)
    #expect(line.subscription.calls == [.requested(.max(2)), .requested(.max(5)), .requested(.unlimited)])
  }

  @Test(arguments: ManagedCase.all.filter(\.acceptsZeroDemand))
  func `A request for nothing goes up where Combine lets it`(_ managed: ManagedCase) {
    let line = managed.line(demand: nil)
    line.request(.none)
    #expect(line.subscription.calls == [.requested(.none)])
  }

  @Test(arguments: ManagedCase.all.filter { !$0.acceptsZeroDemand }.map(\.name))
  func `A request for nothing traps where Combine traps`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      ManagedCase.named(name).line(demand: nil).request(.none)
    }
    expectMessage(result, "request(.none)")
  }

  @Test(arguments: ManagedCase.all, ["finished", "failure(oops)"])
  func `A completion ends it, without a cancel`(_ managed: ManagedCase, _ end: String) {
    let line = managed.line(demand: nil)
    if end == "finished" { line.finish() } else { line.fail() }
    #expect(line.ends == [end])
    line.request(.max(1))
    line.cancel()
    #expect(line.subscription.calls.isEmpty)
  }

  @Test(arguments: ManagedCase.all)
  func `A cancel goes up once, and nothing goes up after it`(_ managed: ManagedCase) {
    let line = managed.line(demand: nil)
    line.cancel()
    line.cancel()
    line.request(.max(1))
    #expect(line.subscription.calls == [.cancelled])
  }

  @Test(arguments: ManagedCase.all)
  func `A cancel during a delivery goes up at once`(_ managed: ManagedCase) {
    let line = managed.line()
    var calls: [ManualSubscription.Call] = []
    line.onValue = { [unowned line] in
      line.cancel()
      calls = line.subscription.calls
      return .none
    }
    line.send(2)
    #expect(calls == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: ManagedCase.all, ["finish", "fail", "cancel"])
  func `Nothing is left when the stream is over`(_ managed: ManagedCase, _ end: String) {
    var graveyard = Graveyard()
    do {
      let line = graveyard.watch(managed.line(), "line")
      _ = graveyard.watch(line.subscription, "upstream's subscription")
      _ = graveyard.watch(line.received[0] as AnyObject, "operator's subscription")
      _ = graveyard.watch(line.downstream, "downstream")
      line.send(2)
      switch end {
      case "finish": line.finish()
      case "fail": line.fail()
      default: line.cancel()
      }
      line.release()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: ManagedCase.all, ["finish", "cancel"])
  func `Upstream's subscription is released at the end`(_ managed: ManagedCase, _ end: String) {
    var graveyard = Graveyard()
    let line = managed.line(subscribed: false)
    line.subscribe(graveyard.watch(ManualSubscription(), "upstream's subscription"))
    if end == "finish" { line.finish() } else { line.cancel() }
    #expect(graveyard.survivors.isEmpty)
  }
}
