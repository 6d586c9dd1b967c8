// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import TestSupport
import Testing

@Suite struct PushSourceTests {
  /// What brings the values, and the place where they are delivered: the test runs it.
  private final class Feed: PushFeed {
    let ends = Locked(0)
    let drops = Locked(0)
    private let due = Locked<[@Sendable () -> Void]>([])

    func streamEnded() { ends.change { $0 += 1 } }

    func source(
      _ overflow: PushSource<Int, TestError>.Overflow, maxWeight: Int = .max
    ) -> PushSource<Int, TestError> {
      PushSource(
        from: self, overflow, maxWeight: maxWeight, weigh: { $0 }, onDrop: { self.drops.change { $0 += 1 } },
        schedule: { body in self.due.change { $0.append(body) } })
    }

    /// Delivers what can be delivered now.
    func deliver() {
      while let body = due.change({ $0.isEmpty ? nil : $0.removeFirst() }) { body() }
    }
  }

  private typealias Probe = Recorder<Int, TestError>

  private func begin(
    _ overflow: PushSource<Int, TestError>.Overflow, maxWeight: Int = .max, demand: Subscribers.Demand? = nil
  ) -> (Feed, PushSource<Int, TestError>, Probe) {
    let (feed, probe) = (Feed(), Probe(demand: demand))
    let source = feed.source(overflow, maxWeight: maxWeight)
    source.introduce(AnySubscriber(probe).erased(), name: "Test")
    return (feed, source, probe)
  }

  @Test func `No value comes unasked, and each request gets as many as it is for`() {
    let (feed, source, probe) = begin(.fail(10, .oops))
    for number in 1...5 { source.receive(number) }
    feed.deliver()
    #expect(probe.values.isEmpty)
    for (count, expected) in [(1, [1]), (2, [1, 2, 3]), (9, [1, 2, 3, 4, 5])] {
      probe.request(.max(count))
      #expect(probe.values.count < expected.count, "values come elsewhere")
      feed.deliver()
      #expect(probe.values == expected)
    }
    source.receive(6)
    source.finish(.finished)
    source.receive(7)
    feed.deliver()
    #expect(probe.values == [1, 2, 3, 4, 5, 6] && probe.isFinished && feed.ends.value == 1)
    #expect(probe.complaints.isEmpty)
  }

  @Test func `A subscriber asks for more by what it returns`() {
    let feed = Feed()
    let probe = Probe(demand: .max(1), answering: .max(1))
    let source = feed.source(.fail(10, .oops))
    source.introduce(AnySubscriber(probe).erased(), name: "Test")
    for number in 1...5 { source.receive(number) }
    feed.deliver()
    #expect(probe.values == [1, 2, 3, 4, 5])
  }

  @Test(arguments: [true, false]) func `The limit decides which values are dropped`(dropsOldest: Bool) {
    let (feed, source, probe) = begin(dropsOldest ? .dropOldest(2) : .dropNewest(2))
    for number in 1...5 { source.receive(number) }
    #expect(feed.drops.value == 3)
    probe.request(.unlimited)
    feed.deliver()
    #expect(probe.values == (dropsOldest ? [4, 5] : [1, 2]))
  }

  @Test func `A failure comes after what waits, and nothing is taken after it`() {
    let (feed, source, probe) = begin(.fail(2, .oops))
    for number in 1...5 { source.receive(number) }
    source.finish(.finished)
    #expect(feed.drops.value == 1)
    feed.deliver()
    #expect(probe.completions.isEmpty && feed.ends.value == 0)
    probe.request(.max(2))
    feed.deliver()
    #expect(probe.values == [1, 2] && probe.completions == [.failure(.oops)] && feed.ends.value == 1)
  }

  @Test func `Weights are a limit too, and one value always fits`() {
    let (feed, source, probe) = begin(.dropOldest(10), maxWeight: 10)
    for weight in [30, 4, 5, 6] { source.receive(weight) }
    #expect(feed.drops.value == 3)
    probe.request(.unlimited)
    feed.deliver()
    #expect(probe.values == [6])
  }

  @Test func `The latest value of a key takes the place of the one that waits`() {
    let (feed, source, probe) = begin(.latest(key: { "\($0 % 10)" }, merge: { $1 += $0 / 10 * 100 }))
    for number in [11, 12, 21, 13] { source.receive(number) }
    probe.request(.max(1))
    feed.deliver()
    source.receive(31)
    probe.request(.unlimited)
    feed.deliver()
    #expect(probe.values == [121, 12, 13, 31])
  }

  @Test func `After a cancel nothing comes, and everything is released`() {
    weak var released: Feed?
    weak var subscriber: Probe?
    do {
      let (feed, source, probe) = begin(.fail(10, .oops), demand: .max(1))
      (released, subscriber) = (feed, probe)
      for number in 1...3 { source.receive(number) }
      feed.deliver()
      probe.cancel()
      source.receive(4)
      source.finish(.finished)
      feed.deliver()
      #expect(probe.values == [1] && probe.completions.isEmpty && feed.ends.value == 1)
      probe.cancel()
      #expect(feed.ends.value == 1)
      probe.releaseSubscriptions()
    }
    #expect(released == nil && subscriber == nil)
  }

  @Test func `A queue keeps the places of what waits`() {
    var queue = PlacedQueue<Int>()
    var places: [Int: Int] = [:]
    var (next, first) = (0, 0)
    for step in 0..<2_000 {
      if step % 3 != 2 || queue.isEmpty {
        places[next] = queue.append(next)
        next += 1
      } else {
        #expect(queue.removeFirst() == first)
        first += 1
      }
      if let place = places[(first + next) / 2], first < next { queue.replace(at: place, with: (first + next) / 2) }
      #expect(queue.count == next - first)
    }
    while !queue.isEmpty {
      #expect(queue.removeFirst() == first)
      first += 1
    }
    #expect(first == next)
  }
}
