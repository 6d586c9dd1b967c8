// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct SubjectSubscriberTests {
  @Test func `Values and completion go into the subject, and nothing is asked in return`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    subject.subscribe(recorder)
    let publisher = ManualPublisher<Int, TestError>()
    let cancellable = publisher.subscribe(subject)
    #expect(publisher.calls == [.requested(.unlimited)])
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .failure(.oops))
    publisher.send(2)
    #expect(recorder.events == [.subscription("PassthroughSubject"), .value(1), .completion(.failure(.oops))])
    cancellable.cancel()
    #expect(publisher.subscription?.cancellations == 0)
  }

  @Test func `It shows as a subject`() {
    let publisher = ManualPublisher<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = publisher.subscribe(subject)
    #expect(
      Shown(of: publisher.subscribers[0])
        == Shown("Subject", children: ["downstreamSubject", "upstreamSubscription", "subject"]))
    cancellable.cancel()
  }

  @Test func `Cancelling cancels upstream once, and does not complete the subject`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = Recorder<Int, Never>()
    subject.subscribe(recorder)
    let publisher = ManualPublisher<Int, Never>()
    let cancellable = publisher.subscribe(subject)
    cancellable.cancel()
    cancellable.cancel()
    #expect(publisher.subscription?.cancellations == 1)
    publisher.send(1)
    #expect(recorder.values == [0])
    #expect(recorder.completions.isEmpty)
  }

  @Test func `Upstream does not keep the subject alive`() {
    let publisher = ManualPublisher<Int, Never>()
    var graveyard = Graveyard()
    var cancellable: AnyCancellable?
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, Never>(), "subject")
      cancellable = publisher.subscribe(subject)
      #expect(cancellable != nil)
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(publisher.send(1) == .none)
  }

  @Test func `A subject does not keep what has finished`() {
    let subject = PassthroughSubject<Int, Never>()
    let seen = SeenSubscriber()
    _ = Finished(seen: seen).subscribe(subject)
    #expect(seen.count == 1 && seen.subscriber == nil)
    withExtendedLifetime(subject) {}
  }

  @Test func `A second subscription is ignored`() {
    let publisher = ManualPublisher<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = publisher.subscribe(subject)
    let second = ManualSubscription()
    publisher.send(subscription: second)
    #expect(second.calls.isEmpty)
    cancellable.cancel()
    #expect(second.calls.isEmpty)
  }

  @Test func `Values before a subscription are ignored`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let publisher = ManualPublisher<Int, Never>(subscription: nil)
    let cancellable = publisher.subscribe(subject)
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(subject.value == 0)
    let recorder = Recorder<Int, Never>()
    subject.subscribe(recorder)
    #expect(recorder.completions.isEmpty)
    cancellable.cancel()
  }

  /// A user's subject, which decides itself what to request.
  private final class Modest: Subject {
    typealias Output = Int
    typealias Failure = Never

    var subscriptions: [any Subscription] = []
    var values: [Int] = []
    var completions = 0

    func send(_ value: Int) { values.append(value) }
    func send(completion: Subscribers.Completion<Never>) { completions += 1 }
    func send(subscription: any Subscription) {
      subscriptions.append(subscription)
      subscription.request(.max(2))
    }
    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {}
  }

  @Test func `A subject of one's own gets the subscriber itself, and decides how much to ask for`() throws {
    let subject = Modest()
    var seen: Any?
    let cancellable = Spy<Int, Never> { seen = $0 }.subscribe(subject)
    let subscriber = try #require(seen as? any Subscriber<Int, Never>)
    let link = try #require(seen as? any Subscription)
    link.request(.max(5))
    let upstream = ManualSubscription()
    subscriber.receive(subscription: upstream)
    #expect(upstream.calls == [.requested(.max(2))])
    #expect(subject.subscriptions.map(\.combineIdentifier) == [subscriber.combineIdentifier])
    #expect(subscriber.receive(1) == .none)
    subscriber.receive(completion: .finished)
    subscriber.receive(completion: .finished)
    _ = subscriber.receive(2)
    #expect(subject.values == [1])
    #expect(subject.completions == 1)
    subject.subscriptions[0].cancel()
    cancellable.cancel()
    #expect(upstream.cancellations == 0)
  }

  @Test func `A client's own subject is not kept alive`() throws {
    var graveyard = Graveyard()
    var seen: Any?
    let upstream = ManualSubscription()
    var cancellable: AnyCancellable?
    do {
      let subject = graveyard.watch(Modest(), "subject")
      cancellable = Spy<Int, Never> { seen = $0 }.subscribe(subject)
    }
    #expect(graveyard.survivors.isEmpty)
    let subscriber = try #require(seen as? any Subscriber<Int, Never>)
    subscriber.receive(subscription: upstream)
    #expect(subscriber.receive(1) == .none)
    subscriber.receive(completion: .finished)
    #expect(upstream.calls.isEmpty)
    withExtendedLifetime(cancellable) {}
  }
}

/// The subscriber that a publisher has had, as long as something keeps it.
private final class SeenSubscriber {
  weak var subscriber: AnyObject?
  var count = 0
}

/// Finishes at once.
private struct Finished: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let seen: SeenSubscriber

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    seen.subscriber = subscriber as AnyObject
    seen.count += 1
    subscriber.receive(subscription: ManualSubscription())
    subscriber.receive(completion: .finished)
  }
}
