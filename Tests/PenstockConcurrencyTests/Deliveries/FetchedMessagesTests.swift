// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

@Suite struct FetchedMessagesTests {
  /// A broker with the numbers from 1, and what has been done to it.
  private struct Broker: Sendable {
    let asked = Locked<[Int]>([])
    let dropped = Locked<[Int]>([])
    let sources = Locked(0)
    var last = 100
    var failure: TestError?

    func messages(
      batch: ClosedRange<Int> = 1...8, refillAt mark: Int? = nil
    ) -> FetchedMessages<Int, TestError> {
      FetchedMessages(batch: batch, refillAt: mark) { ledger in
        sources.change { $0 += 1 }
        return Source(broker: self, ledger: ledger)
      }
    }
  }

  private final class Source: MessageSource {
    private let broker: Broker
    private let ledger: CreditLedger
    private let next = Locked(1)

    init(broker: Broker, ledger: CreditLedger) { (self.broker, self.ledger) = (broker, ledger) }

    deinit { broker.sources.change { $0 -= 1 } }

    func fetch(_ count: Int) async throws(TestError) -> [Int]? {
      broker.asked.change { $0.append(count) }
      ledger.ask(for: count)
      let first = next.change { next in
        defer { next += count }
        return next
      }
      if first <= broker.last {
        ledger.use(count)
        return Array(first..<first + count)
      }
      ledger.handBack(count)
      if let failure = broker.failure { throw failure }
      return nil
    }

    func drop(_ message: Int) { broker.dropped.change { $0.append(message) } }
  }

  @Test func `Each subscriber has a source, which is asked for what is requested`() async {
    let broker = Broker()
    let messages = broker.messages()
    let (probe, other) = (Probe<Int, TestError>(demand: nil), Probe<Int, TestError>(demand: .max(3)))
    messages.subscribe(probe.recorder)
    messages.subscribe(other.recorder)
    #expect(await other.values(3) == [1, 2, 3])
    #expect(probe.count == 0 && broker.asked.value == [3])
    probe.recorder.request(.max(1))
    #expect(await probe.values(1) == [1])
    probe.recorder.request(.max(20))
    #expect(await probe.values(21) == Array(1...21))
    #expect(broker.asked.value == [3, 1, 8, 8, 4])
    #expect(messages.counts.asked == 24 && messages.counts.credit == 0)
    probe.recorder.cancel()
    other.recorder.cancel()
    #expect(await reached { broker.sources.value == 0 })
    #expect(probe.isLawful && other.isLawful && broker.dropped.value.isEmpty)
  }

  @Test func `What is read ahead is given back by a cancel`() async {
    let broker = Broker()
    let probe = Probe<Int, TestError>(demand: .max(2))
    broker.messages(batch: 8...8, refillAt: 0).subscribe(probe.recorder)
    #expect(await probe.values(2) == [1, 2])
    #expect(await reached { broker.asked.value.count >= 1 })
    probe.recorder.cancel()
    #expect(await reached { broker.sources.value == 0 })
    let fetched = broker.asked.value.reduce(0, +)
    #expect(fetched > 2 && broker.dropped.value == Array(3...fetched))
  }

  @Test(arguments: [TestError.oops, nil]) func `The end of the source is the end`(failure: TestError?) async {
    var broker = Broker()
    (broker.last, broker.failure) = (5, failure)
    let probe = Probe<Int, TestError>()
    broker.messages(batch: 5...5).subscribe(probe.recorder)
    #expect(await probe.completion() == (failure.map { .failure($0) } ?? .finished))
    #expect(probe.recorder.values == [1, 2, 3, 4, 5] && probe.isLawful)
    #expect(await reached { broker.sources.value == 0 })
  }
}
