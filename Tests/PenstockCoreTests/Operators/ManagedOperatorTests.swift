// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The common behaviour of all managed operators, while upstream and downstream keep the rules.
@Suite struct ManagedOperatorTests {
  @Test(arguments: OperatorSpec.managed)
  func `It hands down a subscription of its own, with its own name`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(demand: nil)
    #expect(pipeline.events == ["subscription \(spec.shown.description)"])
    #expect(pipeline.received.first as? ManualSubscription == nil)
    #expect(pipeline.subscription.calls.isEmpty)
  }

  @Test(arguments: OperatorSpec.managed)
  func `Its texts, as a subscriber and as a subscription`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline()
    #expect(Shown(of: pipeline.subscriber) == spec.shown)
    #expect(Shown(of: pipeline.received[0]) == spec.shown)
  }

  @Test(arguments: OperatorSpec.managed)
  func `Subscriber and subscription have one identifier, which is no one else's`(_ spec: OperatorSpec) {
    let (pipeline, other) = (spec.pipeline(), spec.pipeline())
    #expect(pipeline.subscriber.combineIdentifier == pipeline.received[0].combineIdentifier)
    let identifiers = Set([
      pipeline.received[0].combineIdentifier, other.received[0].combineIdentifier,
      pipeline.subscription.combineIdentifier, pipeline.downstream.combineIdentifier,
    ])
    #expect(identifiers.count == 4)
  }

  @Test(arguments: OperatorSpec.managed, [Subscribers.Demand.none, .max(3), .unlimited])
  func `Values go through, and what downstream wants more goes back`(
    _ spec: OperatorSpec, _ more: Subscribers.Demand
  ) {
    let pipeline = spec.pipeline()
    pipeline.onValue = { more }
    #expect(pipeline.send(2) == more)
    #expect(pipeline.send(3) == more)
    #expect(pipeline.values == spec.outputs)
  }

  @Test(arguments: OperatorSpec.managed)
  func `Requests go up unchanged, those during callbacks too`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(demand: .max(2))
    pipeline.onValue = { [unowned pipeline] in
      pipeline.request(.max(5))
      return .none
    }
    pipeline.send(2)
    pipeline.request(.unlimited)
    #expect(pipeline.subscription.calls == [.requested(.max(2)), .requested(.max(5)), .requested(.unlimited)])
  }

  @Test(arguments: OperatorSpec.managed.filter { $0.reactions?.acceptsZeroDemand == true })
  func `A request for nothing goes up where Combine lets it`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(demand: nil)
    pipeline.request(.none)
    #expect(pipeline.subscription.calls == [.requested(.none)])
  }

  @Test(arguments: OperatorSpec.managed.filter { $0.reactions?.acceptsZeroDemand == false }.map(\.name))
  func `A request for nothing traps where Combine traps`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      OperatorSpec.named(name).pipeline(demand: nil).request(.none)
    }
    expectMessage(result, "request(.none)")
  }

  @Test(arguments: OperatorSpec.managed, ["finished", "failure(oops)"])
  func `A completion ends it, without a cancel`(_ spec: OperatorSpec, _ end: String) {
    let pipeline = spec.pipeline(demand: nil)
    if end == "finished" { pipeline.finish() } else { pipeline.fail() }
    #expect(pipeline.ends == [end])
    pipeline.request(.max(1))
    pipeline.cancel()
    #expect(pipeline.subscription.calls.isEmpty)
  }

  @Test(arguments: OperatorSpec.managed)
  func `A cancel goes up once, and nothing goes up after it`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(demand: nil)
    pipeline.cancel()
    pipeline.cancel()
    pipeline.request(.max(1))
    #expect(pipeline.subscription.calls == [.cancelled])
  }

  @Test(arguments: OperatorSpec.managed)
  func `A cancel during a delivery goes up at once`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline()
    var calls: [ManualSubscription.Call] = []
    pipeline.onValue = { [unowned pipeline] in
      pipeline.cancel()
      calls = pipeline.subscription.calls
      return .none
    }
    pipeline.send(2)
    #expect(calls == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: OperatorSpec.managed, ["finish", "fail", "cancel"])
  func `Nothing is left when the stream is over`(_ spec: OperatorSpec, _ end: String) {
    var graveyard = Graveyard()
    do {
      let pipeline = graveyard.watch(spec.pipeline(), "pipeline")
      _ = graveyard.watch(pipeline.subscription, "upstream's subscription")
      _ = graveyard.watch(pipeline.received[0] as AnyObject, "operator's subscription")
      _ = graveyard.watch(pipeline.downstream, "downstream")
      pipeline.send(2)
      switch end {
      case "finish": pipeline.finish()
      case "fail": pipeline.fail()
      default: pipeline.cancel()
      }
      pipeline.release()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: OperatorSpec.managed, ["finish", "cancel"])
  func `Upstream's subscription is released at the end`(_ spec: OperatorSpec, _ end: String) {
    var graveyard = Graveyard()
    let pipeline = spec.pipeline(subscribed: false)
    pipeline.subscribe(graveyard.watch(ManualSubscription(), "upstream's subscription"))
    if end == "finish" { pipeline.finish() } else { pipeline.cancel() }
    #expect(graveyard.survivors.isEmpty)
  }
}
