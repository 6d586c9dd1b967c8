// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

extension OperatorSpec {
  /// `ignoreOutput` differs in two ways: it has a request of its own, and returns no demand.
  fileprivate var ignoresOutput: Bool { shown.description == "IgnoreOutput" }
  fileprivate var ownRequests: [ManualSubscription.Call] { ignoresOutput ? [.requested(.unlimited)] : [] }
}

/// The common rules of all transparent operators.
@Suite struct TransparentOperatorTests {
  @Test(arguments: OperatorSpec.transparent)
  func `Upstream's own subscription goes down, and its name with it`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(demand: nil)
    #expect(pipeline.received.count == 1)
    #expect(pipeline.received.first as? ManualSubscription === pipeline.subscription)
    #expect(pipeline.events == ["subscription ManualSubscription"])
    #expect(pipeline.subscription.calls == spec.ownRequests)
  }

  @Test(arguments: OperatorSpec.transparent)
  func `Its texts`(_ spec: OperatorSpec) {
    #expect(Shown(of: spec.pipeline().subscriber) == spec.shown)
  }

  @Test(arguments: OperatorSpec.transparent)
  func `It has an identifier of its own, another one for each subscription`(_ spec: OperatorSpec) {
    let (first, second) = (spec.pipeline(), spec.pipeline())
    let identifiers = Set([
      first.subscriber.combineIdentifier, second.subscriber.combineIdentifier,
      first.subscription.combineIdentifier, first.downstream.combineIdentifier,
    ])
    #expect(identifiers.count == 4)
  }

  @Test(arguments: OperatorSpec.transparent, [Subscribers.Demand.none, .max(3), .unlimited])
  func `Values go through, and what downstream wants more goes back`(
    _ spec: OperatorSpec, _ more: Subscribers.Demand
  ) {
    let pipeline = spec.pipeline()
    pipeline.onValue = { more }
    let answer: Subscribers.Demand = spec.ignoresOutput ? .none : more
    #expect(pipeline.send(2) == answer)
    #expect(pipeline.send(3) == answer)
    #expect(pipeline.values == spec.outputs)
  }

  @Test(arguments: OperatorSpec.transparent)
  func `Completions go through`(_ spec: OperatorSpec) {
    let finished = spec.pipeline()
    finished.finish()
    #expect(finished.events == ["subscription ManualSubscription", "finished"])
    guard spec.mayFail else { return }
    let failed = spec.pipeline()
    failed.fail()
    #expect(failed.events == ["subscription ManualSubscription", "failure(oops)"])
  }

  @Test(arguments: OperatorSpec.transparent)
  func `Every request and every cancel goes straight up`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(demand: nil)
    pipeline.request(.max(2))
    pipeline.request(.none)
    pipeline.request(.unlimited)
    pipeline.cancel()
    pipeline.cancel()
    pipeline.request(.max(1))
    #expect(
      pipeline.subscription.calls
        == spec.ownRequests + [
          .requested(.max(2)), .requested(.none), .requested(.unlimited), .cancelled, .cancelled, .requested(.max(1)),
        ])
  }

  @Test(arguments: OperatorSpec.transparent)
  func `A request during a delivery goes up`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(demand: .max(1))
    pipeline.onValue = { [unowned pipeline] in
      pipeline.request(.max(5))
      return .none
    }
    pipeline.send(2)
    let fromInside = pipeline.subscription.calls.filter { $0 == .requested(.max(5)) }.count
    #expect(fromInside == (spec.ignoresOutput ? 0 : 1))
  }

  @Test(arguments: OperatorSpec.transparent)
  func `A second subscription goes down as well, and is not cancelled`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(demand: nil)
    let second = ManualSubscription()
    pipeline.subscribe(second)
    #expect(pipeline.received.count == 2)
    #expect(second.calls == spec.ownRequests)
  }

  @Test(arguments: OperatorSpec.transparent)
  func `Values and a completion before the subscription go through`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(subscribed: false)
    pipeline.onValue = { .max(7) }
    #expect(pipeline.send(2) == (spec.ignoresOutput ? .none : .max(7)))
    pipeline.finish()
    #expect(pipeline.events == spec.outputs.prefix(1).map { "value \($0)" } + ["finished"])
    pipeline.subscribe()
    #expect(pipeline.received.count == 1)
  }

  @Test(arguments: OperatorSpec.transparent, [false, true])
  func `Nothing is stopped after a completion or a cancel`(_ spec: OperatorSpec, _ cancels: Bool) {
    let pipeline = spec.pipeline()
    if cancels { pipeline.cancel() } else { pipeline.finish() }
    pipeline.send(2)
    pipeline.send(3)
    pipeline.finish()
    #expect(pipeline.values == spec.outputs)
    #expect(pipeline.ends == (cancels ? ["finished"] : ["finished", "finished"]))
  }

  @Test(arguments: OperatorSpec.transparent.filter { !$0.ignoresOutput })
  func `A cancel during a delivery goes up at once`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline()
    var calls: [ManualSubscription.Call] = []
    pipeline.onValue = { [unowned pipeline] in
      pipeline.cancel()
      calls = pipeline.subscription.calls
      return .none
    }
    pipeline.send(2)
    #expect(calls.last == .cancelled)
  }

  @Test(arguments: OperatorSpec.transparent, ["finish", "fail", "cancel"])
  func `Nothing is left when the stream is over`(_ spec: OperatorSpec, _ end: String) {
    var graveyard = Graveyard()
    do {
      let pipeline = graveyard.watch(spec.pipeline(), "pipeline")
      _ = graveyard.watch(pipeline.subscription, "subscription")
      _ = graveyard.watch(pipeline.downstream, "downstream")
      pipeline.send(2)
      switch end {
      case "finish": pipeline.finish()
      case "fail": if spec.mayFail { pipeline.fail() } else { pipeline.finish() }
      default: pipeline.cancel()
      }
      pipeline.release()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
