// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// Deliveries that a test takes by hand, in virtual time.
final class Desk: Sendable {
  let time = VirtualTimeScheduler()
  let queue: DeliveryQueue<Int>
  let probe: Probe<QueuedDelivery<Int>, Never>

  init(capacity: Int = 100, demand: Subscribers.Demand? = .unlimited) {
    queue = DeliveryQueue(capacity: capacity, deadline: .seconds(10), clock: time.clock)
    probe = Probe(demand: demand)
    queue.deliveries(batch: 1...4).subscribe(probe.recorder)
  }

  func publish(_ numbers: ClosedRange<Int>) async throws { for number in numbers { try await queue.publish(number) } }

  /// Waits for a number of deliveries, and returns the last.
  func last(of count: Int) async throws -> QueuedDelivery<Int> {
    #expect(await reached { self.probe.count >= count })
    return try #require(probe.recorder.values.last)
  }

  /// Waits until the alarm of the queue is set, and lets time pass.
  func pass(_ seconds: Int) async throws {
    try await time.clock.sleepers(1)
    await time.advance(by: .seconds(seconds))
  }
}

@Suite struct DeliveryQueueTests {
  @Test func `What is acknowledged does not come again, and the stream ends when all is settled`() async throws {
    let desk = Desk()
    for number in 1...10 { try await desk.queue.publish(number, subject: "n.\(number)", headers: ["of": "10"]) }
    let deliveries = try #require(await desk.probe.values(10))
    #expect(deliveries.map(\.payload) == Array(1...10))
    #expect(deliveries.map(\.attempt) == Array(repeating: 1, count: 10))
    #expect(deliveries[2].subject == "n.3" && deliveries[2].headers == ["of": "10"])
    desk.queue.finish()
    for delivery in deliveries.dropLast() { try await delivery.ack() }
    #expect(!desk.probe.isOver)
    try await deliveries[9].terminate()
    #expect(await desk.probe.completion() == .finished)
    #expect(desk.queue.counts == .init(published: 10, acknowledged: 9, terminated: 1))
  }

  @Test func `What is given back comes again, at once or later`() async throws {
    let desk = Desk()
    try await desk.publish(1...2)
    _ = try await desk.last(of: 2)
    let (first, second) = (desk.probe.recorder.values[0], desk.probe.recorder.values[1])
    try await first.nak(after: nil)
    let again = try await desk.last(of: 3)
    #expect((again.payload, again.attempt) == (1, 2))
    try await second.nak(after: .seconds(3))
    #expect(desk.queue.counts.waiting == 1 && desk.probe.count == 3)
    try await desk.pass(2)
    #expect(desk.queue.counts.waiting == 1)
    try await desk.pass(1)
    let later = try await desk.last(of: 4)
    #expect((later.payload, later.attempt, later.age) == (2, 2, .seconds(3)))
    #expect(desk.queue.counts.redelivered == 2 && desk.queue.counts.expired == 0)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 4, .nanoseconds(Int64.max)])
  func `A deadline that no clock can count never passes`(_ deadline: Duration) async throws {
    let queue = DeliveryQueue<Int>(capacity: 4, deadline: deadline)
    try await queue.publish(1)
    let probe = Probe<QueuedDelivery<Int>, Never>(demand: .unlimited)
    queue.deliveries().subscribe(probe.recorder)
    let delivery = try #require(await probe.values(1)?.first)
    try await delivery.extend()
    try await delivery.nak(after: deadline)
    #expect(queue.counts.waiting == 1)
    probe.recorder.cancel()
  }

  @Test func `What is not settled before its deadline comes again, unless it is extended`() async throws {
    let desk = Desk()
    try await desk.publish(1...2)
    _ = try await desk.last(of: 2)
    let (slow, lost) = (desk.probe.recorder.values[0], desk.probe.recorder.values[1])
    #expect(slow.deadline == .seconds(10))
    try await desk.pass(9)
    try await slow.extend()
    try await desk.pass(1)
    let again = try await desk.last(of: 3)
    #expect((again.payload, again.attempt, again.age) == (2, 2, .seconds(10)))
    #expect(desk.queue.counts.expired == 1)
    // The first attempt can't settle it any more.
    await #expect(throws: DeliveryError.self) { try await lost.ack() }
    do { try await lost.ack() } catch { #expect(error.reason == .expired && error.description.contains("extend()")) }
    try await slow.ack()
    try await again.ack()
    #expect(desk.queue.counts.acknowledged == 2)
  }

  @Test func `It can be settled once`() async throws {
    let desk = Desk()
    try await desk.publish(1...1)
    let delivery = try await desk.last(of: 1)
    try await delivery.ack()
    for settle in [delivery.ack, { try await delivery.nak(after: nil) }, delivery.terminate, delivery.extend] {
      do {
        try await settle()
        Issue.record("it has been settled twice")
      } catch {
        #expect((error as? DeliveryError)?.reason == .settled)
      }
    }
    #expect(desk.queue.counts == .init(published: 1, acknowledged: 1))
  }

  @Test func `A value goes to who waits for it, also if nothing else happens`() async throws {
    let desk = Desk()
    for number in 1...20 {
      try await desk.queue.publish(number)
      #expect(try await desk.last(of: number).payload == number)
    }
  }

  @Test func `No more is taken than is requested`() async throws {
    let desk = Desk(demand: nil)
    try await desk.publish(1...9)
    #expect(desk.queue.counts.unsettled == 0)
    for (demand, count) in [(1, 1), (2, 3), (5, 8)] {
      desk.probe.recorder.request(.max(demand))
      #expect(await reached { desk.probe.count == count })
      #expect(desk.queue.counts.unsettled == count)
    }
    desk.probe.recorder.cancel()
  }

  @Test func `What has been taken and not delivered is given back by a cancel`() async throws {
    let queue = DeliveryQueue<Int>(capacity: 10, clock: VirtualTimeScheduler().clock)
    for number in 1...6 { try await queue.publish(number) }
    let probe = Probe<QueuedDelivery<Int>, Never>(demand: .max(1))
    queue.deliveries(batch: 1...4, refillAt: 0).subscribe(probe.recorder)
    #expect(await probe.values(1)?.map(\.payload) == [1])
    #expect(await reached { queue.counts.unsettled == 4 })
    probe.recorder.cancel()
    #expect(await reached { queue.counts.unsettled == 1 })
    let other = Probe<QueuedDelivery<Int>, Never>()
    queue.deliveries().subscribe(other.recorder)
    #expect(await other.values(5)?.map(\.payload).sorted() == [2, 3, 4, 5, 6])
    other.recorder.cancel()
  }

  @Test func `Who publishes into a full queue waits, in order, and a cancel takes it back`() async throws {
    let desk = Desk(capacity: 2, demand: nil)
    try await desk.publish(1...2)
    let published = Locked<[Int]>([])
    let third = Task {
      try await desk.queue.publish(3)
      published.change { $0.append(3) }
    }
    desk.probe.recorder.request(.max(1))
    let first = try await desk.last(of: 1)
    #expect(published.value.isEmpty && desk.queue.counts.published == 2)
    third.cancel()
    await #expect(throws: DeliveryError.self) { try await third.value }
    async let fourth: Void = desk.queue.publish(4)
    try await first.ack()
    try await fourth
    #expect(desk.queue.counts == .init(waiting: 2, published: 3, acknowledged: 1))
    let fifth = Task { try await desk.queue.publish(5) }
    #expect(await reached { desk.probe.count == 1 })
    desk.queue.finish()
    do { try await fifth.value } catch { #expect((error as? DeliveryError)?.reason == .closed) }
    desk.probe.recorder.request(.unlimited)
    for delivery in try #require(await desk.probe.values(3)).dropFirst() { try await delivery.ack() }
    #expect(await desk.probe.completion() == .finished)
    #expect(desk.probe.recorder.values.map(\.payload) == [1, 2, 4])
  }

  @Test func `A task that is cancelled already publishes nothing`() async throws {
    let queue = DeliveryQueue<Int>(capacity: 1, clock: VirtualTimeScheduler().clock)
    try await queue.publish(1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await queue.publish(2)
    }
    await #expect(throws: DeliveryError.self) { try await task.value }
    #expect(queue.counts == .init(waiting: 1, published: 1))
  }

  @Test func `Several subscribers share the work, and nothing is lost or doubled`() async throws {
    let queue = DeliveryQueue<Int>(capacity: 50, clock: VirtualTimeScheduler().clock)
    let seen = Locked<[Int]>([])
    let workers = (0..<4).map { _ in
      queue.deliveries(batch: 1...7, refillAt: 2).acknowledged(maxTasks: .max(3)) { delivery in
        await Task.yield()
        seen.change { $0.append(delivery.payload) }
      }
    }
    let probes = workers.map { worker in
      let probe = Probe<Void, Never>()
      worker.subscribe(probe.recorder)
      return probe
    }
    for number in 0..<2_000 { try await queue.publish(number) }
    queue.finish()
    for probe in probes { #expect(await probe.completion() == .finished) }
    #expect(seen.value.sorted() == Array(0..<2_000))
    #expect(queue.counts == .init(published: 2_000, acknowledged: 2_000))
  }

  /// A sleep that is cancelled stays in the runtime's list until its date.
  @Test func `One value after the other needs one alarm, and not one each`() async throws {
    let clock = CountingClock()
    let queue = DeliveryQueue<Int>(capacity: 10, deadline: .seconds(86_400), clock: clock)
    let probe = Probe<Int, Never>()
    queue.deliveries().acknowledged(clock: clock) { $0.payload }.subscribe(probe.recorder)
    for number in 1...50 {
      try await queue.publish(number)
      #expect(await reached { probe.count == number && queue.counts.acknowledged == number })
    }
    // One sleep is the queue's, and one would extend the deadline.
    #expect(await reached { clock.sleeps.value == 2 })
    queue.finish()
    #expect(await probe.completion() == .finished && clock.sleeps.value == 2)
  }

  @Test func `A queue that nobody has any more is freed, whatever its alarm`() async throws {
    let time = VirtualTimeScheduler()
    weak var leak: DeliveryQueue<Int>?
    do {
      let queue = DeliveryQueue<Int>(capacity: 3, clock: time.clock)
      leak = queue
      try await queue.publish(1)
      let probe = Probe<QueuedDelivery<Int>, Never>(demand: .max(1))
      queue.deliveries().subscribe(probe.recorder)
      _ = await probe.values(1)
      try await time.clock.sleepers(1)
      probe.recorder.cancel()
    }
    #expect(await reached { leak == nil && time.pending.isEmpty })
  }
}

/// A clock that counts its sleepers.
private struct CountingClock: Clock {
  let sleeps = Locked(0)

  var now: ContinuousClock.Instant { ContinuousClock.now }
  var minimumResolution: Duration { ContinuousClock().minimumResolution }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    sleeps.change { $0 += 1 }
    try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
  }
}
