// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

@Suite struct AcknowledgedTests {
  private let time = VirtualTimeScheduler()
  private let queue: DeliveryQueue<Int>

  init() { queue = DeliveryQueue(capacity: 100, deadline: .seconds(10), clock: time.clock) }

  private func publish(_ numbers: ClosedRange<Int>) async throws {
    for number in numbers { try await queue.publish(number) }
  }

  @Test func `A result is published when its delivery has been acknowledged`() async throws {
    try await publish(1...5)
    queue.finish()
    let probe = Probe<String, Never>()
    queue.deliveries().acknowledged(clock: time.clock) { "\($0.payload)" }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == ["1", "2", "3", "4", "5"])
    #expect(queue.counts == .init(published: 5, acknowledged: 5))
  }

  @Test func `Work that throws gives its delivery back, and the stream goes on`() async throws {
    try await publish(1...4)
    queue.finish()
    let probe = Probe<[Int], Never>()
    queue.deliveries().acknowledged(
      clock: time.clock,
      onFailure: { error, delivery in
        #expect(error as? TestError == .oops)
        return delivery.payload == 2 ? .terminate : delivery.payload == 3 ? .ack : .nak()
      }
    ) { delivery in
      if delivery.payload < 4, delivery.attempt == 1 { throw TestError.oops }
      return [delivery.payload, delivery.attempt]
    }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [[4, 1], [1, 2]])
    #expect(queue.counts == .init(published: 4, acknowledged: 3, terminated: 1, redelivered: 1))
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 4, nil])
  func `An interval that no clock can count never passes`(_ interval: Duration?) async throws {
    let queue = DeliveryQueue<Int>(capacity: 10, deadline: .seconds(Int64.max))
    for number in 1...3 { try await queue.publish(number) }
    queue.finish()
    let probe = Probe<Int, Never>()
    queue.deliveries().acknowledged(extendingEvery: interval) { delivery in
      // Time for an extension of its deadline, which must not happen.
      await Task.yield()
      return delivery.payload
    }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [1, 2, 3])
    #expect(queue.counts == .init(published: 3, acknowledged: 3))
  }

  @Test func `Its deadline is extended while the work runs`() async throws {
    try await publish(1...1)
    let (work, probe) = (Work(), Probe<Int, Never>())
    queue.deliveries().acknowledged(clock: time.clock) { delivery in
      await work.run(1)
      return delivery.attempt
    }.subscribe(probe.recorder)
    #expect(await reached { work.started == [1] })
    for _ in 0..<8 {
      // The queue's alarm, and the next extension.
      try await time.clock.sleepers(2)
      await time.advance(by: 5)
    }
    #expect(queue.counts.expired == 0 && queue.counts.unsettled == 1)
    work.open(1)
    #expect(await probe.values(1) == [1])
    probe.recorder.cancel()
    #expect(queue.counts.acknowledged == 1)
  }

  @Test func `A cancel gives back what was worked on, and acknowledges what is done nevertheless`() async throws {
    try await publish(1...3)
    let (work, probe) = (Work(), Probe<Int, Never>())
    queue.deliveries().acknowledged(maxTasks: .max(2), clock: time.clock) { delivery in
      await work.run(delivery.payload)
      // The second one ignores the cancel.
      if delivery.payload == 1 { try Task.checkCancellation() }
      return delivery.payload
    }.subscribe(probe.recorder)
    #expect(await reached { work.started.count == 2 })
    #expect(queue.counts == .init(waiting: 1, unsettled: 2, published: 3))
    probe.recorder.cancel()
    #expect(await reached { queue.counts == .init(waiting: 2, published: 3, acknowledged: 1) })
    #expect(probe.count == 0)
  }

  @Test func `No more deliveries are unsettled than there are tasks, and results wait for demand`() async throws {
    try await publish(1...20)
    let probe = Probe<Int, Never>(demand: nil)
    queue.deliveries().acknowledged(maxTasks: .max(3), clock: time.clock) { $0.payload }.subscribe(probe.recorder)
    #expect(await reached { queue.counts.acknowledged == 3 })
    for (demand, count) in [(1, 1), (4, 5), (2, 7)] {
      probe.recorder.request(.max(demand))
      #expect(await reached { probe.count == count && queue.counts.acknowledged == count + 3 })
    }
    #expect(queue.counts.unsettled == 0 && probe.isLawful)
    probe.recorder.cancel()
  }

  @Test func `What is not accepted as acknowledged is not published`() async throws {
    try await publish(1...1)
    queue.finish()
    let probe = Probe<Int, Never>()
    queue.deliveries().acknowledged(clock: time.clock) { delivery in
      if delivery.attempt == 1 { try await delivery.nak(after: nil) }
      return delivery.attempt
    }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [2])
  }

  // MARK: Publishers as work

  @Test func `The values of a publisher come, and its end acknowledges`() async throws {
    try await publish(1...3)
    queue.finish()
    let probe = Probe<Int, Never>()
    queue.deliveries().acknowledged(maxPublishers: .max(1), clock: time.clock) { delivery in
      [delivery.payload, delivery.payload * 10].publisher
    }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [1, 10, 2, 20, 3, 30])
    #expect(queue.counts == .init(published: 3, acknowledged: 3))
  }

  @Test func `A publisher that fails gives its delivery back`() async throws {
    try await publish(1...2)
    queue.finish()
    let probe = Probe<Int, Never>()
    queue.deliveries().acknowledged(
      maxPublishers: .max(2), clock: time.clock,
      onFailure: { error, _ in
        #expect(error == .oops)
        return .nak()
      }
    ) { delivery in
      delivery.attempt == 1 && delivery.payload == 1
        ? Just(0).setFailureType(to: TestError.self).append(Fail(error: .oops)).eraseToAnyPublisher()
        : Just(delivery.payload).setFailureType(to: TestError.self).eraseToAnyPublisher()
    }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values.sorted() == [0, 1, 2])
    #expect(queue.counts == .init(published: 2, acknowledged: 2, redelivered: 1))
  }

  @Test func `A cancel gives back the deliveries whose publishers run, and ends their extensions`() async throws {
    try await publish(1...2)
    let subjects = Locked<[PassthroughSubject<Int, Never>]>([])
    let probe = Probe<Int, Never>()
    queue.deliveries().acknowledged(maxPublishers: .max(2), clock: time.clock) { _ in
      let subject = PassthroughSubject<Int, Never>()
      subjects.change { $0.append(subject) }
      return subject
    }.subscribe(probe.recorder)
    #expect(await reached { subjects.value.count == 2 })
    // The queue's alarm, and one for both extensions.
    try await time.clock.sleepers(2)
    await time.advance(by: 5)
    try await time.clock.sleepers(2)
    subjects.value[0].send(7)
    subjects.value[0].send(completion: .finished)
    #expect(await reached { queue.counts.acknowledged == 1 })
    probe.recorder.cancel()
    #expect(await reached { queue.counts == .init(waiting: 1, published: 2, acknowledged: 1) })
    #expect(probe.recorder.values == [7])
    // The queue's alarm stays until its date.
    #expect(await reached { time.pending.count == 1 })
  }

  @Test func `A cancel reaches the publisher before somebody else can have its delivery`() async throws {
    try await publish(1...1)
    let (queue, log) = (queue, Locked<[String]>([]))
    let probe = Probe<Int, Never>()
    let begun = Locked(false)
    queue.deliveries().acknowledged(maxPublishers: .max(2), clock: time.clock) { _ in
      PassthroughSubject<Int, Never>().handleEvents(
        receiveSubscription: { _ in begun.change { $0 = true } },
        receiveCancel: {
          // A delivery that had been given back would wait again soon.
          for _ in 0..<20_000 where queue.counts.waiting == 0 {}
          log.change { $0.append("cancelled, \(queue.counts.waiting) waiting") }
        })
    }.subscribe(probe.recorder)
    #expect(await reached { begun.value })
    probe.recorder.cancel()
    #expect(log.value == ["cancelled, 0 waiting"])
    #expect(await reached { queue.counts.waiting == 1 })
  }

  @Test func `A publisher that drops its subscriber gives its delivery back, and ends its extensions`() async throws {
    try await publish(1...1)
    let upstream = ManualPublisher<Int, Never>()
    do {
      let probe = Probe<Int, Never>()
      queue.deliveries().acknowledged(maxPublishers: .max(1), clock: time.clock) { _ in upstream }
        .subscribe(probe.recorder)
      #expect(await reached { upstream.subscribers.count == 1 })
      try await time.clock.sleepers(2)
      upstream.releaseSubscribers()
      #expect(await reached { queue.counts.waiting == 1 })
      probe.recorder.cancel()
    }
    #expect(await reached { time.pending.count == 1 })
  }

  // MARK: Batches

  @Test func `A batch is acknowledged together, or given back together`() async throws {
    try await publish(1...6)
    queue.finish()
    let probe = Probe<[Int], Never>()
    queue.deliveries().collect(2).acknowledged(clock: time.clock, onFailure: { _, _ in .nak() }) { batch in
      if batch.contains(where: { $0.payload == 3 && $0.attempt == 1 }) { throw TestError.oops }
      return batch.map(\.payload)
    }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [[1, 2], [5, 6], [3, 4]])
    #expect(queue.counts == .init(published: 6, acknowledged: 6, redelivered: 2))
  }

  @Test func `A checked pipeline settles deliveries as a plain one does`() async throws {
    try await publish(1...5)
    queue.finish()
    let aside = Locked<[Int]>([])
    let checked = queue.deliveries().sendable.deadLetter(after: 1) { delivery in
      aside.change { $0.append(delivery.payload) }
    }
    let single = checked.prefix(2).acknowledged(clock: time.clock, onFailure: { _, _ in .nak() }) { delivery -> [Int] in
      if delivery.payload == 2 { throw TestError.oops }
      return [delivery.payload]
    }
    let inner = checked.prefix(1).acknowledged(maxPublishers: .max(1), clock: time.clock) { delivery in
      Just([delivery.payload]).sendable
    }
    let batches = checked.collect(2).acknowledged(clock: time.clock) { $0.map(\.payload) }
    var seen: [[Int]] = []
    for publisher in [
      single.eraseToAnySendablePublisher(), inner.eraseToAnySendablePublisher(), batches.eraseToAnySendablePublisher(),
    ] {
      let probe = Probe<[Int], Never>()
      publisher.publisher.subscribe(probe.recorder)
      #expect(await probe.completion() == .finished)
      seen += probe.recorder.values
    }
    #expect(seen == [[1], [3], [4, 5]])
    #expect(aside.value == [2])
    #expect(queue.counts == .init(published: 5, acknowledged: 4, terminated: 1, redelivered: 1))
  }
}
