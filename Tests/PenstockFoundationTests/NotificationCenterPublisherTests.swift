// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockFoundation
import TestSupport
import Testing

/// Notifications as a stream.
@Suite struct NotificationCenterPublisherTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("opened")

  private func post(_ number: Int, from object: AnyObject? = nil) {
    center.post(name: name, object: object, userInfo: ["n": number])
  }

  private func numbers(_ recorder: Recorder<Notification, Never>) -> [Int] {
    recorder.values.compactMap { $0.userInfo?["n"] as? Int }
  }

  @Test func `What is posted is delivered at once, on the posting thread`() {
    let recorder = Recorder<Notification, Never>()
    let threads = Locked<[Thread]>([])
    recorder.onValue = { _ in
      threads.change { $0.append(Thread.current) }
      return .none
    }
    center.publisher(for: name).subscribe(recorder)
    post(1)
    center.post(name: Notification.Name("other"), object: nil)
    post(2)
    #expect(numbers(recorder) == [1, 2])
    #expect(threads.value.allSatisfy { $0 === Thread.current })
    #expect(recorder.completions.isEmpty)
  }

  @Test func `Only the object's notifications are delivered, if there is one`() {
    let (mine, other) = (NSObject(), NSObject())
    let recorder = Recorder<Notification, Never>()
    center.publisher(for: name, object: mine).subscribe(recorder)
    post(1, from: mine)
    post(2, from: other)
    post(3)
    #expect(numbers(recorder) == [1])
  }

  @Test func `It listens from the moment of attaching, and drops what was not asked for`() {
    let recorder = Recorder<Notification, Never>(demand: nil)
    center.publisher(for: name).subscribe(recorder)
    post(1)
    recorder.request(.max(1))
    post(2)
    post(3)
    recorder.request(.none)
    post(4)
    recorder.request(.max(2))
    post(5)
    #expect(numbers(recorder) == [2, 5])
  }

  @Test func `Posting during the introduction is delivered at once, to a subscriber with demand`() {
    let recorder = Recorder<Notification, Never>(demand: nil)
    var during: [Int] = []
    recorder.onSubscription = { subscription in
      post(1)
      subscription.request(.max(1))
      post(2)
      during = numbers(recorder)
    }
    center.publisher(for: name).subscribe(recorder)
    #expect(during == [2])
    recorder.onSubscription = nil
  }

  @Test func `What a delivery returns is added to the demand`() {
    let recorder = Recorder<Notification, Never>(demand: .max(1))
    recorder.onValue = { [recorder = Locked(recorder)] _ in recorder.value.values.count == 1 ? .max(2) : .none }
    center.publisher(for: name).subscribe(recorder)
    for number in 1...5 { post(number) }
    #expect(numbers(recorder) == [1, 2, 3])
    recorder.onValue = nil
  }

  @Test func `Posting during a delivery nests`() {
    let recorder = Recorder<Notification, Never>()
    recorder.onValue = { notification in
      if let number = notification.userInfo?["n"] as? Int, number < 3 { post(number + 1) }
      return .none
    }
    center.publisher(for: name).subscribe(recorder)
    post(1)
    #expect(numbers(recorder) == [1, 2, 3])
  }

  @Test func `Cancelling ends it, and may be repeated`() {
    let recorder = Recorder<Notification, Never>()
    center.publisher(for: name).subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    post(1)
    #expect(recorder.values.isEmpty)
  }

  @Test func `A cancel during a delivery, or during the introduction, is the end of the stream`() {
    let (first, second) = (Recorder<Notification, Never>(), Recorder<Notification, Never>())
    first.onValue = { [first = Locked(first)] _ in
      first.value.cancel()
      return .unlimited
    }
    second.onSubscription = { $0.cancel() }
    center.publisher(for: name).subscribe(first)
    center.publisher(for: name).subscribe(second)
    post(1)
    post(2)
    #expect(numbers(first) == [1])
    #expect(numbers(second) == [])
    first.onValue = nil
  }

  @Test func `A subscriber that releases its subscription receives no more`() {
    let recorder = Recorder<Notification, Never>()
    center.publisher(for: name).subscribe(recorder)
    recorder.releaseSubscriptions()
    post(1)
    #expect(recorder.values.isEmpty)
  }

  @Test func `Center, object and subscriber are free after a cancel`() {
    var graveyard = Graveyard()
    let recorder: Recorder<Notification, Never>
    do {
      let center = graveyard.watch(NotificationCenter(), "center")
      let object = graveyard.watch(NSObject(), "object")
      recorder = Recorder()
      center.publisher(for: name, object: object).subscribe(recorder)
      recorder.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
    do {
      let other = graveyard.watch(Recorder<Notification, Never>(), "subscriber")
      center.publisher(for: name).subscribe(other)
      other.dismiss()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Threads that post at once deliver one at a time`() {
    let inside = Locked(0)
    let (overlaps, received) = (Locked(0), Locked(0))
    let cancellable = center.publisher(for: name).sink { _ in
      if inside.change({
        $0 += 1; return $0
      }) != 1 {
        overlaps.change { $0 += 1 }
      }
      received.change { $0 += 1 }
      inside.change { $0 -= 1 }
    }
    onThreads(4) { _ in
      for number in 0..<250 { post(number) }
    }
    #expect(overlaps.value == 0)
    #expect(received.value == 1_000)
    cancellable.cancel()
  }

  @Test func `No lock is held while the subscriber receives`() {
    let recorder = Recorder<Notification, Never>()
    recorder.onValue = { [recorder = Locked(recorder)] _ in
      onThreads([
        { recorder.value.request(.max(1)) },
        { _ = Mirror(reflecting: recorder.value.subscriptions[0]) },
        { post(2) },
        { recorder.value.cancel() },
      ])
      return .none
    }
    center.publisher(for: name).subscribe(recorder)
    post(1)
    // The other threads' notifications were queued, and dropped by the cancel.
    #expect(numbers(recorder) == [1])
    recorder.onValue = nil
  }

  @Test func `Cancelling races with posting`() {
    for _ in 0..<50 {
      let cancelled = Locked(false)
      let cancellable = center.publisher(for: name).sink { _ in }
      onThreads([
        { for number in 0..<20 { post(number) } },
        {
          cancellable.cancel()
          cancelled.change { $0 = true }
        },
      ])
      #expect(cancelled.value)
    }
  }

  @Test func `Two publishers of the same notifications are equal`() {
    let (object, other) = (NSObject(), NSObject())
    let publisher = center.publisher(for: name, object: object)
    #expect(publisher == NotificationCenter.Publisher(center: center, name: name, object: object))
    #expect(publisher != center.publisher(for: name, object: other))
    #expect(publisher != center.publisher(for: name))
    #expect(publisher != center.publisher(for: Notification.Name("other"), object: object))
    #expect(publisher != NotificationCenter().publisher(for: name, object: object))
    #expect(publisher.center === center)
    #expect(publisher.name == name)
    #expect(publisher.object === object)
    #expect(center.publisher(for: name).object == nil)
  }

  @Test func `The subscription shows its parts`() {
    let recorder = Recorder<Notification, Never>(demand: .max(3))
    center.publisher(for: name).subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect(
      Shown(of: subscription)
        == Shown("NotificationCenter Observer", children: ["center", "name", "object", "demand"]))
    let children = Mirror(reflecting: subscription).children
    #expect(children.first { $0.label == "demand" }?.value as? Subscribers.Demand == .max(3))
    #expect(children.first { $0.label == "name" }?.value as? Notification.Name == name)
    recorder.cancel()
  }
}
