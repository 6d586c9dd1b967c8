// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockCore
import PenstockTesting
import TestSupport

// By another author, after the findings of the first were fixed: the mistakes are subtler, and also concern
// subscribers, shared publishers and types that work in time.
extension SeededTests {
  static let secondMistakes: [Mistake] = [
    .init(rule: "P-07", verification: PublisherVerification("PagedNumbers").finite { PagedNumbers(total: $0) }),
    .init(rule: "S-08", verification: PublisherVerification("NumbersFrom").finite { NumbersFrom(start: 0, count: $0) }),
    .init(rule: "S-11", verification: PublisherVerification("TableRows").finite { rows($0) }),
    .init(
      rule: "O-05",
      verification: OperatorVerification("Both") { Both(first: $0, second: Empty()) }.traits(.prefetches(1))),
    .init(
      rule: "C-01", verification: OperatorVerification("Backlog") { Backlog(upstream: $0) }.traits(.prefetches(8))),
    .init(
      rule: "J-03",
      verification: SubjectVerification("Replay") { Replay<Int, VerificationError>(capacity: 2) }
        .replaying(2, afterEnd: true)),
    .init(
      rule: "J-06",
      verification: OperatorVerification("Shared") { Shared($0) }
        .traits(.shared, .requestsEverything, .dropsUnrequested)),
    .init(
      rule: "T-04",
      verification: PublisherVerification("Polling").finite(passing: 1) { count, scheduler in
        Polling(interval: 1, scheduler: scheduler) { $0 < count ? .success($0) : nil }
      }
      .failing(passing: 1) { scheduler in
        Polling(interval: 1, scheduler: scheduler) { .failure(.init(turn: $0)) }
      }.traits(.hot)),
    .init(
      rule: "M-05",
      verification: OperatorVerification("Pacing") { upstream, scheduler in
        Pacing(upstream: upstream, interval: 1, scheduler: scheduler)
      }.objects { Pacing(upstream: $0, interval: 1, scheduler: VirtualTimeScheduler()) }
        .traits(.requestsEverything, .dropsUnrequested)),
    .init(
      rule: "R-01",
      verification: SubscriberVerification("BatchReader", input: { $0 }) { BatchReader(limit: 4, batch: 2) }
        .cancelling { $0.cancel() }.enough(4)),
  ]

  static let secondCorrect: [any Verification] = [
    PublisherVerification("Chapters").finite { Chapters([Array(0..<$0)]) }
      .failing { Chapters([[1]], tornAfterLast: true) },
    PublisherVerification("Courier").finite { settled(Courier(count: $0)) }
      .failing { settled(Courier(count: 1, isLostAtEnd: true)) }.inProcess(),
    PublisherVerification("Sampler").ticking(every: 2) { Sampler(interval: 2, scheduler: $0) },
    OperatorVerification("Steps") { Steps(upstream: $0) },
    OperatorVerification("InTurn") { InTurn(upstreams: [$0]) },
    OperatorVerification("WhileUsed") { WhileUsed($0) }.traits(.shared, .requestsEverything, .dropsUnrequested),
    SubjectVerification("Ledger") { Ledger<Int, VerificationError>() }.replaying(.max, afterEnd: true),
    OperatorVerification("Spacing") { upstream, scheduler in Spacing(upstream: upstream, gap: 1, scheduler: scheduler)
    },
    SubscriberVerification("Tally", input: { _ in 1 }, failure: { VerificationError.failed }) {
      Tally<VerificationError>(goal: 5)
    }
    .cancelling { $0.cancel() }.enough(5),
    SchedulerVerification(inRealTime: "Workbench") { Workbench() },
  ]

  private static func settled(_ courier: Courier) -> Driven<Courier> {
    Driven(courier) { courier.underWay.wait() }
  }

  /// Rows of a table, whose cursors are counted while they are open.
  private static func rows(_ count: Int) -> Driven<TableRows> {
    let open = Locked(0)
    let publisher = TableRows {
      open.change { $0 += 1 }
      let row = Locked(0)
      return TableRows.Cursor(
        next: {
          row.change { row in
            defer { row += 1 }
            return row < count ? row : nil
          }
        }, close: { open.change { $0 -= 1 } })
    }
    return Driven(publisher, resources: { open.value })
  }
}

// What they do, as their author describes it.
//
// name        | kind             | rule | what is wrong, and when it shows
// PagedNumbers| cold publisher   | P-07 | asked for exactly as many as there are, in full pages, it does not end
// NumbersFrom | cold publisher   | S-08 | a demand that is returned for a value makes unlimited demand finite
// TableRows   | cold publisher   | S-11 | a cancel in a value that uses up the demand leaves the cursor open
// Both        | operator         | O-05 | once one side has finished, a cancel no longer reaches the other
// Backlog     | operator         | C-01 | a failure on another thread overtakes the delivery of a value
// Replay      | subject          | J-03 | a value that is sent during a handshake is missing
// Shared      | shared publisher | J-06 | after the upstream has ended once, the last cancel does not disconnect
// Polling     | publisher        | T-04 | after a failed poll the timer stays
// Pacing      | operator         | M-05 | a replaced value is released under the lock
// BatchReader | subscriber       | R-01 | `request(.none)` at the last value, if the limit is a multiple of the batch
//
// Chapters, Courier, Sampler: publishers; Steps, InTurn, Spacing: operators; WhileUsed: a shared publisher; Ledger: a subject;
// Tally: a subscriber; Workbench: a scheduler.
