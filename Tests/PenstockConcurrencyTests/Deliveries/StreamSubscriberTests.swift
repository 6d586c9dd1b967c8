// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

@Suite struct StreamSubscriberTests {
  typealias Confirm = @Sendable (Result<Bool, TestError>) -> Void

  /// A stream that confirms by hand.
  private final class Stream: Sendable {
    let waiting = Locked<[(value: Int, confirm: Confirm)]>([])

    func subscriber(maxInFlight: Int) -> StreamSubscriber<Int, Never, TestError> {
      StreamSubscriber(maxInFlight: maxInFlight, cancellation: .oops) { [waiting] value, confirm in
        waiting.change { $0.append((value, confirm)) }
      }
    }

    func confirm(_ result: Result<Bool, TestError> = .success(false)) {
      waiting.change { $0.removeFirst() }.confirm(result)
    }
  }

  @Test func `No more is on its way than is allowed, and all are counted`() async throws {
    let stream = Stream()
    let writer = stream.subscriber(maxInFlight: 4)
    (1...10).publisher.subscribe(writer)
    #expect(stream.waiting.value.map(\.value) == [1, 2, 3, 4] && writer.counts.inFlight == 4)
    for number in 1...10 {
      stream.confirm(.success(number == 3))
      #expect(await reached { stream.waiting.value.count == min(4, 10 - number) })
    }
    #expect(try await writer.finished() == .finished)
    var counts = StreamCounts()
    (counts.received, counts.confirmed, counts.duplicates) = (10, 10, 1)
    #expect(writer.counts == counts)
    writer.cancel()
    #expect(try await writer.finished() == .finished)
  }

  @Test func `The first refusal cancels upstream, and is thrown when nothing is on its way`() async throws {
    let stream = Stream()
    let writer = stream.subscriber(maxInFlight: 3)
    let subject = PassthroughSubject<Int, Never>()
    let isCancelled = Locked(false)
    subject.handleEvents(receiveCancel: { isCancelled.change { $0 = true } }).subscribe(writer)
    for number in 1...3 { subject.send(number) }
    stream.confirm(.failure(.oops))
    #expect(isCancelled.value && writer.counts.failed == 1)
    let waiting = Task { try await writer.finished() }
    stream.confirm()
    stream.confirm()
    await #expect(throws: TestError.self) { try await waiting.value }
    #expect(writer.counts.confirmed == 2)
  }

  @Test func `A cancel of who waits cancels the subscriber, and a second publisher is not taken`() async throws {
    let stream = Stream()
    let writer = stream.subscriber(maxInFlight: 3)
    let subject = PassthroughSubject<Int, Never>()
    subject.subscribe(writer)
    let waiting = Task { try await writer.finished() }
    waiting.cancel()
    await #expect(throws: TestError.self) { try await waiting.value }
    subject.send(1)
    #expect(stream.waiting.value.isEmpty)
    let isCancelled = Locked(false)
    Empty<Int, Never>(completeImmediately: false).handleEvents(receiveCancel: { isCancelled.change { $0 = true } })
      .subscribe(writer)
    #expect(isCancelled.value)
  }

  @Test func `A queue takes what is written in its order, as it has room, and each id once within its time`()
    async throws
  {
    let time = VirtualTimeScheduler()
    let queue = DeliveryQueue<Int>(capacity: 5, duplicateWindow: .seconds(10), clock: time.clock)
    let writer = queue.streamSubscriber(to: "n", failure: Never.self, maxInFlight: 3) { (number: Int) in
      StreamMessage(number, id: "\(number % 8)", headers: ["of": "10"])
    }
    (0..<10).publisher.subscribe(writer)
    let probe = Probe<QueuedDelivery<Int>, Never>(demand: .unlimited)
    let deliveries = queue.deliveries()
    deliveries.subscribe(probe.recorder)
    for number in 0..<8 {
      #expect(await reached { probe.count > number })
      try await probe.recorder.values[number].ack()
    }
    #expect(try await writer.finished() == .finished)
    #expect(probe.recorder.values.map(\.payload) == Array(0..<8) && probe.recorder.values[0].subject == "n")
    #expect(writer.counts.duplicates == 2 && writer.counts.confirmed == 10 && queue.counts.published == 8)
    await time.advance(by: .seconds(10))
    try await queue.publish(8, id: "0")
    #expect(await reached { probe.count == 9 })
    #expect(deliveries.counts.fetched == 9 && deliveries.counts.inFlight == 1)
    probe.recorder.cancel()
  }

  @Test func `A drained queue ends its streams, waits for what is in progress, and keeps the rest`() async throws {
    // Neither its deadline nor the drain's limit passes, however busy the machine is.
    let queue = DeliveryQueue<Int>(capacity: 5, deadline: .seconds(3600))
    for number in 1...3 { try await queue.publish(number) }
    let probe = Probe<QueuedDelivery<Int>, Never>(demand: .max(1))
    queue.deliveries().subscribe(probe.recorder)
    let waiting = Probe<QueuedDelivery<Int>, Never>(demand: nil)
    queue.deliveries().subscribe(waiting.recorder)
    let delivery = try #require(await probe.values(1)?.first)
    let hasReturned = Locked(false)
    let draining = Task {
      await queue.drain(within: .seconds(3600))
      hasReturned.change { $0 = true }
    }
    #expect(
      await reached {
        waiting.recorder.request(.max(1)); return waiting.isOver
      })
    #expect(!hasReturned.value)
    try await delivery.ack()
    await draining.value
    probe.recorder.request(.max(1))
    #expect(await probe.completion() == .finished)
    #expect(queue.counts.waiting == 2 && queue.counts.unsettled == 0)
    do { try await queue.publish(4) } catch { #expect(error.reason == .closed) }
    await queue.drain(within: .zero)
  }
}
