// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

@Suite struct DeadLetterTests {
  private let time = VirtualTimeScheduler()
  private let queue: DeliveryQueue<Int>

  init() { queue = DeliveryQueue(capacity: 100, deadline: .seconds(10), clock: time.clock) }

  private func publish(_ numbers: ClosedRange<Int>) async throws {
    for number in numbers { try await queue.publish(number) }
  }

  @Test func `What has been tried too often is set aside, and terminated`() async throws {
    try await publish(1...3)
    queue.finish()
    let (aside, tried) = (Locked<[[Int]]>([]), Locked<[Int]>([]))
    let probe = Probe<Int, Never>()
    queue.deliveries()
      .deadLetter(after: 3) { delivery in aside.change { $0.append([delivery.payload, delivery.attempt]) } }
      .acknowledged(clock: time.clock, onFailure: { _, _ in .nak() }) { delivery in
        tried.change { $0.append(delivery.payload) }
        if delivery.payload == 2 { throw TestError.oops }
        return delivery.payload
      }
      .subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [1, 3])
    #expect(tried.value == [1, 2, 3, 2, 2])
    #expect(aside.value == [[2, 4]])
    #expect(queue.counts == .init(published: 3, acknowledged: 2, terminated: 1, redelivered: 3))
  }

  @Test func `What can't be set aside is given back, and comes again after a wait that doubles`() async throws {
    try await publish(1...1)
    queue.finish()
    let attempts = Locked<[Int]>([])
    let probe = Probe<QueuedDelivery<Int>, Never> { delivery in
      Task { try await delivery.nak(after: nil) }
      return .none
    }
    queue.deliveries().deadLetter(after: 1) { delivery in
      attempts.change { $0.append(delivery.attempt) }
      if delivery.attempt < 4 { throw TestError.oops }
    }.subscribe(probe.recorder)
    for wait in [1, 2] {
      #expect(await reached { attempts.value.last == wait + 1 && queue.counts.waiting == 1 })
      await time.advance(by: .milliseconds(wait * 1_000 - 1))
      #expect(queue.counts.waiting == 1)
      await time.advance(by: .milliseconds(1))
    }
    #expect(await probe.completion() == .finished)
    #expect(attempts.value == [2, 3, 4] && probe.count == 1)
  }

  @Test func `No more are being set aside than have been requested`() async throws {
    try await publish(1...9)
    let work = Work()
    let probe = Probe<QueuedDelivery<Int>, Never>(demand: nil)
    // All have been tried once.
    for delivery in try #require(await takeAll(9)) { try await delivery.nak(after: nil) }
    queue.deliveries().deadLetter(after: 1) { await work.run($0.payload) }.subscribe(probe.recorder)
    probe.recorder.request(.max(2))
    #expect(await reached { work.started.count == 2 })
    #expect(queue.counts.unsettled == 2)
    work.open(work.started[0])
    #expect(await reached { work.started.count == 3 })
    #expect(queue.counts.unsettled == 2 && queue.counts.terminated == 1 && probe.count == 0)
    probe.recorder.cancel()
    // The work that has begun is completed.
    for number in work.started { work.open(number) }
    #expect(await reached { queue.counts.terminated == 3 })
  }

  private func takeAll(_ count: Int) async -> [QueuedDelivery<Int>]? {
    let probe = Probe<QueuedDelivery<Int>, Never>(demand: .max(count))
    queue.deliveries().subscribe(probe.recorder)
    defer { probe.recorder.cancel() }
    return await probe.values(count)
  }

  @Test func `What has been read ahead and given back has not been tried`() async throws {
    try await publish(1...100)
    let (aside, tried) = (Locked<[Int]>([]), Locked<[Int]>([]))
    for round in 1...20 {
      let probe = Probe<Void, Never>()
      queue.deliveries(refillAt: 32)
        .deadLetter(after: 5) { delivery in aside.change { $0.append(delivery.payload) } }
        .acknowledged(clock: time.clock) { delivery in tried.change { $0.append(delivery.attempt) } }
        .prefix(1)
        .subscribe(probe.recorder)
      #expect(await probe.completion() == .finished)
      #expect(await reached { queue.counts.unsettled == 0 })
      #expect(queue.counts.acknowledged == round)
    }
    #expect(aside.value == [])
    #expect(tried.value == Array(repeating: 1, count: 20))
    #expect(queue.counts == .init(waiting: 80, published: 100, acknowledged: 20))
  }

  @Test func `What a broker delivers for the last time is set aside, and not tried`() async {
    let post = Post()
    for (attempt, most) in [(2, 3), (3, 3), (4, 6), (5, 6), (6, 6), (5, nil), (6, nil)] {
      let probe = Probe<Letter, Never>()
      let letter = Letter(post, attempt, attempt: attempt, maxAttempts: most)
      Just(letter).deadLetter(after: 5) { _ in }.subscribe(probe.recorder)
      #expect(await probe.completion() == .finished)
      let isTried = attempt <= min(5, most.map { $0 - 1 } ?? 5)
      #expect(probe.count == (isTried ? 1 : 0))
      // Deliveries that are being set aside are still stored after the end.
      #expect(await reached { post.words == (isTried ? [] : ["terminate \(attempt)"]) })
      _ = post.take()
    }
  }

  @Test func `A queue takes what is set aside, as it was published`() async throws {
    let dead = DeliveryQueue<Int>(capacity: 10, clock: time.clock)
    try await queue.publish(7, subject: "orders", headers: ["from": "here"])
    queue.finish()
    let probe = Probe<Int, Never>()
    queue.deliveries().sendable.deadLetter(after: 2, to: dead)
      .acknowledged(clock: time.clock, onFailure: { _, _ in .nak() }) { _ -> Int in throw TestError.oops }
      .publisher.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(queue.counts == .init(published: 1, terminated: 1, redelivered: 2))
    let letters = Probe<QueuedDelivery<Int>, Never>(demand: .max(1))
    dead.deliveries().subscribe(letters.recorder)
    let letter = try #require(await letters.values(1)?.first)
    #expect((letter.payload, letter.subject, letter.headers, letter.attempt) == (7, "orders", ["from": "here"], 1))
    letters.recorder.cancel()
  }
}
