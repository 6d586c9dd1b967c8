// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The behaviour of managed operators when upstream or downstream breaks the rules; Combine's operators differ in it.
@Suite struct ManagedOperatorMisuseTests {
  @Test(arguments: OperatorSpec.managed)
  func `A second subscription is cancelled, the first stays`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(demand: nil)
    let second = ManualSubscription()
    pipeline.subscribe(second)
    #expect(second.calls == [.cancelled])
    #expect(pipeline.received.count == 1)
    pipeline.request(.max(1))
    #expect(pipeline.subscription.calls == [.requested(.max(1))])
  }

  @Test(arguments: OperatorSpec.managed)
  func `The same subscription again is cancelled, and stays`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(demand: nil)
    pipeline.subscribe()
    #expect(pipeline.subscription.calls == [.cancelled])
    pipeline.cancel()
    #expect(pipeline.subscription.calls == [.cancelled, .cancelled])
  }

  @Test(arguments: OperatorSpec.managed, ["finish", "cancel"])
  func `A subscription after the end is cancelled`(_ spec: OperatorSpec, _ end: String) {
    let pipeline = spec.pipeline()
    if end == "finish" { pipeline.finish() } else { pipeline.cancel() }
    let late = ManualSubscription()
    pipeline.subscribe(late)
    #expect(late.calls == [.cancelled])
    #expect(pipeline.received.count == 1)
  }

  @Test(arguments: OperatorSpec.managed.filter { $0.reactions?.earlyValue != .traps })
  func `A value before the subscription`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(subscribed: false)
    pipeline.onValue = { .max(4) }
    let passes = spec.reactions!.earlyValue == .passed
    #expect(pipeline.send(2) == (passes ? .max(4) : .none))
    #expect(pipeline.values == (passes ? Array(spec.outputs.prefix(1)) : []))
    pipeline.subscribe()
    #expect(pipeline.received.count == 1)
    pipeline.send(3)
    #expect(pipeline.values.last == spec.outputs.last)
  }

  @Test(arguments: OperatorSpec.managed.filter { $0.reactions?.earlyValue == .traps }.map(\.name))
  func `A value before the subscription traps`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      OperatorSpec.named(name).pipeline(subscribed: false).send(2)
    }
    expectMessage(result, "\(OperatorSpec.named(name).shown.description) received a value before a subscription")
  }

  @Test(arguments: OperatorSpec.managed.filter { $0.reactions?.earlyCompletion != .traps })
  func `A completion before the subscription`(_ spec: OperatorSpec) {
    let (finished, failed) = (spec.pipeline(subscribed: false), spec.pipeline(subscribed: false))
    finished.finish()
    failed.fail()
    let passes = spec.reactions!.earlyCompletion == .passed
    #expect(finished.events == (passes ? ["finished"] : []))
    #expect(failed.events == (passes ? ["failure(oops)"] : []))
  }

  @Test(arguments: OperatorSpec.managed.filter { $0.reactions?.earlyCompletion == .ignored })
  func `An ignored completion leaves the operator ready`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(subscribed: false)
    pipeline.finish()
    pipeline.subscribe()
    pipeline.send(2)
    pipeline.finish()
    #expect(pipeline.events.first == "subscription \(spec.shown.description)")
    #expect(pipeline.values == Array(spec.outputs.prefix(1)))
    #expect(pipeline.ends == ["finished"])
  }

  @Test(arguments: OperatorSpec.managed.filter { $0.reactions?.earlyCompletion == .traps }.map(\.name))
  func `A completion before the subscription traps`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      OperatorSpec.named(name).pipeline(subscribed: false).finish()
    }
    expectMessage(result, "\(OperatorSpec.named(name).shown.description) received a completion before a subscription")
  }

  @Test(arguments: OperatorSpec.managed.filter { $0.reactions?.earlyRequest == .ignored })
  func `A request before the subscription is forgotten`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(subscribed: false, demand: nil)
    pipeline.ownSubscription?.request(.max(3))
    pipeline.subscribe()
    #expect(pipeline.received.count == 1)
    #expect(pipeline.subscription.calls.isEmpty)
  }

  @Test(arguments: OperatorSpec.managed.filter { $0.reactions?.earlyRequest == .traps }.map(\.name))
  func `A request before the subscription traps`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      OperatorSpec.named(name).pipeline(subscribed: false).ownSubscription?.request(.max(1))
    }
    expectMessage(result, "\(OperatorSpec.named(name).shown.description) received a request before a subscription")
  }

  @Test(arguments: OperatorSpec.managed)
  func `A cancel before the subscription`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline(subscribed: false, demand: nil)
    pipeline.ownSubscription?.cancel()
    pipeline.subscribe()
    #expect(pipeline.subscription.calls == (spec.reactions!.remembersEarlyCancel ? [.cancelled] : []))
    #expect(pipeline.received.count == (spec.reactions!.remembersEarlyCancel ? 0 : 1))
  }

  @Test(arguments: OperatorSpec.managed, ["finish", "fail", "cancel"])
  func `A value after the end`(_ spec: OperatorSpec, _ end: String) {
    let pipeline = spec.pipeline()
    pipeline.onValue = { .max(4) }
    switch end {
    case "finish": pipeline.finish()
    case "fail": pipeline.fail()
    default: pipeline.cancel()
    }
    let passes = spec.reactions!.lateValue == .passed
    #expect(pipeline.send(2) == (passes ? .max(4) : .none))
    #expect(pipeline.values == (passes ? Array(spec.outputs.prefix(1)) : []))
  }

  @Test(arguments: OperatorSpec.managed)
  func `A completion after a completion`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline()
    pipeline.finish()
    pipeline.fail()
    #expect(
      pipeline.ends == ["finished"] + (spec.reactions!.completionAfterCompletion == .passed ? ["failure(oops)"] : []))
  }

  @Test(arguments: OperatorSpec.managed)
  func `A completion after a cancel`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline()
    pipeline.cancel()
    pipeline.finish()
    #expect(pipeline.ends == (spec.reactions!.completionAfterCancel == .passed ? ["finished"] : []))
  }
}
