// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// The replay and then live values, without a gap or a duplicate, whichever threads send and subscribe.
@Suite struct ShareReplayThreadTests {
  // MARK: Forced interleavings

  @Test(arguments: [0, 1, 2])
  func `Who joins on another thread while a value is being delivered`(_ capacity: Int) {
    let source = PassthroughSubject<Int, Never>()
    let shared = UncheckedBox(source.shareReplay(capacity: capacity))
    let (first, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 2 { elsewhere { shared.value.subscribe(joining) } }
      return .none
    }
    shared.value.subscribe(first)
    for value in 1...3 { source.send(value) }
    #expect(first.values == [1, 2, 3])
    #expect(joining.values == [[3], [2, 3], [1, 2, 3]][capacity])
  }

  @Test func `Who joins while another thread's value waits`() {
    let source = ManualPublisher<Int, Never>()
    let shared = UncheckedBox(source.shareReplay(capacity: 1))
    let (first, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      guard value == 1 else { return .none }
      elsewhere {
        source.send(2)
        shared.value.subscribe(joining)
        #expect(joining.values == [2])
        source.send(3)
      }
      return .none
    }
    shared.value.subscribe(first)
    source.send(1)
    #expect(first.values == [1, 2, 3])
    #expect(joining.values == [2, 3])
  }

  @Test func `A request on another thread while a value is being delivered`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = UncheckedBox(source.shareReplay(capacity: 1))
    let (slow, fast) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>())
    fast.onValue = { value in
      guard value == 2 else { return .none }
      elsewhere {
        slow.request(.max(2))
        #expect(slow.values.isEmpty)
      }
      return .none
    }
    shared.value.subscribe(slow)
    shared.value.subscribe(fast)
    for value in 1...3 { source.send(value) }
    #expect(slow.values == [1, 2])
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 3])
  }

  @Test func `A cancel on another thread stops what waits`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = UncheckedBox(source.shareReplay(capacity: 5))
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { [unowned recorder] value in
      if value == 2 { elsewhere { recorder.cancel() } }
      return .none
    }
    shared.value.subscribe(Recorder())
    for value in 1...5 { source.send(value) }
    shared.value.subscribe(recorder)
    #expect(recorder.values == [1, 2])
  }

  @Test func `An upstream that moves to another thread keeps its order`() {
    let publisher = ManualPublisher<Int, Never>()
    let shared = publisher.shareReplay(capacity: 3)
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 1 {
        // Another thread's value is queued; the next one, sent on this thread again, is queued after it.
        elsewhere { publisher.send(2) }
        publisher.send(3)
      }
      return .none
    }
    shared.subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.isFinished)
  }

  @Test(arguments: [0, 2])
  func `A subscriber that joins during the end, on any thread, is introduced and completed before subscribing returns`(
    _ count: Int
  ) {
    let publisher = ManualPublisher<Int, Never>()
    let shared = UncheckedBox(publisher.shareReplay(capacity: 1))
    let (first, second, third) = (Recorder<Int, Never>(), Recorder<Int, Never>(), Recorder<Int, Never>())
    let expected: [Event<Int, Never>] =
      [.subscription("ShareReplay")] + (0..<count).suffix(1).map { .value($0) } + [.completion(.finished)]
    first.onCompletion = { _ in
      elsewhere { shared.value.subscribe(second) }
      #expect(second.events == expected)
      shared.value.subscribe(third)
      #expect(third.events == expected)
    }
    shared.value.subscribe(first)
    for value in 0..<count { publisher.send(value) }
    publisher.send(completion: .finished)
    #expect(first.isFinished && second.events == expected && third.events == expected)
  }

  // MARK: Stress

  @Test func `Subscribers who join and leave while values come see no gap and no duplicate`() {
    for round in 0..<8 {
      let source = PassthroughSubject<Int, Never>()
      let shared = UncheckedBox(source.shareReplay(capacity: [0, 1, 7, .max][round % 4]))
      let count = 1_000
      let staying = (0..<2).map { _ in Recorder<Int, Never>(demand: .unlimited) }
      for log in staying { shared.value.subscribe(log) }
      let logs = Locked<[Recorder<Int, Never>]>([])
      onThreads(4) { index in
        if index == 0 {
          for value in 0..<count { source.send(value) }
          source.send(completion: .finished)
          return
        }
        for turn in 0..<60 {
          let log = Recorder<Int, Never>(demand: index == 3 ? nil : .unlimited)
          logs.change { $0.append(log) }
          shared.value.subscribe(log)
          if index == 3 { for _ in 0..<3 { log.request(.max(turn + 1)) } }
          if turn % 3 != 0 { log.cancel() }
        }
      }
      for log in staying {
        #expect(log.values == Array(0..<count))
        #expect(log.completions.count == 1)
      }
      for log in logs.value {
        #expect(zip(log.values, log.values.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(log.values)")
        #expect(log.isSerial)
        log.request(.unlimited)
        if log.completions.count == 1 { #expect(log.values.last ?? count - 1 == count - 1) }
        log.cancel()
      }
    }
  }

  @Test func `A slow subscriber that asks on one thread while values come on another loses nothing`() {
    for _ in 0..<20 {
      let source = PassthroughSubject<Int, Never>()
      let shared = UncheckedBox(source.shareReplay(capacity: 1))
      let slow = Recorder<Int, Never>(demand: nil)
      shared.value.subscribe(slow)
      onThreads([
        {
          for value in 0..<2_000 { source.send(value) }
          source.send(completion: .finished)
        },
        { for _ in 0..<1_000 { slow.request(.max(1)) } },
        { for _ in 0..<1_000 { slow.request(.max(1)) } },
      ])
      #expect(slow.values == Array(0..<2_000))
      #expect(slow.completions.count == 1)
      #expect(slow.isSerial)
    }
  }

  @Test func `However many threads come at once, upstream is subscribed to once`() {
    for _ in 0..<100 {
      let source = CountedPublisher<Int, Never>()
      let shared = UncheckedBox(source.shareReplay(capacity: 1))
      let recorders = UncheckedBox((0..<4).map { _ in Recorder<Int, Never>() })
      onThreads(4) { index in shared.value.subscribe(recorders.value[index]) }
      #expect(source.subscribed.value == 1)
      source.subject.send(1)
      for recorder in recorders.value { #expect(recorder.values == [1]) }
      onThreads(4) { index in recorders.value[index].cancel() }
      #expect(source.cancelled.value == 0)
    }
  }

  @Test func `The counted form connects and disconnects in turn, whatever the threads do`() {
    for _ in 0..<20 {
      let source = CountedPublisher<Int, Never>()
      let shared = UncheckedBox(source.share(replay: 1))
      onThreads(4) { index in
        for value in 0..<50 {
          if index == 0 { source.subject.send(value) } else { shared.value.sink { _ in }.cancel() }
        }
      }
      #expect(source.subscribed.value == source.cancelled.value)
      let recorder = Recorder<Int, Never>()
      shared.value.subscribe(recorder)
      source.subject.send(100)
      #expect(recorder.values == [100])
    }
  }
}
