// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// Replay, then live values, without a gap or a duplicate, whichever thread does what.
@Suite struct ShareReplayThreadTests {
  /// A subscriber that writes down values from any thread, and whether two deliveries have overlapped.
  private final class Log: Subscriber, Sendable {
    typealias Input = Int
    typealias Failure = Never

    let values = Locked<[Int]>([])
    let completions = Locked(0)
    let overlaps = Locked(0)
    let subscription = Locked<(any Subscription)?>(nil)
    private let running = Locked(0)
    private let demand: Subscribers.Demand?

    init(demand: Subscribers.Demand? = .unlimited) { self.demand = demand }

    private func alone(_ work: () -> Void) {
      if running.change({ running in
        running += 1
        return running
      }) != 1 {
        overlaps.change { $0 += 1 }
      }
      work()
      running.change { $0 -= 1 }
    }

    func receive(subscription: any Subscription) {
      self.subscription.change { $0 = subscription }
      if let demand { subscription.request(demand) }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      alone { values.change { $0.append(input) } }
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
      alone { completions.change { $0 += 1 } }
    }

    /// Whether the values follow each other.
    var isGapless: Bool {
      let values = values.value
      return zip(values, values.dropFirst()).allSatisfy { $1 == $0 + 1 }
    }
  }

  // MARK: Forced interleavings

  @Test(arguments: [0, 1, 2])
  func `Who joins on another thread while a value is being delivered`(_ capacity: Int) {
    let source = PassthroughSubject<Int, Never>()
    let shared = Vouched(source.shareReplay(capacity: capacity))
    let (inside, joined) = (Gate(), Gate())
    let (first, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 2 {
        inside.open()
        joined.wait()
      }
      return .none
    }
    shared.value.subscribe(first)
    onThreads([
      { for value in 1...3 { source.send(value) } },
      {
        inside.wait()
        shared.value.subscribe(joining)
        // Left to the thread that delivers.
        joined.open()
      },
    ])
    #expect(first.values == [1, 2, 3])
    #expect(joining.values == [[3], [2, 3], [1, 2, 3]][capacity])
  }

  @Test func `Who joins while another thread's value waits`() {
    let source = ManualPublisher<Int, Never>()
    let shared = Vouched(source.shareReplay(capacity: 1))
    let (inside, done) = (Gate(), Gate())
    let (first, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 1 {
        inside.open()
        done.wait()
      }
      return .none
    }
    shared.value.subscribe(first)
    onThreads([
      { source.send(1) },
      {
        inside.wait()
        source.send(2)
        shared.value.subscribe(joining)
        source.send(3)
        #expect(joining.values.isEmpty)
        done.open()
      },
    ])
    #expect(first.values == [1, 2, 3])
    #expect(joining.values == [2, 3])
  }

  @Test func `A request on another thread while a value is being delivered`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = Vouched(source.shareReplay(capacity: 1))
    let (inside, asked) = (Gate(), Gate())
    let (slow, fast) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>())
    fast.onValue = { value in
      if value == 2 {
        inside.open()
        asked.wait()
      }
      return .none
    }
    shared.value.subscribe(slow)
    shared.value.subscribe(fast)
    onThreads([
      { for value in 1...3 { source.send(value) } },
      {
        inside.wait()
        slow.request(.max(2))
        #expect(slow.values.isEmpty)
        asked.open()
      },
    ])
    #expect(slow.values == [1, 2])
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 3])
  }

  @Test func `A cancel on another thread stops what waits`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = Vouched(source.shareReplay(capacity: 5))
    let (inside, cancelled) = (Gate(), Gate())
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 2 {
        inside.open()
        cancelled.wait()
      }
      return .none
    }
    shared.value.subscribe(Recorder())
    for value in 1...5 { source.send(value) }
    onThreads([
      { shared.value.subscribe(recorder) },
      {
        inside.wait()
        recorder.cancel()
        cancelled.open()
      },
    ])
    #expect(recorder.values == [1, 2])
  }

  @Test func `An upstream that moves to another thread keeps its order`() {
    let publisher = ManualPublisher<Int, Never>()
    let shared = publisher.shareReplay(capacity: 3)
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 1 {
        // Another thread's value waits; the next one, which is this thread's again, goes behind it.
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
  func `Who joins inside of the end, while another thread's joining waits, is introduced before it is told`(
    _ count: Int
  ) {
    let publisher = ManualPublisher<Int, Never>()
    let shared = Vouched(publisher.shareReplay(capacity: 1))
    let (first, second, third) = (Recorder<Int, Never>(), Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onCompletion = { _ in
      elsewhere { shared.value.subscribe(second) }
      shared.value.subscribe(third)
      #expect(second.events.isEmpty && third.events.isEmpty)
    }
    shared.value.subscribe(first)
    for value in 0..<count { publisher.send(value) }
    publisher.send(completion: .finished)
    for recorder in [second, third] {
      #expect(recorder.values == Array((0..<count).suffix(1)))
      #expect(recorder.events.first == .subscription("ShareReplay"))
      #expect(recorder.events.last == .completion(.finished))
    }
  }

  // MARK: Stress

  @Test func `Subscribers who join and leave while values come see no gap and no duplicate`() {
    for round in 0..<8 {
      let source = PassthroughSubject<Int, Never>()
      let shared = Vouched(source.shareReplay(capacity: [0, 1, 7, .max][round % 4]))
      let count = 1_000
      let staying = (0..<2).map { _ in Log() }
      for log in staying { shared.value.subscribe(log) }
      let logs = Locked<[Log]>([])
      onThreads(4) { index in
        if index == 0 {
          for value in 0..<count { source.send(value) }
          source.send(completion: .finished)
          return
        }
        for turn in 0..<60 {
          let log = Log(demand: index == 3 ? nil : .unlimited)
          logs.change { $0.append(log) }
          shared.value.subscribe(log)
          if index == 3 { for _ in 0..<3 { log.subscription.value?.request(.max(turn + 1)) } }
          if turn % 3 != 0 { log.subscription.value?.cancel() }
        }
      }
      for log in staying {
        #expect(log.values.value == Array(0..<count))
        #expect(log.completions.value == 1)
      }
      for log in logs.value {
        #expect(log.isGapless, "\(log.values.value)")
        #expect(log.overlaps.value == 0)
        log.subscription.value?.request(.unlimited)
        if log.completions.value == 1 { #expect(log.values.value.last ?? count - 1 == count - 1) }
        log.subscription.value?.cancel()
      }
    }
  }

  @Test func `A slow subscriber that asks on one thread while values come on another loses nothing`() {
    for _ in 0..<20 {
      let source = PassthroughSubject<Int, Never>()
      let shared = Vouched(source.shareReplay(capacity: 1))
      let slow = Log(demand: nil)
      shared.value.subscribe(slow)
      onThreads([
        {
          for value in 0..<2_000 { source.send(value) }
          source.send(completion: .finished)
        },
        { for _ in 0..<1_000 { slow.subscription.value?.request(.max(1)) } },
        { for _ in 0..<1_000 { slow.subscription.value?.request(.max(1)) } },
      ])
      #expect(slow.values.value == Array(0..<2_000))
      #expect(slow.completions.value == 1)
      #expect(slow.overlaps.value == 0)
    }
  }

  @Test func `However many threads come at once, upstream is subscribed to once`() {
    for _ in 0..<100 {
      let source = CountedSource<Int, Never>()
      let shared = Vouched(source.shareReplay(capacity: 1))
      let recorders = Vouched((0..<4).map { _ in Recorder<Int, Never>() })
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
      let source = CountedSource<Int, Never>()
      let shared = Vouched(source.share(replay: 1))
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
