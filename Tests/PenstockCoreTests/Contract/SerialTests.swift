// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct SerialTests {
  @Test(arguments: SubjectKind.allCases)
  func `Two senders never overlap, lose nothing, and give every subscriber one order`(_ kind: SubjectKind) {
    for _ in 0..<20 {
      let subject = UncheckedBox(kind.make())
      let subscribers = (0..<3).map { _ in Recorder<Int, TestError>(demand: .unlimited) }
      for subscriber in subscribers { subject.value.subscribe(subscriber) }
      onThreads(2) { index in
        for value in 1...500 { subject.value.send(value + index * 1_000) }
      }
      subject.value.send(completion: .finished)
      for subscriber in subscribers {
        #expect(subscriber.isSerial)
        #expect(subscriber.completions.count == 1)
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
      let subscribers = (0..<2).map { _ in Recorder<Int, Never>(demand: .unlimited) }
      // This subscriber always requests too late, so it gets only the values that the subject repeats.
      let slow = Recorder<Int, Never>(demand: .max(1))
      for subscriber in subscribers + [slow] { subject.subscribe(subscriber) }
      onThreads(3) { index in
        for value in 1...200 {
          if index == 2 { slow.request(.max(1)) } else { subject.send(value + index * 1_000) }
        }
      }
      for subscriber in subscribers { #expect(subscriber.values.last == subject.value) }
      slow.request(.max(10))
      #expect(slow.values.last == subject.value)
      #expect(slow.isSerial)
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `Demand granted from one thread while another sends is never exceeded and never lost`(_ kind: SubjectKind) {
    for _ in 0..<20 {
      let subject = UncheckedBox(kind.make())
      let subscriber = Recorder<Int, TestError>(demand: .max(1))
      subject.value.subscribe(subscriber)
      onThreads(2) { index in
        for value in 1...500 {
          if index == 0 { subject.value.send(value) } else { subscriber.request(.max(1)) }
        }
      }
      #expect(subscriber.values.count <= 501)
      let before = subscriber.values.count
      subscriber.request(.max(1_000))
      for value in 1...2_000 { subject.value.send(value) }
      // All demand has been used: 1 + 500 + 1,000.
      #expect(subscriber.values.count == 1_501, "\(before) before")
    }
  }

  @Test func `A sequence asked from two threads delivers everything once, in order`() {
    for _ in 0..<50 {
      let subscriber = Recorder<Int, Never>(demand: .max(1))
      (1...1_000).publisher.subscribe(subscriber)
      onThreads(2) { _ in
        for _ in 0..<600 { subscriber.request(.max(1)) }
      }
      #expect(subscriber.isSerial)
      #expect(subscriber.values == Array(1...1_000))
      #expect(subscriber.completions.count == 1)
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `Of a finish and a failure from two threads one arrives, and nothing after it`(_ kind: SubjectKind) {
    for _ in 0..<100 {
      let subject = UncheckedBox(kind.make())
      let subscribers = (0..<2).map { _ in Recorder<Int, TestError>(demand: .unlimited) }
      for subscriber in subscribers { subject.value.subscribe(subscriber) }
      onThreads([
        { subject.value.send(completion: .finished) },
        { subject.value.send(completion: .failure(.oops)) },
        { for value in 1...20 { subject.value.send(value) } },
      ])
      let late = Recorder<Int, TestError>(demand: .unlimited)
      subject.value.subscribe(late)
      #expect(subscribers.map(\.completions.count) == [1, 1])
      #expect(late.completions.count == 1)
      #expect(subscribers.map(\.isSerial) == [true, true])
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `Subscribers that come and go while two threads send see no gap and no overlap`(_ kind: SubjectKind) {
    let subject = UncheckedBox(kind.make())
    let all = Locked<[Recorder<Int, TestError>]>([])
    let next = Locked(0)
    onThreads([
      { for _ in 0..<2_000 { next.change { $0 += 1 }; subject.value.send(1) } },
      { for _ in 0..<2_000 { subject.value.send(2) } },
      {
        for _ in 0..<300 {
          let subscriber = Recorder<Int, TestError>(demand: .unlimited)
          subject.value.subscribe(subscriber)
          all.change { $0.append(subscriber) }
          if Bool.random() { subscriber.cancel() }
        }
      },
    ])
    for subscriber in all.value { #expect(subscriber.isSerial) }
  }
}
