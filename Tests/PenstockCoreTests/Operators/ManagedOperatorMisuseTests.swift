// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// How managed operators behave when upstream or downstream breaks the rules; Combine's operators differ in it.
@Suite struct ManagedOperatorMisuseTests {
  @Test(arguments: ManagedCase.all)
  func `A second subscription is cancelled, the first stays`(_ managed: ManagedCase) {
    let line = managed.line(demand: nil)
    let second = ManualSubscription()
    line.subscribe(second)
    #expect(second.calls == [.cancelled])
    #expect(line.received.count == 1)
    line.request(.max(1))
    #expect(line.subscription.calls == [.requested(.max(1))])
  }

  @Test(arguments: ManagedCase.all)
  func `The same subscription again is cancelled, and stays`(_ managed: ManagedCase) {
    let line = managed.line(demand: nil)
    line.subscribe()
    #expect(line.subscription.calls == [.cancelled])
    line.cancel()
    #expect(line.subscription.calls == [.cancelled, .cancelled])
  }

  @Test(arguments: ManagedCase.all, ["finish", "cancel"])
  func `A subscription after the end is cancelled`(_ managed: ManagedCase, _ end: String) {
    let line = managed.line()
    if end == "finish" { line.finish() } else { line.cancel() }
    let late = ManualSubscription()
    line.subscribe(late)
    #expect(late.calls == [.cancelled])
    #expect(line.received.count == 1)
  }

  @Test(arguments: ManagedCase.all.filter { $0.earlyValue != .traps })
  func `A value before the subscription`(_ managed: ManagedCase) {
    let line = managed.line(subscribed: false)
    line.onValue = { .max(4) }
    let passes = managed.earlyValue == .passed
    #expect(line.send(2) == (passes ? .max(4) : .none))
    #expect(line.values == (passes ? Array(managed.operatorCase.outputs.prefix(1)) : []))
    line.subscribe()
    #expect(line.received.count == 1)
    line.send(3)
    #expect(line.values.last == managed.operatorCase.outputs.last)
  }

  @Test(arguments: ManagedCase.all.filter { $0.earlyValue == .traps }.map(\.name))
  func `A value before the subscription traps`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      ManagedCase.named(name).line(subscribed: false).send(2)
    }
    expectMessage(result, "\(name) received a value before a subscription")
  }

  @Test(arguments: ManagedCase.all.filter { $0.earlyCompletion != .traps })
  func `A completion before the subscription`(_ managed: ManagedCase) {
    let (finished, failed) = (managed.line(subscribed: false), managed.line(subscribed: false))
    finished.finish()
    failed.fail()
    let passes = managed.earlyCompletion == .passed
    #expect(finished.events == (passes ? ["finished"] : []))
    #expect(failed.events == (passes ? ["failure(oops)"] : []))
  }

  @Test(arguments: ManagedCase.all.filter { $0.earlyCompletion == .ignored })
  func `An ignored completion leaves the operator ready`(_ managed: ManagedCase) {
    let line = managed.line(subscribed: false)
    line.finish()
    line.subscribe()
    line.send(2)
    line.finish()
    #expect(line.events.first == "subscription \(managed.name)")
    #expect(line.values == Array(managed.operatorCase.outputs.prefix(1)))
    #expect(line.ends == ["finished"])
  }

  @Test(arguments: ManagedCase.all.filter { $0.earlyCompletion == .traps }.map(\.name))
  func `A completion before the subscription traps`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      ManagedCase.named(name).line(subscribed: false).finish()
    }
    expectMessage(result, "\(name) received a completion before a subscription")
  }

  @Test(arguments: ManagedCase.all.filter { $0.earlyRequest == .ignored })
  func `A request before the subscription is forgotten`(_ managed: ManagedCase) {
    let line = managed.line(subscribed: false, demand: nil)
    line.ownSubscription?.request(.max(3))
    line.subscribe()
    #expect(line.received.count == 1)
    #expect(line.subscription.calls.isEmpty)
  }

  @Test(arguments: ManagedCase.all.filter { $0.earlyRequest == .traps }.map(\.name))
  func `A request before the subscription traps`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      ManagedCase.named(name).line(subscribed: false).ownSubscription?.request(.max(1))
    }
    expectMessage(result, "\(name) received a request before a subscription")
  }

  @Test(arguments: ManagedCase.all)
  func `A cancel before the subscription`(_ managed: ManagedCase) {
    let line = managed.line(subscribed: false, demand: nil)
    line.ownSubscription?.cancel()
    line.subscribe()
    #expect(line.subscription.calls == (managed.remembersEarlyCancel ? [.cancelled] : []))
    #expect(line.received.count == (managed.remembersEarlyCancel ? 0 : 1))
  }

  @Test(arguments: ManagedCase.all, ["finish", "fail", "cancel"])
  func `A value after the end`(_ managed: ManagedCase, _ end: String) {
    let line = managed.line()
    line.onValue = { .max(4) }
    switch end {
    case "finish": line.finish()
    case "fail": line.fail()
    default: line.cancel()
    }
    let passes = managed.lateValue == .passed
    #expect(line.send(2) == (passes ? .max(4) : .none))
    #expect(line.values == (passes ? Array(managed.operatorCase.outputs.prefix(1)) : []))
  }

  @Test(arguments: ManagedCase.all)
  func `A completion after a completion`(_ managed: ManagedCase) {
    let line = managed.line()
    line.finish()
    line.fail()
    #expect(line.ends == ["finished"] + (managed.completionAfterCompletion == .passed ? ["failure(oops)"] : []))
  }

  @Test(arguments: ManagedCase.all)
  func `A completion after a cancel`(_ managed: ManagedCase) {
    let line = managed.line()
    line.cancel()
    line.finish()
    #expect(line.ends == (managed.completionAfterCancel == .passed ? ["finished"] : []))
  }
}
