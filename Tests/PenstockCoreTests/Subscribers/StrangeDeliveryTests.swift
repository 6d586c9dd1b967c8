// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A publisher that passes its subscriber on to another one, and delivers values of its own as well, one at a time.
private final class Injecting<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  private var subscribers: [AnySubscriber<Output, Failure>] = []

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscribers.append(AnySubscriber(subscriber))
    upstream.subscribe(subscriber)
  }

  func inject(_ value: Output) { for subscriber in subscribers { _ = subscriber.receive(value) } }
}

/// Checks that the captures of a closure live while it runs, though it cancels and the source of the subscription is
/// idle.
@Suite struct StrangeDeliveryTests {
  @Test(arguments: [0, 1, 2])
  func `A sink that an injected value cancels keeps what its closure captures until that returns`(operators: Int) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, Never>()
    var cancellable: AnyCancellable?
    var values: [Int] = []
    var wasAlive = true
    let injecting = Injecting(subject)
    func attach(_ publisher: some Publisher<Int, Never>) {
      let canary = graveyard.watch(Canary())
      weak let alive = canary
      cancellable = publisher.sink { [canary] value in
        values.append(value)
        if value == 5 { cancellable = nil }
        wasAlive = wasAlive && alive != nil
        withExtendedLifetime(canary) {}
      }
    }
    switch operators {
    case 0: attach(injecting)
    case 1: attach(injecting.map { (value: Int) -> Int in value })
    default: attach(injecting.prefix(10).filter { (_: Int) -> Bool in true })
    }
    subject.send(1)
    injecting.inject(5)
    subject.send(2)
    injecting.inject(6)
    #expect(values == [1, 5])
    #expect(wasAlive)
    #expect(cancellable == nil)
  }

  @Test func `A sink of a user's that is fed by hand keeps its closure until that returns`() {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, Never>()
    var sink: Subscribers.Sink<Int, Never>?
    var values: [Int] = []
    var wasAlive = false
    do {
      let canary = graveyard.watch(Canary())
      weak let alive = canary
      sink = Subscribers.Sink(
        receiveCompletion: { _ in },
        receiveValue: { [canary] value in
          sink?.cancel()
          wasAlive = alive != nil
          values.append(value)
          withExtendedLifetime(canary) {}
        })
    }
    sink.map { subject.subscribe($0) }
    _ = sink?.receive(5)
    subject.send(6)
    #expect(values == [5])
    #expect(wasAlive)
    // Nothing survives, though the sink itself is kept.
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `An assignment that is fed by hand keeps its object until the property has been set`() {
    final class Label {
      var assign: Subscribers.Assign<Label, Int>?
      var values: [Int] = []
      var value = 0 {
        didSet {
          assign?.cancel()
          assign = nil
          values.append(value)
        }
      }
    }
    var label: Label? = Label()
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    do {
      let assign = Subscribers.Assign(object: label!, keyPath: \Label.value)
      label?.assign = assign
      subject.subscribe(assign)
      _ = assign.receive(5)
      values = label?.values ?? []
    }
    weak let alive = label
    label = nil
    #expect(values == [5])
    #expect(alive == nil)
  }
}
