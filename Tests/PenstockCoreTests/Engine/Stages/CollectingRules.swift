// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The common rules of all operators of the collecting shape, from `reduce` to `tryLast(where:)`.
@Suite struct CollectingRules {
  @Test(arguments: OperatorSpec.collecting)
  func `The result and the end go out when upstream finishes`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>(demand: .max(1))
    let publisher = spec.attach(recorder)
    for input in spec.collected!.inputs {
      #expect(publisher.send(input) == .none)
      #expect(recorder.events == [.subscription(spec.shown.description)])
    }
    publisher.send(completion: .finished)
    #expect(recorder.events == spec.story(spec.collected!.result))
  }

  @Test(arguments: OperatorSpec.collecting)
  func `A stream without values has a result, or just an end`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>()
    spec.attach(recorder).send(completion: .finished)
    #expect(recorder.events == spec.story(spec.collected!.emptyResult))
  }

  @Test(arguments: OperatorSpec.collecting, [Subscribers.Demand.max(1), .max(5), .unlimited])
  func `A result waits until it is asked for`(_ spec: OperatorSpec, _ demand: Subscribers.Demand) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = spec.attach(recorder)
    spec.collected!.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription(spec.shown.description)])
    recorder.request(demand)
    #expect(recorder.events == spec.story(spec.collected!.result))
    recorder.request(demand)
    #expect(recorder.events == spec.story(spec.collected!.result))
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test(arguments: OperatorSpec.collecting)
  func `The end of a stream without values waits as well`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>(demand: nil)
    spec.attach(recorder).send(completion: .finished)
    #expect(recorder.events == [.subscription(spec.shown.description)])
    recorder.request(.max(1))
    #expect(recorder.events == spec.story(spec.collected!.emptyResult))
  }

  @Test(arguments: OperatorSpec.collecting)
  func `A request while values come in is remembered`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = spec.attach(recorder)
    spec.collected!.inputs.forEach { publisher.send($0) }
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(spec.shown.description)])
    publisher.send(completion: .finished)
    #expect(recorder.events == spec.story(spec.collected!.result))
  }

  @Test(arguments: OperatorSpec.collecting)
  func `Upstream is asked for everything, once, when the subscription has gone down`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>(demand: .max(1))
    let subscription = ManualSubscription()
    var log: [String] = []
    recorder.onSubscription = { _ in log.append("subscription") }
    subscription.onRequest = { log.append("request \($0)") }
    let publisher = spec.attach(recorder, subscription: subscription)
    recorder.request(.max(2))
    spec.collected!.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    #expect(log == ["subscription", "request unlimited"])
  }

  @Test(arguments: OperatorSpec.collecting)
  func `A failure goes out at once, whatever was asked for, and the result is dropped`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = spec.attach(recorder)
    spec.collected!.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .failure(.oops))
    let events: [Event<String, TestError>] = [.subscription(spec.shown.description), .completion(.failure(.oops))]
    #expect(recorder.events == events)
    recorder.request(.max(1))
    publisher.send(completion: .finished)
    #expect(recorder.events == events)
    #expect(publisher.subscription?.cancellations == 0)
  }

  @Test(arguments: OperatorSpec.collecting)
  func `Only the first completion counts`(_ spec: OperatorSpec) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = spec.attach(recorder)
    spec.collected!.inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.oops))
    #expect(publisher.send(100) == .none)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.events == spec.story(spec.collected!.result))
  }

  // MARK: Early decisions

  @Test(arguments: OperatorSpec.deciding)
  func `A decision cancels upstream first, and then goes out`(_ spec: OperatorSpec) throws {
    let decision = try #require(spec.collected!.decision)
    let recorder = Recorder<String, TestError>()
    let subscription = ManualSubscription()
    let publisher = spec.attach(recorder, subscription: subscription)
    spec.collected!.inputs.forEach { publisher.send($0) }
    var eventsAtCancel: [Event<String, TestError>]?
    subscription.onCancel = { eventsAtCancel = recorder.events }
    #expect(publisher.send(decision.input) == .none)
    #expect(eventsAtCancel == [.subscription(spec.shown.description)])
    #expect(recorder.events == spec.story(decision.result))
    #expect(publisher.send(decision.input) == .none)
    publisher.send(completion: .finished)
    recorder.cancel()
    #expect(recorder.events == spec.story(decision.result))
    #expect(subscription.cancellations == 1)
  }

  @Test(arguments: OperatorSpec.deciding)
  func `A decision cancels upstream even without demand`(_ spec: OperatorSpec) throws {
    let decision = try #require(spec.collected!.decision)
    let recorder = Recorder<String, TestError>(demand: nil)
    let publisher = spec.attach(recorder)
    publisher.send(decision.input)
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
    #expect(recorder.events == [.subscription(spec.shown.description)])
    publisher.send(decision.input + 1)
    publisher.send(completion: .failure(.oops))
    recorder.request(.max(1))
    #expect(recorder.events == spec.story(decision.result))
  }

  // MARK: Throwing closures

  @Test(arguments: OperatorSpec.collectingThrowing)
  func `An error thrown by the closure cancels upstream first, and then goes out at once`(
    _ spec: OperatorSpec
  ) {
    let recorder = Recorder<String, TestError>(demand: nil)
    let subscription = ManualSubscription()
    let publisher = spec.attach(recorder, subscription: subscription)
    publisher.send(2)
    var eventsAtCancel: [Event<String, TestError>]?
    subscription.onCancel = { eventsAtCancel = recorder.events }
    #expect(publisher.send(OperatorSpec.poison) == .none)
    #expect(eventsAtCancel == [.subscription(spec.shown.description)])
    publisher.send(OperatorSpec.poison)
    publisher.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(spec.shown.description), .completion(.failure(.oops))])
    #expect(subscription.cancellations == 1)
  }

  @Test func `Every operator with a throwing twin is in the list`() {
    #expect(OperatorSpec.collectingThrowing.count == 7)
    #expect(OperatorSpec.deciding.count == 8)
    #expect(OperatorSpec.collecting.count == 21)
  }
}
