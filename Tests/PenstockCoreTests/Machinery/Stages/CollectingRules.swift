// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The common rules of all operators of the collecting shape, from `reduce` to `tryLast(where:)`.
@Suite struct CollectingRules {
  @Test(arguments: CollectingCase.all)
  func `The result and the end go out when upstream finishes`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>(demand: .max(1))
    let publisher = operation.attach(recorder)
    for input in operation.inputs {
      #expect(publisher.send(input) == .none)
      #expect(recorder.events == [.subscription(operation.text)])
    }
    publisher.send(completion: .finished)
    #expect(recorder.events == operation.story(operation.result))
  }

  @Test(arguments: CollectingCase.all)
  func `A stream without values has a result, or just an end`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>()
    operation.attach(recorder).send(completion: .finished)
    #expect(recorder.events == operation.story(operation.emptyResult))
  }

  @Test(arguments: CollectingCase.all, [Subscribers.Demand.max(1), .max(5), .unlimited])
  func `A result waits until it is asked for`(_ operation: CollectingCase, _ demand: Subscribers.Demand) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = operation.attach(recorder)
    operation.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription(operation.text)])
    recorder.request(demand)
    #expect(recorder.events == operation.story(operation.result))
    recorder.request(demand)
    #expect(recorder.events == operation.story(operation.result))
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test(arguments: CollectingCase.all)
  func `The end of a stream without values waits as well`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>(demand: nil)
    operation.attach(recorder).send(completion: .finished)
    #expect(recorder.events == [.subscription(operation.text)])
    recorder.request(.max(1))
    #expect(recorder.events == operation.story(operation.emptyResult))
  }

  @Test(arguments: CollectingCase.all)
  func `A request while values come in is remembered`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = operation.attach(recorder)
    operation.inputs.forEach { publisher.send($0) }
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(operation.text)])
    publisher.send(completion: .finished)
    #expect(recorder.events == operation.story(operation.result))
  }

  @Test(arguments: CollectingCase.all)
  func `Upstream is asked for everything, once, when the subscription has gone down`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>(demand: .max(1))
    let subscription = ManualSubscription()
    var log: [String] = []
    recorder.onSubscription = { _ in log.append("subscription") }
    subscription.onRequest = { log.append("request \($0)") }
    let publisher = operation.attach(recorder, subscription: subscription)
    recorder.request(.max(2))
    operation.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    #expect(log == ["subscription", "request unlimited"])
  }

  @Test(arguments: CollectingCase.all)
  func `A failure goes out at once, whatever was asked for, and the result is dropped`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = operation.attach(recorder)
    operation.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .failure(.oops))
    let events: [Event<String, TestError>] = [.subscription(operation.text), .completion(.failure(.oops))]
    #expect(recorder.events == events)
    recorder.request(.max(1))
    publisher.send(completion: .finished)
    #expect(recorder.events == events)
    #expect(publisher.subscription?.cancellations == 0)
  }

  @Test(arguments: CollectingCase.all)
  func `Only the first completion counts`(_ operation: CollectingCase) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = operation.attach(recorder)
    operation.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.oops))
    #expect(publisher.send(100) == .none)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.events == operation.story(operation.result))
  }

  // MARK: Early decisions

  @Test(arguments: CollectingCase.deciding)
  func `A decision cancels upstream first, and then goes out`(_ operation: CollectingCase) throws {
    let decision = try #require(operation.decision)
    let recorder = Recorder<String, TestError>()
    let subscription = ManualSubscription()
    let publisher = operation.attach(recorder, subscription: subscription)
    operation.inputs.forEach { publisher.send($0) }
    var eventsAtCancel: [Event<String, TestError>]?
    subscription.onCancel = { eventsAtCancel = recorder.events }
    #expect(publisher.send(decision.input) == .none)
    #expect(eventsAtCancel == [.subscription(operation.text)])
    #expect(recorder.events == operation.story(decision.result))
    #expect(publisher.send(decision.input) == .none)
    publisher.send(completion: .finished)
    recorder.cancel()
    #expect(recorder.events == operation.story(decision.result))
    #expect(subscription.cancellations == 1)
  }

  @Test(arguments: CollectingCase.deciding)
  func `A decision cancels upstream even without demand`(_ operation: CollectingCase) throws {
    let decision = try #require(operation.decision)
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = operation.attach(recorder)
    publisher.send(decision.input)
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
    #expect(recorder.events == [.subscription(operation.text)])
    publisher.send(decision.input + 1)
    publisher.send(completion: .failure(.oops))
    recorder.request(.max(1))
    #expect(recorder.events == operation.story(decision.result))
  }

  // MARK: Throwing closures

  @Test(arguments: CollectingCase.throwing)
  func `An error thrown by the closure cancels upstream first, and then goes out at once`(
    _ operation: CollectingCase
  ) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let subscription = ManualSubscription()
    let publisher = operation.attach(recorder, subscription: subscription)
    publisher.send(2)
    var eventsAtCancel: [Event<String, TestError>]?
    subscription.onCancel = { eventsAtCancel = recorder.events }
    #expect(publisher.send(CollectingCase.poison) == .none)
    #expect(eventsAtCancel == [.subscription(operation.text)])
    publisher.send(CollectingCase.poison)
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(operation.text), .completion(.failure(.oops))])
    #expect(subscription.cancellations == 1)
  }

  @Test func `Every operator with a throwing twin is in the list`() {
    #expect(CollectingCase.throwing.count == 7)
    #expect(CollectingCase.deciding.count == 8)
    #expect(CollectingCase.all.count == 21)
  }
}
