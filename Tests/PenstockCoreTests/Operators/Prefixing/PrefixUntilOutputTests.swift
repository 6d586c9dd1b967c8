// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct PrefixUntilOutputTests {
  private let source = ManualPublisher<Int, TestError>()
  private let trigger = ManualPublisher<String, Never>()

  private func subscribe(_ recorder: Recorder<Int, TestError>) {
    source.prefix(untilOutputFrom: trigger).subscribe(recorder)
  }

  @Test func `What it is made of can be seen`() {
    let prefix: Publishers.PrefixUntilOutput<ManualPublisher<Int, TestError>, ManualPublisher<String, Never>> =
      source.prefix(untilOutputFrom: trigger)
    #expect(prefix.upstream === source && prefix.other === trigger)
  }

  @Test func `The trigger is subscribed to first, and asked for one value`() {
    var log: [String] = []
    trigger.onSubscribe = { log.append("trigger") }
    source.onSubscribe = { log.append("upstream") }
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { _ in log.append("downstream") }
    subscribe(recorder)
    #expect(log == ["trigger", "upstream", "downstream"])
    #expect(trigger.calls == [.requested(.max(1))])
    #expect(source.calls.isEmpty)
  }

  @Test func `To upstream the subscriber is the subscription, and the trigger's has the same identifier`() throws {
    let upstream = KeepingPublisher<Int, TestError>()
    upstream.prefix(untilOutputFrom: trigger).subscribe(Recorder<Int, TestError>())
    let subscription = try #require(upstream.asSubscription)
    #expect(trigger.subscribers[0].combineIdentifier == subscription.combineIdentifier)
    subscription.cancel()
    #expect(trigger.calls == [.requested(.max(1)), .cancelled])

    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    #expect(source.subscribers[0].combineIdentifier == recorder.subscriptions[0].combineIdentifier)
  }

  @Test func `Values go through until the trigger delivers one, which cancels upstream and finishes`() {
    var log: [String] = []
    source.subscription?.onCancel = { log.append("cancel") }
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))
    recorder.onCompletion = { log.append("\($0)") }
    subscribe(recorder)
    #expect(source.send(1) == .max(3))
    #expect(source.send(2) == .max(3))
    #expect(trigger.send("now") == .none)
    trigger.send("again")
    #expect(source.send(3) == .none)
    source.send(completion: .failure(.oops))
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.finished])
    #expect(log == ["cancel", "finished"])
    #expect(source.calls == [.requested(.max(2)), .cancelled])
  }

  @Test func `The trigger's completion means nothing`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    trigger.send(completion: .finished)
    source.send(1)
    #expect(recorder.values == [1] && recorder.completions.isEmpty)
    let failing = ManualPublisher<Int, TestError>()
    source.prefix(untilOutputFrom: failing).subscribe(recorder)
    failing.send(completion: .failure(.oops))
    source.send(2)
    #expect(recorder.values == [1, 2] && recorder.completions.isEmpty)
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `Upstream's completion cancels the trigger and is forwarded`(_ completion: Subscribers.Completion<TestError>) {
    var log: [String] = []
    trigger.subscription?.onCancel = { log.append("cancel") }
    let recorder = Recorder<Int, TestError>()
    recorder.onCompletion = { _ in log.append("completion") }
    subscribe(recorder)
    source.send(completion: completion)
    trigger.send("late")
    #expect(recorder.completions == [completion])
    #expect(log == ["cancel", "completion"])
    #expect(source.subscription?.cancellations == 0)
  }

  @Test func `Requests are passed on as they are, also for nothing`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    subscribe(recorder)
    recorder.request(.none)
    recorder.request(.max(4))
    recorder.onValue = { _ in
      recorder.request(.max(7))
      return .max(2)
    }
    #expect(source.send(1) == .max(2))
    #expect(source.subscription?.requests == [.max(1), .none, .max(4), .max(7)])
  }

  @Test func `A cancel goes to upstream, then to the trigger`() {
    var log: [String] = []
    source.subscription?.onCancel = { log.append("upstream") }
    trigger.subscription?.onCancel = { log.append("trigger") }
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    source.send(1)
    trigger.send("late")
    source.send(completion: .finished)
    #expect(log == ["upstream", "trigger"])
    #expect(recorder.values.isEmpty && recorder.completions.isEmpty)
  }

  @Test func `Values and completions before the subscription are ignored, a second subscription is cancelled`() {
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let recorder = Recorder<Int, TestError>()
    source.prefix(untilOutputFrom: trigger).subscribe(recorder)
    #expect(source.send(1) == .none)
    source.send(completion: .finished)
    #expect(recorder.events.isEmpty)
    let (first, second, third) = (ManualSubscription(), ManualSubscription(), ManualSubscription())
    source.send(subscription: first)
    source.send(subscription: second)
    trigger.send(subscription: third)
    source.send(2)
    #expect(first.calls == [.requested(.unlimited)])
    #expect(second.calls == [.cancelled] && third.calls == [.cancelled])
    #expect(recorder.values == [2])
  }

  @Test func `A sequence is cut off by a value of its own`() {
    let stop = PassthroughSubject<Void, Never>()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 3 { stop.send() }
      return .none
    }
    (1...10).publisher.prefix(untilOutputFrom: stop).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.isFinished)
  }

  @Test(arguments: ["cancel", "finish", "fail", "trigger"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Int, TestError>(), "upstream")
      let trigger = graveyard.watch(PassthroughSubject<Int, TestError>(), "trigger")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "downstream")
      source.prefix(untilOutputFrom: trigger).subscribe(recorder)
      source.send(1)
      switch end {
      case "finish": source.send(completion: .finished)
      case "fail": source.send(completion: .failure(.oops))
      case "trigger": trigger.send(1)
      default: recorder.cancel()
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
