// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import Synchronization
import TestSupport
import Testing

/// A publisher with many subscribers and a single source.
struct SharedSource: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Whether a subscriber gets the current value when it requests.
  let repeats: Bool
  let make: @Sendable () -> Feed

  struct Feed {
    let publisher: AnyPublisher<Int, Never>
    let send: (Int) -> Void
    let finish: (() -> Void)?
  }

  private init(_ description: String, repeats: Bool, _ make: @escaping @Sendable () -> Feed) {
    testDescription = description
    self.repeats = repeats
    self.make = make
  }

  private static func current<P: Publisher<Int, Never> & SendableMetatype>(
    _ description: String, repeats: Bool = true, _ publisher: @escaping @Sendable (CurrentValueSubject<Int, Never>) -> P
  ) -> SharedSource {
    SharedSource(description, repeats: repeats) {
      let subject = CurrentValueSubject<Int, Never>(0)
      return Feed(
        publisher: publisher(subject).eraseToAnyPublisher(), send: { subject.send($0) },
        finish: { subject.send(completion: .finished) })
    }
  }

  /// All shared sources; fan-ins get a second upstream that never delivers anything greater than zero.
  static let all: [SharedSource] = [
    SharedSource("PassthroughSubject", repeats: false) {
      let subject = PassthroughSubject<Int, Never>()
      return Feed(
        publisher: subject.eraseToAnyPublisher(), send: { subject.send($0) },
        finish: { subject.send(completion: .finished) })
    },
    current("CurrentValueSubject") { $0 },
    SharedSource("Published", repeats: true) {
      let gauge = Gauge()
      return Feed(publisher: gauge.$level.eraseToAnyPublisher(), send: { gauge.level = $0 }, finish: nil)
    },
    current("multicast", repeats: true) { $0.multicast { CurrentValueSubject(0) }.autoconnect() },
    current("share", repeats: false) { $0.share() },
    current("merge") { $0.merge(with: Empty(completeImmediately: false)) },
    current("combineLatest") { $0.combineLatest(CurrentValueSubject<Int, Never>(0)).map { $0 + $1 } },
    current("zip") { $0.zip(repeatElement(0, count: 10_000).publisher).map { $0 + $1 } },
    current("prefix(untilOutputFrom:)") { $0.prefix(untilOutputFrom: PassthroughSubject<Int, Never>()) },
    current("drop(untilOutputFrom:)", repeats: true) { $0.drop(untilOutputFrom: Just(0)) },
    current("flatMap") { subject in Just(0).flatMap { _ in subject } },
    current("switchToLatest") { subject in Just(0).map { _ in subject }.switchToLatest() },
  ]

  private final class Gauge: @unchecked Sendable {
    @Published var level = 0
  }
}

@Suite struct JoiningTests {
  @Test(arguments: SharedSource.all)
  func `While another thread delivers, subscribing still is synchronous, and what follows comes in order`(
    _ source: SharedSource
  ) {
    let feed = UncheckedBox(source.make())
    let (first, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    let events = Locked<[Event<Int, Never>]>([])
    first.onValue = { value in
      guard value == 1 else { return .none }
      elsewhere {
        feed.value.publisher.map { $0 }.subscribe(joining)
        events.change { $0 = joining.events }
        feed.value.send(2)
      }
      return .none
    }
    feed.value.publisher.subscribe(first)
    for value in [1, 3] { feed.value.send(value) }
    #expect(events.value.count == (source.repeats ? 2 : 1), "\(events.value)")
    // A published property still has its old value while it announces the new one, and in this test a newer one arrives
    // before it is set.
    let present = source.testDescription == "Published" ? 0 : 1
    if source.repeats { #expect(events.value.last == .value(present)) }
    #expect(joining.values == (source.repeats ? [present] : []) + [2, 3])
    #expect(first.values.filter { $0 != 0 } == [1, 2, 3])
  }

  @Test(arguments: SharedSource.all)
  func `What others send during an introduction waits for it`(_ source: SharedSource) {
    let feed = UncheckedBox(source.make())
    let first = Recorder<Int, Never>()
    let joining = Recorder<Int, Never>(demand: nil)
    let during = Locked<[Int]?>(nil)
    let introduced = UncheckedBox(
      feed.value.publisher.handleEvents(receiveSubscription: { _ in
        // The delivering thread is busy, so only the joining thread could deliver this.
        elsewhere { feed.value.send(2) }
        during.change { $0 = joining.values }
      }))
    first.onValue = { value in
      if value == 1 {
        elsewhere {
          introduced.value.subscribe(joining)
          joining.request(.unlimited)
        }
      }
      return .none
    }
    feed.value.publisher.subscribe(first)
    feed.value.send(1)
    feed.value.send(3)
    #expect(during.value == [])
    #expect(joining.isSerial)
    #expect(Array(joining.values.drop { $0 < 2 }) == [2, 3] || joining.values == [3], "\(joining.values)")
  }

  @Test(arguments: SharedSource.all.filter { $0.finish })
  func `An end that has been accepted reaches subscribers that join before its turn`(_ source: SharedSource) {
    let feed = UncheckedBox(source.make())
    let (first, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    let isFinished = Locked(false)
    first.onValue = { value in
      guard value == 1 else { return .none }
      elsewhere {
        feed.value.finish?()
        feed.value.publisher.subscribe(joining)
        isFinished.change { $0 = joining.isFinished }
      }
      return .none
    }
    feed.value.publisher.subscribe(first)
    feed.value.send(1)
    #expect(isFinished.value)
    #expect(first.isFinished)
    #expect(joining.values.isEmpty && joining.completions.count == 1)
  }

  @Test(arguments: [false, true])
  func `Who cancels during its introduction gets nothing more, and nothing is left`(_ isElsewhere: Bool) {
    weak var subject: CurrentValueSubject<Int, Never>?
    let joining = Recorder<Int, Never>(demand: nil)
    do {
      let made = CurrentValueSubject<Int, Never>(0)
      subject = made
      let first = Recorder<Int, Never>()
      joining.onSubscription = { subscription in
        let subscription = UncheckedBox(subscription)
        subscription.value.request(.max(1))
        made.send(2)
        if isElsewhere { elsewhere { subscription.value.cancel() } } else { subscription.value.cancel() }
      }
      first.onValue = { value in
        if value == 1 { elsewhere { made.subscribe(joining) } }
        return .none
      }
      made.subscribe(first)
      for value in [1, 3] { made.send(value) }
      #expect(joining.values == [1])
      #expect(first.values == [0, 1, 2, 3])
      first.onValue = nil
      joining.onSubscription = nil
      first.dismiss()
      joining.releaseSubscriptions()
    }
    #expect(subject == nil)
  }

  @Test func `While the subscribing thread joins the second upstream, the first one's values wait`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    let joined = Gate()
    let joiner = Locked<ObjectIdentifier?>(nil)
    let sending = Locked<[Thread]>([])
    recorder.onValue = { value in
      // On the joining thread nothing waits; on another thread, the delivery is delayed until the subscriber has
      // joined.
      if value == 1, joiner.value != ObjectIdentifier(Thread.current) { joined.wait() }
      return .none
    }
    let second = Deferred {
      let isSent = Gate()
      let thread = Thread {
        subject.send(1)
        isSent.open()
      }
      thread.start()
      sending.change { $0.append(thread) }
      isSent.wait()
      return CurrentValueSubject<Int, Never>(7)
    }
    joiner.change { $0 = ObjectIdentifier(Thread.current) }
    subject.merge(with: second).subscribe(recorder)
    #expect(recorder.values.sorted() == [1, 7])
    joined.open()
  }

  @Test func `Values of an upstream that changes threads while others are joined stay in order`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    let second = Deferred {
      elsewhere { subject.send(1) }
      subject.send(2)
      return Empty<Int, Never>()
    }
    subject.merge(with: second).subscribe(recorder)
    #expect(recorder.values == [1, 2])
  }

  @Test func `A subscriber that joins behind what is queued does not get that`() {
    let subject = PassthroughSubject<Int, Never>()
    let (first, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      guard value == 1 else { return .none }
      elsewhere { subject.send(2) }
      subject.subscribe(joining)
      #expect(joining.events == [.subscription("PassthroughSubject")])
      subject.send(3)
      return .none
    }
    subject.subscribe(first)
    subject.send(1)
    #expect(first.values == [1, 2, 3])
    #expect(joining.values == [3])
  }
}

extension SharedSource {
  /// Whether the source can complete, once for all of its subscribers.
  var finish: Bool { ["PassthroughSubject", "CurrentValueSubject"].contains(testDescription) }
}
