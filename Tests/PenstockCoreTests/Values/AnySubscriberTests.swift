// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct AnySubscriberTests {
  private struct Plain: Subscriber {
    typealias Input = Int
    typealias Failure = Never
    let combineIdentifier = CombineIdentifier()
    func receive(subscription: any Subscription) {}
    func receive(_ input: Int) -> Subscribers.Demand { .max(input) }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  private struct Talkative: Subscriber, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    typealias Input = Int
    typealias Failure = Never
    let combineIdentifier = CombineIdentifier()
    func receive(subscription: any Subscription) {}
    func receive(_ input: Int) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<Never>) {}
    var description: String { "text" }
    var customMirror: Mirror { Mirror(self, children: ["child": 1]) }
    var playgroundDescription: Any { "playground" }
  }

  @Test func `The three calls are forwarded, and the demand comes back`() {
    let recorder = Recorder<Int, TestError>(demand: nil, answering: .max(3))
    let any = AnySubscriber(recorder)
    any.receive(subscription: Subscriptions.empty)
    #expect(any.receive(5) == .max(3))
    any.receive(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("Empty"), .value(5), .completion(.failure(.oops))])
  }

  @Test func `The identifier is the wrapped subscriber's`() {
    let plain = Plain()
    #expect(AnySubscriber(plain).combineIdentifier == plain.combineIdentifier)
    let recorder = Recorder<Int, Never>()
    #expect(AnySubscriber(recorder).combineIdentifier == recorder.combineIdentifier)
  }

  @Test func `Texts come from the wrapped subscriber where it has some`() {
    #expect(Shown(of: AnySubscriber(Talkative())) != nil)
    let any = AnySubscriber(Talkative())
    #expect(any.description == "text")
    #expect(any.playgroundDescription as? String == "playground")
    #expect(any.customMirror.children.map(\.label) == ["child"])
    #expect(AnySubscriber(Plain()).description == "Plain")
    #expect(AnySubscriber(Plain()).customMirror.children.map(\.label) == ["combineIdentifier"])
  }

  @Test func `Wrapping twice does not nest`() {
    let once = AnySubscriber(Plain())
    let twice = AnySubscriber(once)
    #expect(twice.combineIdentifier == once.combineIdentifier)
    #expect(twice.description == "Plain")
    // A box inside a box would appear in the mirror of the inner one.
    #expect(twice.customMirror.children.map(\.label) == ["combineIdentifier"])
  }

  @Test func `Closures that are not given do nothing`() {
    let any = AnySubscriber<Int, Never>()
    any.receive(subscription: Subscriptions.empty)
    #expect(any.receive(1) == .none)
    any.receive(completion: .finished)
    #expect(any.description == "Anonymous AnySubscriber")
    #expect(any.combineIdentifier != AnySubscriber<Int, Never>().combineIdentifier)
  }

  @Test func `Closures get each call, with no checks of the state`() {
    var log: [String] = []
    let any = AnySubscriber<Int, Never>(
      receiveSubscription: { log.append("subscription \($0)") },
      receiveValue: { value in
        log.append("value \(value)")
        return .max(value)
      },
      receiveCompletion: { log.append("completion \($0)") })
    any.receive(completion: .finished)
    #expect(any.receive(4) == .max(4))
    any.receive(subscription: Subscriptions.empty)
    any.receive(completion: .finished)
    #expect(log == ["completion finished", "value 4", "subscription Empty", "completion finished"])
  }

  @Test func `Wrapping a subject sends into it`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let publisher = ManualPublisher<Int, Never>()
    publisher.subscribe(AnySubscriber(subject))
    #expect(publisher.calls == [.requested(.unlimited)])
    #expect(publisher.send(3) == .none)
    #expect(subject.value == 3)
  }

  @Test func `Void subscribers have a call without arguments`() {
    let recorder = Recorder<Void, Never>(demand: nil, answering: .max(2))
    #expect(recorder.receive() == .max(2))
    #expect(recorder.values.count == 1)
  }
}
