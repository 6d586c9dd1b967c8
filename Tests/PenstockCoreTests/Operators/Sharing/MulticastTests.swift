// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct MulticastTests {
  // MARK: The subject

  @Test(arguments: ["subscribe", "connect"])
  func `The subject is made when it is first needed, once`(_ first: String) {
    var made = 0
    let publisher = ManualPublisher<Int, TestError>()
    let shared = publisher.multicast {
      made += 1
      return PassthroughSubject<Int, TestError>()
    }
    #expect(made == 0)
    var connections: [any Cancellable] = []
    if first == "connect" { connections.append(shared.connect()) } else { shared.subscribe(Recorder()) }
    #expect(made == 1)
    shared.subscribe(Recorder())
    connections.append(shared.connect())
    publisher.send(completion: .finished)
    shared.subscribe(Recorder())
    #expect(made == 1)
    #expect(connections.count >= 1)
  }

  @Test func `A given subject is used`() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let publisher = ManualPublisher<Int, TestError>()
    let shared = publisher.multicast(subject: subject)
    #expect(shared.createSubject() === subject)
    let connection = shared.connect()
    publisher.send(5)
    #expect(subject.value == 5)
    let recorder = Recorder<Int, TestError>()
    shared.subscribe(recorder)
    #expect(recorder.values == [5])
    connection.cancel()
  }

  // MARK: Connections

  @Test func `Upstream is not touched before it is connected`() {
    let publisher = ManualPublisher<Int, TestError>()
    let shared = publisher.multicast { PassthroughSubject<Int, TestError>() }
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    shared.subscribe(first)
    shared.subscribe(second)
    #expect(publisher.subscribers.isEmpty)
    let connection = shared.connect()
    #expect(publisher.subscribers.count == 1)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    for recorder in [first, second] {
      #expect(recorder.events == [.subscription("Multicast"), .value(1), .completion(.failure(.oops))])
    }
    connection.cancel()
  }

  @Test func `Connected twice, every value comes twice`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.multicast { PassthroughSubject<Int, Never>() }
    let recorder = Recorder<Int, Never>()
    shared.subscribe(recorder)
    let connections = [shared.connect(), shared.connect()]
    source.send(1)
    #expect(recorder.values == [1, 1])
    connections[0].cancel()
    source.send(2)
    #expect(recorder.values == [1, 1, 2])
    connections[1].cancel()
  }

  @Test func `A connection that is cancelled stops upstream without an end, and a new one goes on`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.multicast { PassthroughSubject<Int, Never>() }
    let recorder = Recorder<Int, Never>()
    shared.subscribe(recorder)
    let connection = shared.connect()
    source.send(1)
    connection.cancel()
    source.send(2)
    #expect(recorder.events == [.subscription("Multicast"), .value(1)])
    let another = shared.connect()
    source.send(3)
    #expect(recorder.values == [1, 3])
    another.cancel()
  }

  @Test func `Dropping the connection stops upstream`() {
    let publisher = ManualPublisher<Int, Never>()
    let shared = publisher.multicast { PassthroughSubject<Int, Never>() }
    var connection: (any Cancellable)? = shared.connect()
    #expect(connection is AnyCancellable)
    #expect(publisher.subscription?.cancellations == 0)
    connection = nil
    #expect(publisher.subscription?.cancellations == 1)
  }

  @Test func `Who comes after the end gets it, and upstream is left alone`() {
    let publisher = ManualPublisher<Int, TestError>()
    let shared = publisher.multicast { PassthroughSubject<Int, TestError>() }
    let connection = shared.connect()
    publisher.send(completion: .failure(.oops))
    let late = Recorder<Int, TestError>()
    shared.subscribe(late)
    #expect(late.events == [.subscription("Multicast"), .completion(.failure(.oops))])
    #expect(publisher.subscribers.count == 1)
    connection.cancel()
    #expect(publisher.subscription?.cancellations == 0)
  }

  // MARK: Demand

  @Test func `A passthrough subject asks upstream for everything once anybody has asked`() {
    let publisher = ManualPublisher<Int, Never>()
    let shared = publisher.multicast { PassthroughSubject<Int, Never>() }
    let recorder = Recorder<Int, Never>(demand: nil)
    shared.subscribe(recorder)
    let connection = shared.connect()
    #expect(publisher.calls.isEmpty)
    recorder.request(.max(1))
    #expect(publisher.calls == [.requested(.unlimited)])
    recorder.request(.max(1))
    let second = shared.connect()
    #expect(publisher.calls == [.requested(.unlimited), .requested(.unlimited)])
    connection.cancel()
    second.cancel()
  }

  @Test func `A current value subject asks upstream at once`() {
    let publisher = ManualPublisher<Int, Never>()
    let shared = publisher.multicast(subject: CurrentValueSubject(0))
    let connection = shared.connect()
    #expect(publisher.calls == [.requested(.unlimited)])
    connection.cancel()
  }

  @Test(arguments: [0, 1, 3])
  func `Demand is counted for each subscriber`(_ count: Int) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.multicast { PassthroughSubject<Int, Never>() }
    let (limited, unlimited) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>())
    shared.subscribe(limited)
    shared.subscribe(unlimited)
    let connection = shared.connect()
    if count > 0 { limited.request(.max(count)) }
    for value in 1...5 { source.send(value) }
    #expect(limited.values == Array((1...5).prefix(count)))
    #expect(unlimited.values == [1, 2, 3, 4, 5])
    connection.cancel()
  }

  @Test func `Demand that is returned is requested from the subject`() {
    let subject = ManualSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { $0 == 1 ? .max(4) : .none }
    Empty<Int, Never>().multicast(subject: subject).subscribe(recorder)
    #expect(subject.publisher.send(1) == .none)
    #expect(subject.publisher.send(2) == .none)
    #expect(subject.publisher.calls == [.requested(.max(1)), .requested(.max(4))])
    #expect(recorder.values == [1, 2])
  }

  @Test func `Returned demand is answered with a value that was missed`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { value in
      if value == 0 { subject.send(1) }
      return value == 0 ? .max(1) : .none
    }
    Empty<Int, Never>(completeImmediately: false).multicast(subject: subject).subscribe(recorder)
    #expect(recorder.values == [0, 1])
  }

  @Test func `A request for nothing is passed to the subject`() {
    let subject = ManualSubject<Int, Never>()
    Empty<Int, Never>().multicast(subject: subject).subscribe(Recorder<Int, Never>(demand: .some(.none)))
    #expect(subject.publisher.calls == [.requested(.none)])
  }

  @Test func `A request for nothing traps in a subject of ours`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Empty<Int, Never>().multicast { PassthroughSubject() }.subscribe(Recorder<Int, Never>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  // MARK: The protocol

  @Test func `What comes before the subscription is ignored, and a second one cancelled`() {
    let subject = ManualSubject<Int, Never>(subscription: nil)
    let recorder = Recorder<Int, Never>()
    Empty<Int, Never>().multicast(subject: subject).subscribe(recorder)
    #expect(subject.publisher.send(1) == .none)
    subject.publisher.send(completion: .finished)
    #expect(recorder.events.isEmpty)
    let (first, second) = (ManualSubscription(), ManualSubscription())
    subject.publisher.send(subscription: first)
    subject.publisher.send(subscription: second)
    #expect(first.calls == [.requested(.unlimited)])
    #expect(second.calls == [.cancelled])
    subject.publisher.send(completion: .finished)
    subject.publisher.send(completion: .finished)
    subject.publisher.send(2)
    #expect(recorder.events == [.subscription("Multicast"), .completion(.finished)])
    recorder.cancel()
    #expect(first.cancellations == 0)
  }

  @Test func `A cancel reaches the subject once, and nothing comes afterwards`() {
    let subject = ManualSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    Empty<Int, Never>().multicast(subject: subject).subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    subject.publisher.send(1)
    subject.publisher.send(completion: .finished)
    #expect(subject.publisher.calls == [.requested(.unlimited), .cancelled])
    #expect(recorder.events == [.subscription("Multicast")])
  }

  @Test func `Subscription and subscriber show the name`() {
    let subject = ManualSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    Empty<Int, Never>().multicast(subject: subject).subscribe(recorder)
    #expect(Shown(of: recorder.subscriptions[0]) == Shown("Multicast"))
    #expect(Shown(of: subject.publisher.subscribers[0]) == Shown("Multicast"))
    #expect(recorder.subscriptions[0].combineIdentifier == subject.publisher.subscribers[0].combineIdentifier)
  }

  // MARK: Memory

  @Test(arguments: ["finish", "cancel"])
  func `A subscriber is freed at the end, though its subscription is held`(_ end: String) {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Int, Never>()
    let shared = source.multicast { PassthroughSubject<Int, Never>() }
    let connection = shared.connect()
    var subscription: (any Subscription)?
    do {
      let recorder = graveyard.watch(Recorder<Int, Never>(), "subscriber")
      shared.subscribe(recorder)
      subscription = recorder.subscriptions[0]
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors == ["subscriber"])
    if end == "finish" { source.send(completion: .finished) } else { subscription?.cancel() }
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime((subscription, connection)) {}
  }

  @Test func `A sink below frees its closures at a cancel, though everybody is alive`() {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Int, Never>()
    let shared = source.multicast { PassthroughSubject<Int, Never>() }
    let connection = shared.connect()
    let cancellable: AnyCancellable
    do {
      let canary = graveyard.watch(Canary(), "closure")
      cancellable = shared.sink { _ in withExtendedLifetime(canary) {} }
    }
    source.send(1)
    cancellable.cancel()
    #expect(graveyard.survivors.isEmpty)
    connection.cancel()
  }
}
