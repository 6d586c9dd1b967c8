// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The collecting operators and the protocol of subscriptions: order, cancels, threads, memory, descriptions.
@Suite struct CollectingProtocolTests {
  @Test(arguments: CollectingCase.all)
  func `Values and completions before the subscription are ignored`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>()
    let publisher = operation.attach(recorder, subscription: nil)
    #expect(publisher.send(100) == .none)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events.isEmpty)
    let subscription = ManualSubscription()
    publisher.send(subscription: subscription)
    #expect(subscription.calls == [.requested(.unlimited)])
    operation.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    #expect(recorder.events == operation.story(operation.result))
  }

  @Test(arguments: CollectingCase.all)
  func `A second subscription is cancelled`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>()
    let publisher = operation.attach(recorder)
    let second = ManualSubscription()
    publisher.send(subscription: second)
    #expect(second.calls == [.cancelled])
    publisher.send(completion: .finished)
    let third = ManualSubscription()
    publisher.send(subscription: third)
    #expect(third.calls == [.cancelled])
    #expect(recorder.events == operation.story(operation.emptyResult))
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test(arguments: CollectingCase.all)
  func `A cancel goes upstream once, and nothing comes afterwards`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>()
    let publisher = operation.attach(recorder)
    operation.inputs.forEach { publisher.send($0) }
    recorder.cancel()
    recorder.cancel()
    #expect(publisher.send(7) == .none)
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(operation.text)])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: CollectingCase.all)
  func `A cancel during the delivery of the subscription leaves upstream without a request`(_ operation: CollectingCase)
  {
    let recorder = Recorder<String, TestError>(demand: nil)
    recorder.onSubscription = { $0.cancel() }
    let publisher = operation.attach(recorder)
    #expect(publisher.calls == [.cancelled])
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(operation.text)])
  }

  @Test(arguments: CollectingCase.all.filter { $0.result != nil })
  func `A cancel during the result's delivery keeps the completion back`(_ operation: CollectingCase) throws {
    let recorder = Recorder<String, TestError>()
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    let publisher = operation.attach(recorder)
    operation.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    let result = try #require(operation.result)
    #expect(recorder.events == [.subscription(operation.text), .value(result)])
    #expect(publisher.subscription?.cancellations == 0)
  }

  @Test(arguments: CollectingCase.all)
  func `A request during a delivery brings nothing twice`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>(demand: nil)
    recorder.onValue = { _ in
      recorder.request(.max(1))
      return .max(1)
    }
    recorder.onCompletion = { _ in recorder.request(.unlimited) }
    let publisher = operation.attach(recorder)
    operation.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.events == operation.story(operation.result))
  }

  @Test(arguments: CollectingCase.all.indices)
  func `Asking for nothing traps`(_ index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      let recorder = Recorder<String, TestError>(demand: .some(.none))
      _ = CollectingCase.all[index].attach(recorder)
    }
    expectMessage(result, "request(.none)")
  }

  // MARK: Descriptions

  @Test(arguments: CollectingCase.all)
  func `Subscription and subscriber show the name and the state`(_ operation: CollectingCase) throws {
    let recorder = Recorder<String, TestError>()
    let publisher = operation.attach(recorder)
    let shown = Shown(operation.text, children: operation.children)
    #expect(Shown(of: recorder.subscriptions[0]) == shown)
    #expect(Shown(of: publisher.subscribers[0]) == shown)
    #expect(recorder.subscriptions[0].combineIdentifier == publisher.subscribers[0].combineIdentifier)
  }

  @Test func `The mirror follows the state`() {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = CollectingCase.all[0].attach(recorder)
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

  @Test(arguments: CollectingCase.all)
  func `A held result goes out once, whatever the number of threads that request it`(_ operation: CollectingCase) {
    for _ in 0..<20 {
      let recorder = Recorder<String, TestError>(demand: nil)
      let publisher = operation.attach(recorder)
      publisher.send(completion: .finished)
      let subscription = UncheckedBox(recorder.subscriptions[0])
      onThreads(4) { _ in subscription.value.request(.max(1)) }
      #expect(recorder.events == operation.story(operation.emptyResult))
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

  @Test(arguments: CollectingCase.all, ["finish", "fail", "decide", "cancel", "cancel when held", "drop when held"])
  func `Nothing is left when the stream is over`(_ operation: CollectingCase, _ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(
        Recorder<String, TestError>(demand: end.hasSuffix("held") ? nil : .unlimited), "subscriber")
      operation.make(subject.eraseToAnyPublisher()).subscribe(recorder)
      operation.inputs.forEach { subject.send($0) }
      switch end {
      case "finish", "drop when held": subject.send(completion: .finished)
      case "fail": subject.send(completion: .failure(.oops))
      case "decide": operation.decision.map { subject.send($0.input) } ?? subject.send(completion: .finished)
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
