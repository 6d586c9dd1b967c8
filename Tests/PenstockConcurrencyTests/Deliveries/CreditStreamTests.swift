// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

@Suite struct CreditStreamTests {
  /// What a test sees of the broker of one subscriber.
  private final class Desk: Sendable {
    let asked = Locked<[Int]>([])
    let dropped = Locked<[Int]>([])
    let isClosed = Locked(false)
    let isReleased = Locked(false)
    let stream = Locked<CreditStream<Int, TestError>?>(nil)

    func messages(
      _ batch: ClosedRange<Int> = 1...8, refillAt mark: Int? = nil
    ) -> FetchedMessages<Int, TestError> {
      FetchedMessages(batch: batch, refillAt: mark) { stream in
        self.stream.change { $0 = stream }
        return Source(desk: self, stream: stream)
      }
    }

    /// Waits until the broker has been asked that often.
    func asked(times count: Int) async -> [Int] {
      _ = await reached { self.asked.value.count >= count }
      return asked.value
    }
  }

  private final class Source: CreditSource {
    private let desk: Desk
    private let stream: CreditStream<Int, TestError>

    init(desk: Desk, stream: CreditStream<Int, TestError>) { (self.desk, self.stream) = (desk, stream) }

    deinit { desk.isReleased.change { $0 = true } }

    func ask(for count: Int) -> Int {
      // Paused first: a resumption that comes at this moment counts.
      if desk.isClosed.value { stream.pause() }
      desk.asked.change { $0.append(count) }
      return desk.isClosed.value ? 0 : count
    }

    func drop(_ message: Int) { desk.dropped.change { $0.append(message) } }
  }

  private func begin(
    _ batch: ClosedRange<Int> = 1...8, refillAt mark: Int? = nil, demand: Subscribers.Demand? = nil
  ) async throws -> (Desk, FetchedMessages<Int, TestError>, CreditStream<Int, TestError>, Probe<Int, TestError>) {
    let (desk, probe) = (Desk(), Probe<Int, TestError>(demand: demand))
    let messages = desk.messages(batch, refillAt: mark)
    messages.subscribe(probe.recorder)
    #expect(await reached { desk.stream.value != nil })
    return (desk, messages, try #require(desk.stream.value), probe)
  }

  @Test func `The broker is asked for what is requested, and again when half has come`() async throws {
    let (desk, messages, stream, probe) = try await begin()
    probe.recorder.request(.max(1))
    #expect(await desk.asked(times: 1) == [1])
    #expect(stream.receive(1) == 0)
    #expect(await probe.values(1) == [1])
    probe.recorder.request(.unlimited)
    #expect(await desk.asked(times: 2) == [1, 8])
    for number in 2...4 { #expect(stream.receive(number) == 0) }
    #expect(await probe.values(4) == [1, 2, 3, 4])
    #expect(desk.asked.value == [1, 8] && messages.counts.credit == 5)
    _ = stream.receive(5)
    #expect(await desk.asked(times: 3) == [1, 8, 4])
    #expect(messages.counts.asked == 13 && messages.counts.credit == 8)
    probe.recorder.cancel()
    #expect(await reached { desk.isReleased.value == true && desk.dropped.value.isEmpty })
  }

  @Test func `A source that can't ask pauses the stream, and is asked when it continues`() async throws {
    let (desk, messages, stream, probe) = try await begin()
    desk.isClosed.change { $0 = true }
    probe.recorder.request(.max(3))
    #expect(await desk.asked(times: 1) == [3])
    #expect(await reached { messages.counts.credit == 0 && messages.counts.asked == 0 })
    probe.recorder.request(.max(1))
    desk.isClosed.change { $0 = false }
    stream.resume()
    #expect(await desk.asked(times: 2) == [3, 4])
    #expect(messages.counts.credit == 4)
    probe.recorder.cancel()
  }

  @Test func `Credit that is handed back or lost is given again`() async throws {
    let (desk, messages, stream, probe) = try await begin(demand: .max(4))
    #expect(await desk.asked(times: 1) == [4])
    stream.handBack(3)
    #expect(await desk.asked(times: 2) == [4, 3])
    stream.loseCredit()
    #expect(await desk.asked(times: 3) == [4, 3, 4])
    stream.handBack(100)
    #expect(await desk.asked(times: 4) == [4, 3, 4, 4])
    let counts = messages.counts
    #expect((counts.asked, counts.credit, counts.returnedCredit, counts.lostCredit) == (15, 4, 7, 4))
    probe.recorder.cancel()
  }

  @Test func `What was not asked for waits, and the source hears how much that is`() async throws {
    let (desk, _, stream, probe) = try await begin()
    #expect((1...3).map { stream.receive($0) } == [1, 2, 3])
    probe.recorder.request(.max(2))
    #expect(await probe.values(2) == [1, 2])
    #expect(desk.asked.value.isEmpty)
    stream.fail(.oops)
    #expect(!probe.isOver)
    probe.recorder.request(.max(1))
    #expect(await probe.completion() == .failure(.oops))
    #expect(probe.recorder.values == [1, 2, 3] && probe.isLawful)
    #expect(await reached { desk.isReleased.value && stream.receive(4) == nil })
  }

  @Test func `A batch that is read ahead is asked for without demand`() async throws {
    let (desk, _, stream, probe) = try await begin(4...4, refillAt: 1)
    #expect(await desk.asked(times: 1) == [4])
    for number in 1...4 { _ = stream.receive(number) }
    probe.recorder.request(.max(3))
    #expect(await probe.values(3) == [1, 2, 3])
    #expect(await desk.asked(times: 2).count == 2)
    probe.recorder.cancel()
    #expect(await reached { desk.dropped.value == [4] })
  }

  @Test(arguments: [true, false]) func `What waits at the end is given back`(isCancel: Bool) async throws {
    let (desk, _, stream, probe) = try await begin()
    for number in 1...3 { _ = stream.receive(number) }
    if isCancel { probe.recorder.cancel() } else { stream.drain() }
    #expect(await reached { desk.dropped.value == [1, 2, 3] && desk.isReleased.value })
    #expect(await reached { stream.receive(4) == nil })
    #expect(probe.recorder.isFinished == !isCancel && probe.isLawful)
  }
}
