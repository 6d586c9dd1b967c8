// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The collecting operators and the protocol of subscriptions: order, cancels, threads, memory, descriptions.
@Suite struct CollectingProtocolTests {
  @Test(arguments: OperatorSpec.collecting)
  func `Values and completions before the subscription are ignored`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>()
    let publisher = spec.attach(recorder, subscription: nil)
    #expect(publisher.send(100) == .none)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events.isEmpty)
    let subscription = ManualSubscription()
    publisher.send(subscription: subscription)
    #expect(subscription.calls == [.requested(.unlimited)])
    spec.collected!.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    #expect(recorder.events == spec.story(spec.collected!.result))
  }

  @Test(arguments: OperatorSpec.collecting)
  func `A second subscription is cancelled`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>()
    let publisher = spec.attach(recorder)
    let second = ManualSubscription()
    publisher.send(subscription: second)
    #expect(second.calls == [.cancelled])
    publisher.send(completion: .finished)
    let third = ManualSubscription()
    publisher.send(subscription: third)
    #expect(third.calls == [.cancelled])
    #expect(recorder.events == spec.story(spec.collected!.emptyResult))
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test(arguments: OperatorSpec.collecting)
  func `A cancel goes upstream once, and nothing comes afterwards`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>()
    let publisher = spec.attach(recorder)
    spec.collected!.inputs.forEach { publisher.send($0) }
    recorder.cancel()
    recorder.cancel()
    #expect(publisher.send(7) == .none)
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(spec.shown.description)])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: OperatorSpec.collecting)
  func `A cancel during the delivery of the subscription leaves upstream without a request`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>(demand: nil)
    recorder.onSubscription = { $0.cancel() }
    let publisher = spec.attach(recorder)
    #expect(publisher.calls == [.cancelled])
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(spec.shown.description)])
  }

  @Test(arguments: OperatorSpec.collecting.filter { $0.collected?.result != nil })
  func `A cancel during the result's delivery keeps the completion back`(_ spec: OperatorSpec) throws {
    let recorder = Recorder<String, TestError>()
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    let publisher = spec.attach(recorder)
    spec.collected!.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    let result = try #require(spec.collected!.result)
    #expect(recorder.events == [.subscription(spec.shown.description), .value(result)])
    #expect(publisher.subscription?.cancellations == 0)
  }

  @Test(arguments: OperatorSpec.collecting)
  func `A request during a delivery brings nothing twice`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>(demand: nil)
    recorder.onValue = { _ in
      recorder.request(.max(1))
      return .max(1)
    }
    recorder.onCompletion = { _ in recorder.request(.unlimited) }
    let publisher = spec.attach(recorder)
    spec.collected!.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.events == spec.story(spec.collected!.result))
  }

  @Test(arguments: OperatorSpec.collecting.map(\.name))
  func `Asking for nothing traps`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      let recorder = Recorder<String, TestError>(demand: .some(.none))
      _ = OperatorSpec.named(name).attach(recorder)
    }
    expectMessage(result, "request(.none)")
  }

  // MARK: Descriptions

  @Test(arguments: OperatorSpec.collecting)
  func `Subscription and subscriber show the name and the state`(_ spec: OperatorSpec) throws {
    let recorder = Recorder<String, TestError>()
    let publisher = spec.attach(recorder)
    let shown = spec.shown
    #expect(Shown(of: recorder.subscriptions[0]) == shown)
    #expect(Shown(of: publisher.subscribers[0]) == shown)
    #expect(recorder.subscriptions[0].combineIdentifier == publisher.subscribers[0].combineIdentifier)
  }

  @Test func `The mirror follows the state`() {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = OperatorSpec.named("reduce").attach(recorder)
    func child(_ label: String) -> String {
      let children = Mirror(reflecting: recorder.subscriptions[0]).children
      return children.first { $0.label == label }.map { String(describing: $0.value) } ?? "none"
    }
    publisher.send(5)
    #expect([child("result"), child("initial"), child("status")] == ["15", "10", "active"])
    publisher.send(completion: .finished)
    #expect(child("status") == "terminal")
  }

  // MARK: Threads

  @Test(arguments: OperatorSpec.collecting)
  func `A held result goes out once, whatever the number of threads that request it`(_ spec: OperatorSpec) {
    for _ in 0..<20 {
      let recorder = Recorder<String, TestError>(demand: nil)
      let publisher = spec.attach(recorder)
      publisher.send(completion: .finished)
      let subscription = UncheckedBox(recorder.subscriptions[0])
      onThreads(4) { _ in subscription.value.request(.max(1)) }
      #expect(recorder.events == spec.story(spec.collected!.emptyResult))
    }
  }

  @Test func `A request that races with the end of upstream is not lost, nor answered twice`() {
    for _ in 0..<300 {
      let recorder = Recorder<Int, Never>(demand: nil)
      let subject = PassthroughSubject<Int, Never>()
      subject.count().subscribe(recorder)
      subject.send(1)
      let subscription = UncheckedBox(recorder.subscriptions[0])
      onThreads([
        { subject.send(completion: .finished) },
        { subscription.value.request(.max(1)) },
      ])
      #expect(recorder.events == [.subscription("Count"), .value(1), .completion(.finished)])
    }
  }

  @Test func `A cancel that races with a result leaves at most one`() {
    for _ in 0..<300 {
      let recorder = Recorder<Int, Never>(demand: .max(1))
      let subject = PassthroughSubject<Int, Never>()
      subject.first().subscribe(recorder)
      let subscription = UncheckedBox(recorder.subscriptions[0])
      onThreads([
        { for value in 1...3 { subject.send(value) } },
        { subscription.value.cancel() },
        { subscription.value.request(.max(1)) },
      ])
      #expect(recorder.values == [1] || recorder.values.isEmpty)
      #expect(recorder.completions.count <= recorder.values.count)
    }
  }

  // MARK: Memory

  @Test(
    arguments: OperatorSpec.collecting, ["finish", "fail", "decide", "cancel", "cancel when held", "drop when held"])
  func `Nothing is left when the stream is over`(_ spec: OperatorSpec, _ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(
        Recorder<String, TestError>(demand: end.hasSuffix("held") ? nil : .unlimited), "subscriber")
      spec.texts(of: subject.eraseToAnyPublisher()).subscribe(recorder)
      spec.collected!.inputs.forEach { subject.send($0) }
      switch end {
      case "finish", "drop when held": subject.send(completion: .finished)
      case "fail": subject.send(completion: .failure(.oops))
      case "decide": spec.collected!.decision.map { subject.send($0.input) } ?? subject.send(completion: .finished)
      case "cancel": recorder.cancel()
      default:
        subject.send(completion: .finished)
        recorder.cancel()
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
