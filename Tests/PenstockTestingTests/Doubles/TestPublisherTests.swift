// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

private enum Fault: Error { case oops }

@Suite struct TestPublisherTests {
  @Test func `It delivers what was requested, to each subscriber by itself`() throws {
    let upstream = TestPublisher<Int, Never>()
    let first = upstream.record(demand: .max(2))
    upstream.send(1)
    let second = upstream.record(demand: .max(1).returning(.max(1)))
    upstream.send(2)
    #expect(first.values == [1, 2])
    #expect(second.values == [2])
    #expect(upstream.requests == [.max(2), .max(1)])
    #expect(upstream.subscriptions.map(\.ledger.granted) == [.max(2), .max(2)])
    #expect(upstream.peakDemand == .max(2))
    upstream.finish()
    try first.finish()
    try second.finish()
  }

  @Test func `What was not requested is a mistake of the test, and is not delivered`() async {
    await #expect(processExitsWith: .success) {
      nonisolated(unsafe) var messages: [String] = []
      TestFailure.handle { messages.append($0.message) }
      let upstream = TestPublisher<Int, Never>()
      let recording = upstream.record(demand: .none)
      upstream.send(5)
      #expect(messages.count == 1)
      #expect(messages[0].contains("sends 5, which was not requested"))
      #expect(recording.values.isEmpty)
      upstream.finish()
      upstream.send(6)
      #expect(messages.last?.contains("sends 6 after the completion") == true)
    }
  }

  @Test func `Cancels are counted, and free the subscriber`() {
    let upstream = TestPublisher<Int, Fault>()
    let probe = LeakProbe()
    do {
      let payload = probe.watch(Payload(), "payload")
      let sink = upstream.sink(receiveCompletion: { _ in }, receiveValue: { _ in _ = payload })
      #expect(upstream.liveSubscriptions == 1)
      sink.cancel()
    }
    #expect(upstream.cancels == 1)
    #expect(upstream.liveSubscriptions == 0)
    #expect(probe.survivors.isEmpty)
  }

  @Test func `Who comes after the end gets it at once, unless cancelled in the handshake`() throws {
    let upstream = TestPublisher<Int, Fault>()
    upstream.fail(.oops)
    let recording = upstream.record(demand: .none)
    try recording.expectFailure(.oops)
    try recording.finish()
    let cancelling = Recording<Int, Fault>(demand: .none)
    upstream.handleEvents(receiveSubscription: { $0.cancel() }).subscribe(cancelling.subscriber)
    #expect(cancelling.completion == nil)
    cancelling.cancel()
    try cancelling.finish()
  }

  @Test func `Hooks see requests and cancels`() {
    let upstream = TestPublisher<Int, Never>()
    nonisolated(unsafe) var calls: [String] = []
    upstream.onRequest { calls.append("request \($0)") }
    upstream.onCancel { calls.append("cancel") }
    let recording = upstream.record(demand: .max(3))
    recording.cancel()
    #expect(calls == ["request max(3)", "cancel"])
  }
}

private final class Payload: Sendable {}

@Suite struct MisbehavingPublisherTests {
  @Test func `Without a misbehavior it keeps the rules`() throws {
    let recording = MisbehavingPublisher([1, 2, 3]).record(demand: .oneByOne)
    try recording.expectNext(1, 2, 3)
    try recording.expectFinished()
    try recording.finish()
  }

  @Test(arguments: [
    Misbehavior.secondSubscription, .earlyValue, .overflows, .valueAfterCompletion,
  ])
  func `What breaks a rule in any run is seen in a recording`(_ misbehavior: Misbehavior) {
    let recording = MisbehavingPublisher([1, 2, 3], misbehavior).record(demand: .max(3), atEnd: [])
    _ = recording.values
    recording.request(.max(1))
    if misbehavior == .overflows {
      let other = MisbehavingPublisher([1, 2, 3], misbehavior).record(demand: .max(1), atEnd: [])
      #expect(other.brokenRules.contains { $0.hasPrefix(misbehavior.rule.id) })
    } else {
      #expect(recording.brokenRules.contains { $0.hasPrefix(misbehavior.rule.id) }, "\(recording.trace)")
    }
  }
}
