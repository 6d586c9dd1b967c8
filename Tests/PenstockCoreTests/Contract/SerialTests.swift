// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Checks that no two deliveries overlap, and keeps what was delivered.
///
/// What it keeps is not guarded on purpose: serial deliveries need no guard, and the thread sanitizer watches.
private final class SerialSubscriber<Failure: Error>: Subscriber, @unchecked Sendable {
  private let inside = Locked(0)
  private(set) var values: [Int] = []
  private(set) var completions = 0
  private(set) var overlaps = 0
  private(set) var subscription: (any Subscription)?
  var answer: Subscribers.Demand = .none
  let demand: Subscribers.Demand

  init(demand: Subscribers.Demand = .unlimited) { self.demand = demand }

  private func alone(_ body: () -> Void) {
    if inside.change({ inside in
      inside += 1; return inside
    }) != 1 {
      overlaps += 1
    }
    body()
    inside.change { $0 -= 1 }
  }

  func receive(subscription: any Subscription) {
    alone { self.subscription = subscription }
    subscription.request(demand)
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    alone { values.append(input) }
    return answer
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    alone { completions += 1 }
  }
}

@Suite struct SerialTests {
  @Test(arguments: SubjectKind.allCases)
  func `Two senders never overlap, lose nothing, and give every subscriber one order`(_ kind: SubjectKind) {
    for _ in 0..<20 {
      let subject = UncheckedBox(kind.make())
      let subscribers = (0..<3).map { _ in SerialSubscriber<TestError>() }
      for subscriber in subscribers { subject.value.subscribe(subscriber) }
      onThreads(2) { index in
        for value in 1...500 { subject.value.send(value + index * 1_000) }
      }
      subject.value.send(completion: .finished)
      for subscriber in subscribers {
        #expect(subscriber.overlaps == 0)
        #expect(subscriber.completions == 1)
        #expect(subscriber.values.filter { $0 > 0 }.count == 1_000)
        #expect(subscriber.values == subscribers[0].values)
        // Each sender's own values stay in order.
        #expect(subscriber.values.filter { 1...500 ~= $0 } == Array(1...500))
        #expect(subscriber.values.filter { $0 > 1_000 } == Array(1_001...1_500))
      }
    }
  }

  @Test func `A current value subject never ends on a stale value`() {
    for _ in 0..<50 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let subscribers = (0..<2).map { _ in SerialSubscriber<Never>() }
      // This one always asks too late, so it lives on what the subject repeats.
      let slow = SerialSubscriber<Never>(demand: .max(1))
      for subscriber in subscribers + [slow] { subject.subscribe(subscriber) }
      onThreads(3) { index in
        for value in 1...200 {
          if index == 2 { slow.subscription?.request(.max(1)) } else { subject.send(value + index * 1_000) }
        }
      }
      for subscriber in subscribers { #expect(subscriber.values.last == subject.value) }
      slow.subscription?.request(.max(10))
      #expect(slow.values.last == subject.value)
      #expect(slow.overlaps == 0)
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `Demand granted from one thread while another sends is never exceeded and never lost`(_ kind: SubjectKind) {
    for _ in 0..<20 {
      let subject = UncheckedBox(kind.make())
      let subscriber = SerialSubscriber<TestError>(demand: .max(1))
      subject.value.subscribe(subscriber)
      onThreads(2) { index in
        for value in 1...500 {
          if index == 0 { subject.value.send(value) } else { subscriber.subscription?.request(.max(1)) }
        }
      }
      #expect(subscriber.values.count <= 501)
      let before = subscriber.values.count
      subscriber.subscription?.request(.max(1_000))
      for value in 1...2_000 { subject.value.send(value) }
      // Everything that was ever granted has been used: 1 + 500 + 1,000.
      #expect(subscriber.values.count == 1_501, "\(before) before")
    }
  }

  @Test func `A sequence asked from two threads delivers everything once, in order`() {
    for _ in 0..<50 {
      let subscriber = SerialSubscriber<Never>(demand: .max(1))
      (1...1_000).publisher.subscribe(subscriber)
      onThreads(2) { _ in
        for _ in 0..<600 { subscriber.subscription?.request(.max(1)) }
      }
      #expect(subscriber.overlaps == 0)
      #expect(subscriber.values == Array(1...1_000))
      #expect(subscriber.completions == 1)
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `Of a finish and a failure from two threads one arrives, and nothing after it`(_ kind: SubjectKind) {
    for _ in 0..<100 {
      let subject = UncheckedBox(kind.make())
      let subscribers = (0..<2).map { _ in SerialSubscriber<TestError>() }
      for subscriber in subscribers { subject.value.subscribe(subscriber) }
      onThreads([
        { subject.value.send(completion: .finished) },
        { subject.value.send(completion: .failure(.oops)) },
        { for value in 1...20 { subject.value.send(value) } },
      ])
      let late = SerialSubscriber<TestError>()
      subject.value.subscribe(late)
      #expect(subscribers.map(\.completions) == [1, 1])
      #expect(late.completions == 1)
      #expect(subscribers.map(\.overlaps) == [0, 0])
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `Subscribers that come and go while two threads send see no gap and no overlap`(_ kind: SubjectKind) {
    let subject = UncheckedBox(kind.make())
    let all = Locked<[SerialSubscriber<TestError>]>([])
    let next = Locked(0)
    onThreads([
      { for _ in 0..<2_000 { next.change { $0 += 1 }; subject.value.send(1) } },
      { for _ in 0..<2_000 { subject.value.send(2) } },
      {
        for _ in 0..<300 {
          let subscriber = SerialSubscriber<TestError>()
          subject.value.subscribe(subscriber)
          all.change { $0.append(subscriber) }
          if Bool.random() { subscriber.subscription?.cancel() }
        }
      },
    ])
    for subscriber in all.value { #expect(subscriber.overlaps == 0) }
  }
}

/// Takes something across threads that the compiler cannot vouch for, because the test is about just that.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
