// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between sharing and Combine's.
///
/// Each test holds one difference, and gives its reason.
@Suite struct SharingDivergences {
  /// Combine counts subscribers after they have been connected, and connects once for each that arrives before that:
  /// values are then delivered twice, and one of the connections is lost.
  @Test func `A subscriber that joins while the first one is attached does not connect again`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    first.onSubscription = { _ in publisher.subscribe(second) }
    publisher.subscribe(first)
    #expect(connectable.log == ["subscribe", "subscribe", "connect"])
    first.cancel()
    #expect(!connectable.log.contains("disconnect"))
    second.cancel()
    #expect(connectable.log.suffix(2) == ["disconnect", "cancel"])

    let source = ManualPublisher<Int, TestError>()
    let shared = source.share()
    let (third, fourth) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    third.onSubscription = { _ in shared.subscribe(fourth) }
    shared.subscribe(third)
    #expect(source.subscribers.count == 1)
    source.send(1)
    #expect(third.values == [1] && fourth.values == [1])
  }

  /// Combine connects all the same, and no subscriber is left to disconnect.
  @Test func `A first subscriber that cancels while it is attached is not connected`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    let first = Recorder<Int, TestError>(demand: nil)
    first.onSubscription = { $0.cancel() }
    publisher.subscribe(first)
    #expect(connectable.log == ["subscribe", "cancel"])
    publisher.subscribe(Recorder())
    #expect(connectable.log.suffix(2) == ["subscribe", "connect"])
  }

  /// In Combine nothing is known of the connection before `connect()` returns, so upstream continues to its end.
  @Test func `The last subscriber's cancel reaches an upstream that is being connected`() {
    var made = 0
    let upstream = (1...10).publisher.handleEvents(receiveOutput: { _ in made += 1 })
    for shared in [
      upstream.share().eraseToAnyPublisher(), upstream.makeConnectable().autoconnect().eraseToAnyPublisher(),
    ] {
      for _ in 0..<2 {
        made = 0
        let recorder = Recorder<Int, Never>()
        shared.prefix(3).subscribe(recorder)
        #expect(recorder.values == [1, 2, 3] && made == 3)
      }
    }
  }

  /// Combine keeps the connection that comes too late, and no subscriber is left to disconnect.
  @Test func `A connection that everybody has left while it was made is cancelled`() {
    let connectable = ManualConnectable()
    let publisher = connectable.autoconnect()
    let first = Recorder<Int, TestError>()
    connectable.onConnect = { first.cancel() }
    publisher.subscribe(first)
    #expect(connectable.log == ["subscribe", "connect", "cancel", "disconnect"])
    connectable.onConnect = nil
    publisher.subscribe(Recorder())
    #expect(connectable.log.suffix(2) == ["subscribe", "connect"])
  }

  /// The closure that makes a subject is user code, and the library holds no lock while user code runs.
  @Test func `Two threads that first need a subject at the same moment may both make one`() {
    let count = Locked(0)
    let duringFirst = Locked<(@Sendable () -> Void)?>(nil)
    let source = PassthroughSubject<Int, Never>()
    let shared = UncheckedBox(
      source.multicast { () -> PassthroughSubject<Int, Never> in
        count.change { $0 += 1 }
        if let work = duringFirst.change({ $0.take() }) { elsewhere(work) }
        return PassthroughSubject()
      })
    let recorders = UncheckedBox([Recorder<Int, Never>(), Recorder<Int, Never>()])
    duringFirst.change { $0 = { shared.value.subscribe(recorders.value[1]) } }
    shared.value.subscribe(recorders.value[0])
    #expect(count.value == 2)
    // One of the two subjects was kept, and serves both.
    let connection = shared.value.connect()
    source.send(1)
    for recorder in recorders.value { #expect(recorder.values == [1]) }
    connection.cancel()
  }

  /// Combine forgets a cancel before the subscription.
  ///
  /// Here that can happen without `subscribe(on:)`, too: a subject that is delivering on another thread delivers its
  /// subscription later, and the connection would be lost.
  @Test func `A subject remembers a cancel of its upstream that comes before the subscription`() {
    let publisher = ManualPublisher<Int, Never>(subscription: nil)
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    subject.subscribe(recorder)
    publisher.subscribe(subject).cancel()
    let subscription = ManualSubscription()
    publisher.send(subscription: subscription)
    #expect(subscription.calls == [.cancelled])
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("PassthroughSubject")])
  }
}
