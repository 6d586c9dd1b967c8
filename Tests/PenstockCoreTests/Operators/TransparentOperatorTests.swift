// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

extension OperatorCase {
  /// The operators that forward upstream's own subscription.
  static let transparent: [OperatorCase] = [
    OperatorCase("Map", outputs: ["20", "30"]) { $0.map { $0 * 10 } },
    OperatorCase("Map", outputs: ["2", "3"]) { $0.map { Int?($0) }.replaceNil(with: 0) },
    OperatorCase("ValueForKey", children: ["keyPath"], outputs: ["2", "3"]) { $0.map(\.magnitude) },
    OperatorCase("ValueForKeys", children: ["keyPath0", "keyPath1"], outputs: ["(2, 1)", "(3, 2)"]) {
      $0.map(\.magnitude, \.nonzeroBitCount)
    },
    OperatorCase(
      "ValueForKeys", children: ["keyPath0", "keyPath1", "keyPath2"], outputs: ["(2, 1, \"2\")", "(3, 2, \"3\")"]
    ) { $0.map(\.magnitude, \.nonzeroBitCount, \.description) },
    OperatorCase("MapError") { $0.mapError { $0 } },
    OperatorCase("SetFailureType", failure: Never.self) { $0.setFailureType(to: TestError.self) },
    OperatorCase("Scan", children: ["downstream", "result"], outputs: ["2", "5"]) { $0.scan(0, +) },
    OperatorCase("Filter") { $0.filter { $0 > 0 } },
    OperatorCase("CompactMap", outputs: ["2", "3"]) { $0.compactMap { $0 > 0 ? $0 : nil } },
    OperatorCase("AssertNoFailure", children: ["file", "line", "prefix"]) { $0.assertNoFailure() },
    OperatorCase("Breakpoint") {
      $0.breakpoint(
        receiveSubscription: { _ in false }, receiveOutput: { _ in false }, receiveCompletion: { _ in false })
    },
    OperatorCase("IgnoreOutput", outputs: []) { $0.ignoreOutput() },
  ]
}

extension OperatorCase {
  /// `ignoreOutput` differs in two ways: it has a request of its own, and returns no demand.
  fileprivate var ignoresOutput: Bool { shown.description == "IgnoreOutput" }
  fileprivate var ownRequests: [ManualSubscription.Call] { ignoresOutput ? [.requested(.unlimited)] : [] }
}

/// The common rules of all transparent operators.
@Suite struct TransparentOperatorTests {
  @Test(arguments: OperatorCase.transparent)
  func `Upstream's own subscription goes down, and its name with it`(_ operatorCase: OperatorCase) {
    let line = operatorCase.line(demand: nil)
    #expect(line.received.count == 1)
    #expect(line.received.first as? ManualSubscription === line.subscription)
    #expect(line.events == ["subscription ManualSubscription"])
    #expect(line.subscription.calls == operatorCase.ownRequests)
  }

  @Test(arguments: OperatorCase.transparent)
  func `Its texts`(_ operatorCase: OperatorCase) {
    #expect(Shown(of: operatorCase.line().subscriber) == operatorCase.shown)
  }

  @Test(arguments: OperatorCase.transparent)
  func `It has an identifier of its own, another one for each subscription`(_ operatorCase: OperatorCase) {
    let (first, second) = (operatorCase.line(), operatorCase.line())
    let identifiers = Set([
      first.subscriber.combineIdentifier, second.subscriber.combineIdentifier,
      first.subscription.combineIdentifier, first.downstream.combineIdentifier,
    ])
    #expect(identifiers.count == 4)
  }

  @Test(arguments: OperatorCase.transparent, [Subscribers.Demand.none, .max(3), .unlimited])
  func `Values go through, and what downstream wants more goes back`(
    _ operatorCase: OperatorCase, _ more: Subscribers.Demand
  ) {
    let line = operatorCase.line()
    line.onValue = { more }
    let answer: Subscribers.Demand = operatorCase.ignoresOutput ? .none : more
    #expect(line.send(2) == answer)
    #expect(line.send(3) == answer)
    #expect(line.values == operatorCase.outputs)
  }

  @Test(arguments: OperatorCase.transparent)
  func `Completions go through`(_ operatorCase: OperatorCase) {
    let finished = operatorCase.line()
    finished.finish()
    #expect(finished.events == ["subscription ManualSubscription", "finished"])
    guard operatorCase.fails else { return }
    let failed = operatorCase.line()
    failed.fail()
    #expect(failed.events == ["subscription ManualSubscription", "failure(oops)"])
  }

  @Test(arguments: OperatorCase.transparent)
  func `Every request and every cancel goes straight up`(_ operatorCase: OperatorCase) {
    let line = operatorCase.line(demand: nil)
    line.request(.max(2))
    line.request(.none)
    line.request(.unlimited)
    line.cancel()
    line.cancel()
    line.request(.max(1))
    #expect(
      line.subscription.calls
        == operatorCase.ownRequests + [
          .requested(.max(2)), .requested(.none), .requested(.unlimited), .cancelled, .cancelled, .requested(.max(1)),
        ])
  }

  @Test(arguments: OperatorCase.transparent)
  func `A request during a delivery goes up`(_ operatorCase: OperatorCase) {
    let line = operatorCase.line(demand: .max(1))
    line.onValue = { [unowned line] in
      line.request(.max(5))
      return .none
    }
    line.send(2)
    let fromInside = line.subscription.calls.filter { $0 == .requested(.max(5)) }.count
    #expect(fromInside == (operatorCase.ignoresOutput ? 0 : 1))
  }

  @Test(arguments: OperatorCase.transparent)
  func `A second subscription goes down as well, and is not cancelled`(_ operatorCase: OperatorCase) {
    let line = operatorCase.line(demand: nil)
    let second = ManualSubscription()
    line.subscribe(second)
    #expect(line.received.count == 2)
    #expect(second.calls == operatorCase.ownRequests)
  }

  @Test(arguments: OperatorCase.transparent)
  func `Values and a completion before the subscription go through`(_ operatorCase: OperatorCase) {
    let line = operatorCase.line(subscribed: false)
    line.onValue = { .max(7) }
    #expect(line.send(2) == (operatorCase.ignoresOutput ? .none : .max(7)))
    line.finish()
    #expect(line.events == operatorCase.outputs.prefix(1).map { "value \($0)" } + ["finished"])
    line.subscribe()
    #expect(line.received.count == 1)
  }

  @Test(arguments: OperatorCase.transparent, [false, true])
  func `Nothing is stopped after a completion or a cancel`(_ operatorCase: OperatorCase, _ cancels: Bool) {
    let line = operatorCase.line()
    if cancels { line.cancel() } else { line.finish() }
    line.send(2)
    line.send(3)
    line.finish()
    #expect(line.values == operatorCase.outputs)
    #expect(line.ends == (cancels ? ["finished"] : ["finished", "finished"]))
  }

  @Test(arguments: OperatorCase.transparent.filter { !$0.ignoresOutput })
  func `A cancel during a delivery goes up at once`(_ operatorCase: OperatorCase) {
    let line = operatorCase.line()
    var calls: [ManualSubscription.Call] = []
    line.onValue = { [unowned line] in
      line.cancel()
      calls = line.subscription.calls
      return .none
    }
    line.send(2)
    #expect(calls.last == .cancelled)
  }

  @Test(arguments: OperatorCase.transparent, ["finish", "fail", "cancel"])
  func `Nothing is left when the stream is over`(_ operatorCase: OperatorCase, _ end: String) {
    var graveyard = Graveyard()
    do {
      let line = graveyard.watch(operatorCase.line(), "line")
      _ = graveyard.watch(line.subscription, "subscription")
      _ = graveyard.watch(line.downstream, "downstream")
      line.send(2)
      switch end {
      case "finish": line.finish()
      case "fail": if operatorCase.fails { line.fail() } else { line.finish() }
      default: line.cancel()
      }
      line.release()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
