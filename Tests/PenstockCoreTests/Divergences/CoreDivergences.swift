// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between the engine and Combine's.
///
/// Each test holds one difference, and gives its reason.
@Suite struct CoreDivergences {
  /// Combine's sink releases its closures at the end.
  ///
  /// Here they belong to the chain, so that a delivery uses them without counting.
  @Test(arguments: ["sink", "assign"], ["cancel", "end"])
  func `What a sink captures is freed when a publisher of a user's drops its subscriber`(_ kind: String, _ end: String)
  {
    final class Keeping: Publisher {
      typealias Output = Int
      typealias Failure = Never
      let subject = PassthroughSubject<Int, Never>()
      var subscribers: [AnySubscriber<Int, Never>] = []
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscribers.append(AnySubscriber(subscriber))
        subject.subscribe(subscriber)
      }
    }
    final class Gauge {
      var level = 0
    }
    let publisher = Keeping()
    weak var canary: Gauge?
    let cancellable: AnyCancellable = {
      let made = Gauge()
      canary = made
      return kind == "sink"
        ? publisher.sink { _ in withExtendedLifetime(made) {} } : publisher.assign(to: \.level, on: made)
    }()
    if end == "cancel" { cancellable.cancel() } else { publisher.subject.send(completion: .finished) }
    #expect(canary != nil)
    publisher.subscribers = []
    #expect(canary == nil)
  }

  /// Combine's sink forgets a cancel that comes before its subscription.
  ///
  /// Users of `subscribe(on:)` reach that state and lose their cancel.
  @Test func `A sink remembers a cancel that comes before its subscription`() {
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    sink.cancel()
    let subscription = ManualSubscription()
    sink.receive(subscription: subscription)
    #expect(subscription.calls == [.cancelled])
  }

  /// Combine blocks the second sender until the first delivery has ended, which deadlocks two pipelines that feed each
  /// other.
  ///
  /// Here its value is queued: `send` returns, and the delivering thread delivers it.
  @Test func `A value sent while another thread delivers may still be queued when send returns`() {
    let subject = PassthroughSubject<Int, Never>()
    let values = Locked<[Int]>([])
    let cancellable = subject.sink { value in
      values.change { $0.append(value) }
      guard value == 1 else { return }
      elsewhere {
        subject.send(2)
        #expect(values.value == [1])
      }
    }
    subject.send(1)
    #expect(values.value == [1, 2])
    cancellable.cancel()
  }

  /// Combine reads the demand when the value is sent, and drops the value.
  ///
  /// Here the demand is read when the value's turn comes, which is later.
  @Test func `A value sent during another thread's delivery may meet demand that comes later`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      elsewhere { subject.send(2) }
      return .max(1)
    }
    subject.subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1, 2])
  }

  /// Combine's shows the subject.
  ///
  /// Here the subscriber does not reference the subject: so it feeds the subject without keeping it alive, and without
  /// a weak reference, which would make every other reference to the subject slower.
  @Test func `A subject that has been subscribed shows its inner part`() {
    let source = KeepingPublisher<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = source.subscribe(subject)
    let mirror = source.subscriber.map { Mirror(reflecting: $0) }
    #expect(mirror?.children.map(\.label) == ["downstreamSubject", "upstreamSubscription", "subject"])
    #expect(!(mirror?.descendant("subject") is PassthroughSubject<Int, Never>))
    withExtendedLifetime(cancellable) {}
  }

  /// A publisher behind `AnyPublisher` is attached to by code that was specialised for erased subscribers: that is what
  /// makes erasure cost a tenth.
  @Test func `A wrapped publisher sees an erased subscriber with the same identifier`() {
    struct Spy: Publisher {
      typealias Output = Int
      typealias Failure = Never
      let seen: (Any) -> Void
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { seen(subscriber) }
    }
    var seen: [Any] = []
    let recorder = Recorder<Int, Never>()
    Spy { seen.append($0) }.eraseToAnyPublisher().subscribe(recorder)
    let erased = seen.first as? AnySubscriber<Int, Never>
    #expect(erased?.combineIdentifier == recorder.combineIdentifier)
    #expect(erased?.description == recorder.description)
  }

  /// With nested sends Combine delivers the outer, older value last to later subscribers, so that their last value is
  /// outdated.
  @Test func `A current value subject does not give an old value after a newer one`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 1 { subject.send(2) }
      return .none
    }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    #expect(first.values == [0, 1, 2])
    #expect(second.values == [0, 2])
    #expect(subject.value == 2)
  }

  /// The closures of a sink on one of the library's sources are used without a lock, so they are freed when the source
  /// reports that no delivery is running: after the cancel of upstream, where Combine frees them before it.
  @Test func `A sink cancelled during a delivery keeps its closures until the delivery has ended`() {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, Never>()
    var survivorsInside: [String] = []
    var cancellable: AnyCancellable?
    do {
      let canary = graveyard.watch(Canary(), "closure")
      let look = { [graveyard] in graveyard.survivors }
      cancellable = subject.sink { _ in
        withExtendedLifetime(canary) {}
        cancellable?.cancel()
        survivorsInside = look()
      }
    }
    subject.send(1)
    #expect(survivorsInside == ["closure"])
    #expect(graveyard.survivors.isEmpty)
  }
}
