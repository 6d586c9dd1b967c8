// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockDeliveryTesting
import TestSupport
import Testing

/// An engine that has what a verification needs, and nothing else.
private struct PlainEngine: DeliveryEngine {
  let queue = DeliveryQueue<String>(capacity: 1_000)
  var promised: DeliveryCapabilities = []
  var onClose: @Sendable () -> Void = {}
  var beforePublishing: @Sendable () async throws -> Void = {}
  var isGarbled = false

  func publish(_ texts: [String], headers: [String: String]) async throws {
    try await beforePublishing()
    for text in texts { try await queue.publish(text, headers: headers) }
  }

  func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> some Publisher<QueuedDelivery<String>, Never> {
    queue.deliveries(batch: batch, refillAt: lowMark)
  }

  func text(of delivery: QueuedDelivery<String>) -> String { isGarbled ? "?" : delivery.payload }

  func unsettledCount() -> Int { queue.counts.unsettled }

  func retainedCount() -> Int { queue.counts.unsettled + queue.counts.waiting }

  var capabilities: DeliveryCapabilities { promised }

  func close() { onClose() }
}

private struct NoServer: Error {}

@Suite struct DeliveryVerificationTests {
  @Test func `A rule about a capability that an engine does not have does not apply`() async throws {
    let verification = DeliveryVerification("plain") { _ in PlainEngine() }
    for id in ["D-20", "D-21", "D-22", "D-23", "D-24", "D-25", "D-26"] {
      let result = await verification.result(of: try #require(DeliveryRule.named(id)))
      guard case .notApplicable(let reason) = result.outcome else {
        Issue.record("\(result)")
        continue
      }
      #expect(!result.isFailure && reason.contains("capability ["))
      try await verification.check(id)
    }
  }

  @Test(arguments: ["D-22", "D-23", "D-25"])
  func `A capability without its method is a break that names the method`(_ id: String) async throws {
    let verification = DeliveryVerification("promises") { _ in PlainEngine(promised: .all) }
    let result = await verification.result(of: try #require(DeliveryRule.named(id)))
    #expect(result.isFailure && result.outcome.reason.contains("does not implement"), "\(result)")
  }

  @Test func `A break that is waived is no failure, and a waiver of a rule that holds is one`() async throws {
    let failing = DeliveryVerification("failing") { _ in PlainEngine(beforePublishing: { throw NoServer() }) }
    await #expect(throws: DeliveryVerificationError.self) { try await failing.check("D-13") }
    let waived = failing.waiving("D-13", because: "the broker forgets")
    try await waived.check("D-13")
    #expect(await waived.result(of: DeliveryRule.named("D-13")!).outcome == .waived("the broker forgets"))
    let unused = DeliveryVerification("plain") { _ in PlainEngine() }.waiving("D-13", because: "the broker forgets")
    let error = await #expect(throws: DeliveryVerificationError.self) { try await unused.check("D-13") }
    #expect(error?.report.unusedWaivers.map(\.id) == ["D-13"])
    #expect(error?.description.contains("take it out") == true)
  }

  @Test func `What a call of the engine throws is in the finding, and the engine is closed`() async throws {
    let closed = Locked(0)
    let verification = DeliveryVerification("failing") { _ in
      PlainEngine(onClose: { closed.change { $0 += 1 } }, beforePublishing: { throw NoServer() })
    }
    let result = await verification.result(of: DeliveryRule.named("D-01")!)
    #expect(result.outcome == .broken("a call of the engine has thrown NoServer()"))
    #expect(closed.value == 1)
  }

  @Test(arguments: DeliveryRule.all.prefix(19))
  func `Texts that are not what was published are findings, and stop no process`(_ rule: DeliveryRule) async throws {
    var verification = DeliveryVerification("garbled") { _ in PlainEngine(isGarbled: true) }
    // These look at numbers and times alone, and hold, however long a busy machine takes.
    let holds = ["D-02", "D-05", "D-19"].contains(rule.id)
    if !holds { (verification.timeLimit, verification.deadline) = (.milliseconds(500), .milliseconds(200)) }
    let result = await verification.result(of: rule)
    #expect(result.isFailure != holds, "\(result)")
  }

  @Test func `An engine that cannot be made is inconclusive, which is a failure`() async throws {
    let verification = DeliveryVerification<PlainEngine>("none") { _ in throw NoServer() }
    let report = await verification.report()
    #expect(report.failures.count == DeliveryRule.all.count)
    #expect(report.results[0].outcome == .inconclusive("no engine could be made: NoServer()"))
    await #expect(throws: DeliveryVerificationError.self) { try await verification.checkAll() }
  }

  @Test func `A call of the engine that never returns ends its check`() async throws {
    let waiting = Locked<[CheckedContinuation<Void, Never>]>([])
    var verification = DeliveryVerification("stuck") { _ in
      PlainEngine(beforePublishing: {
        await withCheckedContinuation { continuation in waiting.change { $0.append(continuation) } }
      })
    }
    verification.timeLimit = .milliseconds(50)
    let result = await verification.result(of: DeliveryRule.named("D-01")!)
    #expect(result.outcome.reason.contains("has not returned within"), "\(result)")
    for continuation in waiting.value { continuation.resume() }
  }

  @Test func `A check whose task is cancelled ends, and says nothing of the rule`() async throws {
    let verification = DeliveryVerification("cancelled") { _ in
      PlainEngine(beforePublishing: { for await _ in AsyncStream<Void>.makeStream().stream {} })
    }
    let checking = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await verification.result(of: DeliveryRule.named("D-01")!)
    }
    #expect(await checking.value.outcome == .inconclusive("the task of the check has been cancelled"))
  }

  @Test func `A report counts its outcomes, and is a table for the page of an adapter`() async throws {
    let verification = DeliveryVerification("plain") { configuration in
      #expect(configuration.needsOwnServer == ["D-25", "D-26"].contains(configuration.rule.id))
      return PlainEngine(beforePublishing: { throw NoServer() })
    }
    let report = await verification.waiving("D-01", because: "a |\nof two lines").report()
    let count = report.failures.count
    #expect("\(report)".hasPrefix("plain: 0 held, \(count) broken, 1 waived, 7 not applicable, 0 inconclusive\n✘ D-02"))
    #expect(report.markdown.contains("| D-01 | Nothing is fetched without demand | waived: a \\| of two lines |"))
    #expect(report.markdown.split(separator: "\n").count == DeliveryRule.all.count + 2)
  }

  @Test func `An identifier that no rule has names the rule and the fix`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DeliveryVerification("plain") { _ in PlainEngine() }.waiving("D-99", because: "")
    }
    expectMessage(result, "D-99")
    expectMessage(result, "the identifier of a rule")
  }
}
