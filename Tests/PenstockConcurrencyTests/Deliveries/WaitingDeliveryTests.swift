// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// Deliveries that wait before there is work for them, in a batch or a buffer.
@Suite struct WaitingDeliveryTests {
  private let time = VirtualTimeScheduler()
  private let post = Post()
  private let queue: DeliveryQueue<Int>

  init() { queue = DeliveryQueue(capacity: 100, deadline: .seconds(10), clock: time.clock) }

  @Test func `What waits in a batch is extended, and comes to the work once`() async throws {
    try await queue.publish(1)
    let probe = Probe<[Int], Never>()
    queue.deliveries().sendable.extendingDeadlines(clock: time.clock).collect(2)
      .acknowledged(clock: time.clock) { batch in batch.map(\.attempt) + batch.map(\.payload) }
      .publisher.subscribe(probe.recorder)
    #expect(await reached { queue.counts.unsettled == 1 })
    for _ in 0..<6 {
      // The queue's alarm, and that of the waiting deliveries.
      try await time.clock.sleepers(2)
      await time.advance(by: 5)
    }
    #expect(queue.counts == .init(unsettled: 1, published: 1))
    try await queue.publish(2)
    #expect(await probe.values(1) == [[1, 1, 1, 2]])
    #expect(queue.counts == .init(published: 2, acknowledged: 2))
    probe.recorder.cancel()
  }

  @Test func `What nobody has any more is not extended, and comes again after its deadline`() async throws {
    try await queue.publish(1)
    let probe = Probe<Int, Never>()
    let attempts = Locked<[Int]>([])
    queue.deliveries().extendingDeadlines(clock: time.clock)
      .filter { delivery in
        attempts.change { $0.append(delivery.attempt) }
        return false
      }
      .map(\.payload).subscribe(probe.recorder)
    for attempt in 1...3 {
      #expect(await reached { attempts.value == Array(1...attempt) })
      try await time.clock.sleepers(1)
      await time.advance(by: 10)
    }
    #expect(await reached { attempts.value == [1, 2, 3, 4] })
    #expect(queue.counts.expired == 3)
    probe.recorder.cancel()
  }

  @Test func `A delivery that has been settled in any way is extended no more`() async throws {
    let letters = (1...4).publisher.map { [post] in Letter(post, $0, deadline: .seconds(10)) }
    let probe = Probe<ExtendedDelivery<Letter>, Never>()
    letters.extendingDeadlines(every: .seconds(4), clock: time.clock).subscribe(probe.recorder)
    let all = try #require(await probe.values(4))
    try await all[0].ack()
    try await all[1].nak(after: .seconds(3))
    try await all[2].giveBack()
    #expect(post.take() == ["ack 1", "nak 2, \(Duration.seconds(3))", "give back 3"])
    try await time.clock.sleepers(1)
    await time.advance(by: 4)
    #expect(await reached { !post.words.isEmpty })
    try await time.clock.sleepers(1)
    #expect(post.take() == ["extend 4"])
    try await all[3].extend()
    try await all[3].terminate()
    #expect(post.take() == ["extend 4", "terminate 4"])
    #expect(all[3].base.payload == 4 && all[3].deadline == .seconds(10) && all[3].maxAttempts == nil)
  }

  @Test func `Who asks hears of a waiting delivery that is lost`() async throws {
    post.refuse("extend 1", .expired)
    let refused = Locked<[String]>([])
    let probe = Probe<ExtendedDelivery<Letter>, Never>()
    Just(Letter(post, 1, deadline: .seconds(10)))
      .extendingDeadlines(
        clock: time.clock,
        onRefusal: { error, letter in refused.change { $0.append("\(error.reason) \(letter.payload)") } }
      )
      .subscribe(probe.recorder)
    try await time.clock.sleepers(1)
    await time.advance(by: 5)
    #expect(await reached { refused.value == ["expired 1"] && time.pending.isEmpty })
    #expect(post.words == ["extend 1"] && probe.count == 1)
  }

  @Test func `What comes again within a batch is in it once, by its last delivery`() async throws {
    for number in 1...2 { try await queue.publish(number) }
    let probe = Probe<[[Int]], Never>()
    queue.deliveries().collect(4)
      .acknowledged(clock: time.clock) { batch in batch.map { [$0.payload, $0.attempt] } }
      .subscribe(probe.recorder)
    #expect(await reached { queue.counts.unsettled == 2 })
    try await time.clock.sleepers(1)
    await time.advance(by: 10)
    #expect(await probe.values(1) == [[[1, 2], [2, 2]]])
    #expect(queue.counts == .init(published: 2, acknowledged: 2, redelivered: 2, expired: 2))
    probe.recorder.cancel()
  }

  @Test func `What names no message is in a batch as often as it comes`() async throws {
    let probe = Probe<[Int], Never>()
    (1...3).publisher.map { [post] in Letter(post, 7, attempt: $0) }.collect(3)
      .acknowledged(clock: time.clock) { batch in batch.map(\.attempt) }
      .subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [[1, 2, 3]])
  }
}
