// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct AutoconnectTests {
  @Test func `The first subscriber is attached and then connected; the others are only attached`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    #expect(connectable.log.isEmpty)
    publisher.subscribe(Recorder())
    #expect(connectable.log == ["subscribe", "connect"])
    publisher.subscribe(Recorder())
    #expect(connectable.log == ["subscribe", "connect", "subscribe"])
  }

  @Test func `The last one to cancel disconnects, before it is cancelled upstream`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    publisher.subscribe(first)
    publisher.subscribe(second)
    first.cancel()
    #expect(connectable.log.suffix(1) == ["cancel"])
    #expect(!connectable.log.contains("disconnect"))
    second.cancel()
    #expect(connectable.log.suffix(3) == ["cancel", "disconnect", "cancel"])
  }

  @Test func `Each subscriber counts once, though it cancels twice`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    publisher.subscribe(first)
    publisher.subscribe(second)
    first.cancel()
    first.cancel()
    #expect(!connectable.log.contains("disconnect"))
    second.cancel()
    #expect(connectable.log.contains("disconnect"))
  }

  @Test func `A subscriber that comes when all have left connects again`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    for _ in 0..<2 {
      let recorder = Recorder<Int, TestError>()
      publisher.subscribe(recorder)
      recorder.cancel()
    }
    #expect(
      connectable.log == Array(repeating: ["subscribe", "connect", "disconnect", "cancel"], count: 2).flatMap(\.self))
  }

  @Test func `A completion does not count as leaving, a cancel after it does`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    publisher.subscribe(first)
    connectable.publisher.send(completion: .finished)
    publisher.subscribe(second)
    #expect(connectable.log == ["subscribe", "connect", "subscribe"])
    second.cancel()
    #expect(!connectable.log.contains("disconnect"))
    first.cancel()
    #expect(connectable.log.suffix(2) == ["disconnect", "cancel"])
  }

  @Test func `What disconnects may subscribe anew`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    connectable.onDisconnect = {
      if second.subscriptions.isEmpty { publisher.subscribe(second) }
    }
    publisher.subscribe(first)
    first.cancel()
    #expect(connectable.log == ["subscribe", "connect", "disconnect", "subscribe", "connect", "cancel"])
    second.cancel()
    #expect(connectable.log.suffix(2) == ["disconnect", "cancel"])
  }

  @Test func `Who comes while another thread disconnects is connected behind it`() {
    let connectable = ManualConnectable()
    let publisher = UncheckedBox(connectable.autoconnect())
    let (first, second) = (Recorder<Int, TestError>(), UncheckedBox(Recorder<Int, TestError>()))
    connectable.onDisconnect = {
      connectable.onDisconnect = nil
      elsewhere { publisher.value.subscribe(second.value) }
      #expect(second.value.subscriptions.count == 1)
      #expect(connectable.log == ["subscribe", "connect", "disconnect", "subscribe"])
    }
    publisher.value.subscribe(first)
    first.cancel()
    #expect(connectable.log == ["subscribe", "connect", "disconnect", "subscribe", "connect", "cancel"])
    second.value.cancel()
    #expect(connectable.log.suffix(2) == ["disconnect", "cancel"])
  }

  @Test func `Who comes while a connection that came too late is cancelled is connected behind it`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    connectable.onConnect = {
      connectable.onConnect = nil
      first.cancel()
    }
    connectable.onDisconnect = {
      connectable.onDisconnect = nil
      publisher.subscribe(second)
      #expect(!connectable.log.suffix(1).contains("connect"))
    }
    publisher.subscribe(first)
    #expect(connectable.log == ["subscribe", "connect", "cancel", "disconnect", "subscribe", "connect"])
    second.cancel()
    #expect(connectable.log.suffix(2) == ["disconnect", "cancel"])
  }

  /// A connection whose cancel is announced in advance.
  private final class Forewarned: ConnectablePublisher {
    typealias Output = Int
    typealias Failure = Never

    private(set) var log: [String] = []

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      subscriber.receive(subscription: ManualSubscription())
    }

    func connect() -> any Cancellable { Connection(publisher: self) }

    private struct Connection: ForewarnedCancellable {
      let publisher: Forewarned

      func forewarn() { publisher.log.append("forewarn") }
      func cancel() { publisher.log.append("cancel") }
    }
  }

  @Test func `A connection learns that it will be cancelled before anybody else can join`() {
    let connectable = Forewarned()
    let publisher = connectable.autoconnect()
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    publisher.subscribe(first)
    publisher.subscribe(second)
    first.cancel()
    #expect(connectable.log.isEmpty)
    second.cancel()
    #expect(connectable.log == ["forewarn", "cancel"])
  }

  // MARK: Forwarded signals

  @Test func `Demand and events pass through unchecked`() {
    let connectable = ManualConnectable(subscription: nil)
    let recorder = Recorder<Int, TestError>(demand: .some(.none), answering: .max(3))
    connectable.autoconnect().subscribe(recorder)
    let upstream = connectable.publisher
    #expect(upstream.send(1) == .max(3))
    upstream.send(completion: .finished)
    let subscriptions = [ManualSubscription(), ManualSubscription()]
    for subscription in subscriptions { upstream.send(subscription: subscription) }
    upstream.send(2)
    upstream.send(completion: .failure(.oops))
    for subscription in subscriptions { #expect(subscription.calls == [.requested(.none)]) }
    #expect(
      recorder.events == [
        .value(1), .completion(.finished), .subscription("ManualSubscription"), .subscription("ManualSubscription"),
        .value(2), .completion(.failure(.oops)),
      ])
  }

  @Test func `Cancels go upstream each time`() {
    let connectable = ManualConnectable()
    let recorder = Recorder<Int, TestError>()
    connectable.autoconnect().subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    #expect(connectable.publisher.subscription?.cancellations == 2)
  }

  @Test func `The subscription shows upstream's texts and identifier`() {
    let source = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    source.makeConnectable().autoconnect().subscribe(recorder)
    #expect(Shown(of: recorder.subscriptions[0]) == Shown("Multicast"))

    let connectable = ManualConnectable()
    let second = Recorder<Int, TestError>()
    connectable.autoconnect().subscribe(second)
    #expect(second.subscriptionTexts == ["ManualSubscription"])
    #expect(second.subscriptions[0].combineIdentifier == connectable.publisher.subscription?.combineIdentifier)
  }

  @Test func `The subscription shows upstream's mirror`() {
    final class Bare: ConnectablePublisher {
      typealias Output = Int
      typealias Failure = Never
      let subject = PassthroughSubject<Int, Never>()
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subject.subscribe(subscriber)
      }
      func connect() -> any Cancellable { AnyCancellable {} }
    }
    let recorder = Recorder<Int, Never>()
    Bare().autoconnect().subscribe(recorder)
    #expect(
      Shown(of: recorder.subscriptions[0])
        == Shown("PassthroughSubject", children: ["parent", "downstream", "demand", "subject"]))
  }

  @Test func `A subscription without a mirror of its own has none here either`() {
    let connectable = ManualConnectable()
    let recorder = Recorder<Int, TestError>()
    connectable.autoconnect().subscribe(recorder)
    #expect(!(recorder.subscriptions[0] is any CustomReflectable))
  }

  @Test func `A playground shows of the subscription what it shows of upstream's`() {
    final class Shown: Subscription, CustomStringConvertible, CustomPlaygroundDisplayConvertible {
      let playgroundDescription: Any = "in a playground"
      let description = "in a text"
      func request(_ demand: Subscribers.Demand) {}
      func cancel() {}
    }
    final class Source: ConnectablePublisher {
      typealias Output = Int
      typealias Failure = Never
      let subscription: any Subscription
      init(_ subscription: any Subscription) { self.subscription = subscription }
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscriber.receive(subscription: subscription)
      }
      func connect() -> any Cancellable { AnyCancellable {} }
    }
    let expected: [(subscription: any Subscription, text: String)] = [
      (Shown(), "in a playground"), (ManualSubscription(), "ManualSubscription"), (Subscriptions.empty, "Empty"),
    ]
    for (subscription, text) in expected {
      let recorder = Recorder<Int, Never>()
      Source(subscription).autoconnect().subscribe(recorder)
      let shown = recorder.subscriptions[0] as? any CustomPlaygroundDisplayConvertible
      #expect(shown?.playgroundDescription as? String == text)
    }
  }

  @Test func `The subscriber shows its name, the publisher and who is below`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    publisher.subscribe(Recorder())
    let subscriber = connectable.publisher.subscribers[0]
    #expect(Shown(of: subscriber) == Shown("Autoconnect", children: ["parent", "downstream"]))
    let parent = Mirror(reflecting: subscriber).children.first?.value as? Publishers.Autoconnect<ManualConnectable>
    #expect(parent === publisher)
    #expect(subscriber.combineIdentifier != connectable.publisher.subscription?.combineIdentifier)
  }

  // MARK: Locks and memory

  @Test(arguments: ["connect", "disconnect"])
  func `While it connects and disconnects, other threads come and go`(_ moment: String) {
    let connectable = ManualConnectable()
    let publisher = UncheckedBox(connectable.autoconnect())
    let visit: () -> Void = {
      connectable.onConnect = nil
      connectable.onDisconnect = nil
      elsewhere {
        let guest = Recorder<Int, TestError>()
        publisher.value.subscribe(guest)
        guest.cancel()
      }
    }
    if moment == "connect" { connectable.onConnect = visit } else { connectable.onDisconnect = visit }
    let recorder = Recorder<Int, TestError>()
    publisher.value.subscribe(recorder)
    recorder.cancel()
    #expect(connectable.log.filter { $0 == "subscribe" }.count == 2)
    // The subscriber that joined during the disconnection has left before a connection is made for it.
    #expect(connectable.log.filter { $0 == "connect" }.count == 1)
    #expect(connectable.log.filter { $0 == "disconnect" }.count == 1)
  }

  @Test(arguments: ["finish", "cancel"])
  func `It lives as long as it has subscribers`(_ end: String) {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Int, Never>()
    var cancellable: AnyCancellable?
    do {
      let publisher = graveyard.watch(
        graveyard.watch(source.multicast { PassthroughSubject<Int, Never>() }, "multicast").autoconnect(),
        "autoconnect")
      cancellable = publisher.sink { _ in }
    }
    source.send(1)
    #expect(graveyard.survivors == ["multicast", "autoconnect"])
    if end == "finish" { source.send(completion: .finished) } else { cancellable?.cancel() }
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(cancellable) {}
  }
}
