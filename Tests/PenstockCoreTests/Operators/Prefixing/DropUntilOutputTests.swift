// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct DropUntilOutputTests {
  private let source = ManualPublisher<Int, TestError>()
  private let trigger = ManualPublisher<String, TestError>()

  private func subscribe(_ recorder: Recorder<Int, TestError>) {
    source.drop(untilOutputFrom: trigger).subscribe(recorder)
  }

  @Test func `Downstream has its subscription first, then come the trigger and upstream`() {
    var log: [String] = []
    trigger.onSubscribe = { log.append("trigger") }
    source.onSubscribe = { log.append("upstream") }
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { log.append("\($0)") }
    subscribe(recorder)
    #expect(log == ["DropUntilOutput", "trigger", "upstream"])
    #expect(trigger.calls == [.requested(.max(1))])
    #expect(source.calls.isEmpty)
    #expect(recorder.subscriptions.count == 1)
  }

  @Test func `Values before the trigger's are left out, and use up demand`() {
    let recorder = Recorder<Int, TestError>(demand: .max(3), answering: .max(5))
    subscribe(recorder)
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(trigger.send("now") == .none)
    #expect(source.send(3) == .max(5))
    #expect(source.send(4) == .max(5))
    #expect(recorder.values == [3, 4])
    #expect(source.calls == [.requested(.max(3))])
    #expect(trigger.calls == [.requested(.max(1))])
  }

  @Test func `With little demand a stream can starve`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    let (source, trigger) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
    source.drop(untilOutputFrom: trigger).subscribe(recorder)
    source.send(1)
    source.send(2)
    trigger.send(0)
    source.send(3)
    #expect(recorder.values.isEmpty)
    recorder.request(.max(1))
    source.send(4)
    #expect(recorder.values == [4])
  }

  @Test func `Requests before upstream's subscription are added up, later ones passed on`() {
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.drop(untilOutputFrom: trigger).subscribe(recorder)
    recorder.request(.max(2))
    recorder.request(.none)
    let late = ManualSubscription()
    source.send(subscription: late)
    recorder.request(.max(4))
    recorder.request(.none)
    #expect(late.requests == [.max(3), .max(4), .none])
  }

  @Test func `Values before the subscription use up what has been asked for`() {
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.drop(untilOutputFrom: trigger).subscribe(recorder)
    #expect(source.send(1) == .none)
    trigger.send("now")
    source.send(2)
    #expect(recorder.values == [2])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `A trigger that ends without a value ends the stream`(_ completion: Subscribers.Completion<TestError>) {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    trigger.send(completion: completion)
    source.send(1)
    #expect(recorder.events == [.subscription("DropUntilOutput"), .completion(completion)])
    #expect(source.calls == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `After its value the trigger's end means nothing`(_ completion: Subscribers.Completion<TestError>) {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    trigger.send("now")
    trigger.send(completion: completion)
    source.send(1)
    #expect(recorder.values == [1] && recorder.completions.isEmpty)
    #expect(source.subscription?.cancellations == 0)
  }

  @Test(arguments: [true, false], [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `Upstream's completion is forwarded`(_ isOpen: Bool, _ completion: Subscribers.Completion<TestError>) {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    if isOpen { trigger.send("now") }
    source.send(completion: completion)
    #expect(recorder.events == [.subscription("DropUntilOutput"), .completion(completion)])
    #expect(source.subscription?.cancellations == 0)
  }

  @Test func `A completion before the subscription is forwarded`() {
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let recorder = Recorder<Int, TestError>()
    source.drop(untilOutputFrom: trigger).subscribe(recorder)
    source.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func `A cancel goes to upstream, then to the trigger`() {
    var log: [String] = []
    source.subscription?.onCancel = { log.append("upstream") }
    trigger.subscription?.onCancel = { log.append("trigger") }
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    trigger.send("now")
    recorder.cancel()
    recorder.cancel()
    source.send(1)
    source.send(completion: .finished)
    #expect(log == ["upstream", "trigger"])
    #expect(recorder.events == [.subscription("DropUntilOutput")])
  }

  @Test func `Subscriptions that come after a cancel, or second, are cancelled`() {
    let (source, trigger) = (
      ManualPublisher<Int, TestError>(subscription: nil), ManualPublisher<Int, TestError>(subscription: nil)
    )
    let recorder = Recorder<Int, TestError>()
    source.drop(untilOutputFrom: trigger).subscribe(recorder)
    recorder.cancel()
    let late = (0...3).map { _ in ManualSubscription() }
    source.send(subscription: late[0])
    trigger.send(subscription: late[1])
    subscribe(recorder)
    self.source.send(subscription: late[2])
    self.trigger.send(subscription: late[3])
    #expect(late.allSatisfy { $0.calls == [.cancelled] })
  }

  @Test func `A trigger that fires at once opens before upstream begins`() {
    let recorder = Recorder<Int, Never>()
    (1...3).publisher.drop(untilOutputFrom: Just(())).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.isFinished)
  }

  @Test func `Its texts, above, below and beside`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    #expect(Shown(of: recorder.subscriptions[0]) == Shown("DropUntilOutput"))
    for side in [source.subscribers[0].description, trigger.subscribers[0].description] {
      #expect(side == "DropUntilOutput")
    }
    #expect(Shown(of: source.subscribers[0]) == Shown("DropUntilOutput"))
    #expect(Shown(of: trigger.subscribers[0]) == Shown("DropUntilOutput"))
    let identifiers = [
      recorder.subscriptions[0].combineIdentifier, source.subscribers[0].combineIdentifier,
      trigger.subscribers[0].combineIdentifier,
    ]
    #expect(Set(identifiers).count == 1)
  }

  @Test func `Two are equal when both sides are`() {
    typealias Dropped = Publishers.DropUntilOutput<Just<Int>, Just<String>>
    #expect(Dropped(upstream: Just(1), other: Just("a")) == Dropped(upstream: Just(1), other: Just("a")))
    #expect(Dropped(upstream: Just(1), other: Just("a")) != Dropped(upstream: Just(2), other: Just("a")))
    #expect(Dropped(upstream: Just(1), other: Just("a")) != Just(1).drop(untilOutputFrom: Just("b")))
  }

  @Test(arguments: [true, false])
  func `Before the trigger's a value that was not asked for traps`(_ hasSubscription: Bool) async {
    let result =
      hasSubscription
      ? await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let source = ManualPublisher<Int, TestError>()
        source.drop(untilOutputFrom: Empty<Int, TestError>(completeImmediately: false))
          .subscribe(Recorder<Int, TestError>(demand: .max(1)))
        source.send(1)
        source.send(2)
      }
      : await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let source = ManualPublisher<Int, TestError>(subscription: nil)
        source.drop(untilOutputFrom: Empty<Int, TestError>(completeImmediately: false))
          .subscribe(Recorder<Int, TestError>(demand: nil))
        source.send(1)
      }
    expectMessage(result, "drop(untilOutputFrom:) received a value that was not requested")
  }

  @Test(arguments: ["cancel", "finish", "fail", "trigger finishes"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Int, TestError>(), "upstream")
      let trigger = graveyard.watch(PassthroughSubject<Int, TestError>(), "trigger")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "downstream")
      source.drop(untilOutputFrom: trigger).subscribe(recorder)
      if end == "cancel" { trigger.send(1) }
      source.send(1)
      switch end {
      case "finish": source.send(completion: .finished)
      case "fail": source.send(completion: .failure(.oops))
      case "trigger finishes": trigger.send(completion: .finished)
      default: recorder.cancel()
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
