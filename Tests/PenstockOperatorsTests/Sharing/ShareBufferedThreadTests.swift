// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// `share(buffering:)` on several threads.
@Suite struct ShareBufferedThreadTests {
  // MARK: Forced interleavings

  @Test(arguments: ShareBufferedTests.policies)
  func `Who joins on another thread while a value is being delivered gets the next one`(_ policy: ShareBufferingPolicy)
  {
    let source = PassthroughSubject<Int, Never>()
    let shared = UncheckedBox(source.share(buffering: policy))
    let (first, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 2 { elsewhere { shared.value.subscribe(joining) } }
      return .none
    }
    shared.value.subscribe(first)
    for value in 1...3 { source.send(value) }
    #expect(first.values == [1, 2, 3] && joining.values == [3])
  }

  @Test(arguments: ShareBufferedTests.policies)
  func `Who joins behind the end that another thread is delivering gets it before subscribing returns`(
    _ policy: ShareBufferingPolicy
  ) {
    let source = ManualPublisher<Int, Never>()
    let shared = UncheckedBox(source.share(buffering: policy))
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onCompletion = { _ in
      elsewhere { shared.value.subscribe(second) }
      #expect(second.isFinished)
    }
    shared.value.subscribe(first)
    source.send(completion: .finished)
    #expect(first.isFinished && second.isFinished)
  }

  @Test func `A request on another thread while a value is being delivered is served afterwards`() {
    let source = ManualPublisher<Int, Never>()
    let shared = UncheckedBox(source.share(buffering: .bounded(4)))
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

  @Test func `A slow subscriber that cancels on another thread within a delivery holds nobody up`() {
    let shared = (1...3).publisher.share(buffering: .bounded(1))
    let (slow, fast) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>(demand: nil))
    fast.onValue = { value in
      if value == 1 { elsewhere { slow.cancel() } }
      return .none
    }
    shared.subscribe(slow)
    shared.subscribe(fast)
    fast.request(.unlimited)
    #expect(fast.values == [1, 2, 3] && fast.isFinished)
  }

  /// A lock that is taken on one thread and released on another has crashed a peer: here upstream answers a request on
  /// another thread, within the request.
  @Test(arguments: [1, 3])
  func `An upstream that answers each request on another thread, within it`(_ bound: Int) {
    let source = ManualPublisher<Int, Never>()
    let next = Locked(0)
    source.subscription?.onRequest = { demand in
      elsewhere {
        for _ in 0..<(demand.max ?? 0) {
          let value = next.change {
            $0 += 1; return $0
          }
          if value <= 100 { source.send(value) }
        }
      }
    }
    let shared = source.share(buffering: .bounded(bound))
    let (first, second) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>())
    shared.subscribe(first)
    shared.subscribe(second)
    for _ in 0..<100 { first.request(.max(1)) }
    #expect(first.values == Array(1...100) && second.values == Array(1...100))
  }

  @Test func `A cancel on another thread within a delivery stops what waits`() {
    let shared = UncheckedBox((1...5).publisher.share(buffering: .bounded(5)))
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { [unowned recorder] value in
      if value == 2 { elsewhere { recorder.cancel() } }
      return .none
    }
    shared.value.subscribe(recorder)
    #expect(recorder.values == [1, 2])
  }

  // MARK: Stress

  @Test func `Subscribers who join and leave while values come see no gap and no duplicate, whatever the bound`() {
    for bound in [1, 2, 7, 64] {
      let count = 1_000
      let shared = UncheckedBox((0..<count).publisher.map { $0 }.share(buffering: .bounded(bound)))
      let slow = Recorder<Int, Never>(demand: nil)
      let fast = Recorder<Int, Never>()
      shared.value.subscribe(slow)
      shared.value.subscribe(fast)
      let logs = Locked<[Recorder<Int, Never>]>([])
      onThreads(4) { index in
        if index == 0 {
          for _ in 0..<count { slow.request(.max(1)) }
          return
        }
        for turn in 0..<60 {
          let log = Recorder<Int, Never>(demand: index == 3 ? nil : .unlimited)
          logs.change { $0.append(log) }
          shared.value.subscribe(log)
          if index == 3 { for _ in 0..<3 { log.request(.max(turn + 1)) } }
          log.cancel()
        }
      }
      #expect(slow.values == Array(0..<count) && fast.values == Array(0..<count))
      #expect(slow.isFinished && fast.isFinished)
      for log in logs.value {
        #expect(zip(log.values, log.values.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(log.values)")
        #expect(!log.hasOverlapped)
      }
    }
  }

  @Test func `Two slow subscribers that ask on threads of their own lose nothing`() {
    for bound in [1, 3, 16] {
      for _ in 0..<10 {
        let shared = UncheckedBox((0..<500).publisher.share(buffering: .bounded(bound)))
        let slow = UncheckedBox((0..<2).map { _ in Recorder<Int, Never>(demand: nil) })
        for recorder in slow.value { shared.value.subscribe(recorder) }
        onThreads(2) { index in for _ in 0..<500 { slow.value[index].request(.max(1)) } }
        for recorder in slow.value {
          #expect(recorder.values == Array(0..<500))
          #expect(recorder.completions.count == 1)
          #expect(!recorder.hasOverlapped)
        }
      }
    }
  }

  @Test(arguments: ShareBufferedTests.policies)
  func `It connects and disconnects in turn, whatever the threads do`(_ policy: ShareBufferingPolicy) {
    for _ in 0..<10 {
      let source = CountedPublisher<Int, Never>()
      let shared = UncheckedBox(source.share(buffering: policy))
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

  @Test func `However many threads come at once, upstream is subscribed to once`() {
    for _ in 0..<100 {
      let source = CountedPublisher<Int, Never>()
      let shared = UncheckedBox(source.share(buffering: .bounded(2)))
      let recorders = UncheckedBox((0..<4).map { _ in Recorder<Int, Never>() })
      onThreads(4) { index in shared.value.subscribe(recorders.value[index]) }
      #expect(source.subscribed.value == 1)
      source.subject.send(1)
      for recorder in recorders.value { #expect(recorder.values == [1]) }
      onThreads(4) { index in recorders.value[index].cancel() }
      #expect(source.cancelled.value == 1)
    }
  }
}
