// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockCore
import PenstockTesting

// By a sixth author: twenty-two mistakes that ordinary use does not show, and twelve types of the same kinds without
// any mistake.
extension SeededTests {
  static let sixthMistakes: [Mistake] = [
    .init(
      rule: "P-10",
      verification: PublisherVerification("ProductPages").finite { count in
        ProductPages { page in Array((0..<count).dropFirst(page * 4).prefix(4)) }
      }),
    .init(rule: "P-10", verification: PublisherVerification("TelegramRows").finite { TelegramRows(count: $0) }),
    .init(
      rule: "C-01",
      verification: PublisherVerification("ReportExport").finite { count in
        let export = ReportExport(rows: count)
        return Driven(export) { export.underWay.wait() }
      }),
    .init(rule: "P-03", verification: PublisherVerification("InvoiceLines").finite { InvoiceLines(count: $0) }),
    .init(
      rule: "P-09",
      verification: PublisherVerification("NewsPages").finite { count in
        NewsPages<VerificationError> { page in .success(Array((0..<count).dropFirst(page * 4).prefix(4))) }
      }
      .failing {
        NewsPages<VerificationError> { page in page == 0 ? .success([0, 1, 2, 3]) : .failure(.failed) }
      }),
    .init(
      rule: "M-02",
      verification: PublisherVerification("ChunkTransfer").finite { ChunkTransfer(chunks: $0) }
        .failing { ChunkTransfer(chunks: 3, breaks: true) }),
    .init(
      rule: "P-03",
      verification: PublisherVerification("IdleTimer").ticking(every: 2) { IdleTimer(period: 2, scheduler: $0) }
        .traits(.hot)),
    .init(
      rule: "P-13",
      verification: OperatorVerification("RecentTrades") { RecentTrades(upstream: $0, size: 4) }
        .objects { RecentTrades(upstream: $0, size: 4) }.traits(.requestsEverything, .dropsUnrequested)),
    .init(
      rule: "P-05",
      verification: OperatorVerification("ReadBuffer") { ReadBuffer(upstream: $0) }
        .objects { ReadBuffer(upstream: $0) }.traits(.prefetches(8)), orRules: ["O-08"]),
    .init(
      rule: "T-02",
      verification: OperatorVerification("PatientRetry", on: .time) { upstream, scheduler in
        PatientRetry(upstream: upstream, attempts: 3, pause: 2, scheduler: scheduler)
      }.traits(.catchesFailure)),
    .init(
      rule: "O-06",
      verification: OperatorVerification("GalleryLoader") { upstream in
        GalleryLoader(upstream: upstream, loads: 2) { Just($0).setFailureType(to: VerificationError.self) }
      }
      .children(max: 2) { upstream in GalleryLoader(upstream: upstream, loads: 2) { $0 } }
      .calling { upstream, call in
        GalleryLoader(upstream: upstream, loads: 2) { number in
          call()
          return Just(number).setFailureType(to: VerificationError.self)
        }
      }.traits(.prefetches(2))),
    .init(
      rule: "O-11",
      verification: OperatorVerification("InSequence") { upstream in
        InSequence(upstream: upstream) { Just($0).setFailureType(to: VerificationError.self) }
      }
      .children(max: 1) { upstream in InSequence(upstream: upstream) { $0 } }
      .calling { upstream, call in
        InSequence(upstream: upstream) { number in
          call()
          return Just(number).setFailureType(to: VerificationError.self)
        }
      }.traits(.requestsEverything)),
    .init(
      rule: "O-06", verification: OperatorVerification("PairUp") { PairUp(first: $0, second: $0) }.traits(.upstreams(2))
    ),
    .init(
      rule: "O-08",
      verification: OperatorVerification("ShipmentBatches") { ShipmentBatches(upstream: $0, size: 3) }
        .objects { ShipmentBatches(upstream: $0, size: 3) }.traits(.consumes(3), .prefetches(6)), orRules: ["P-05"]),
    .init(
      rule: "O-12",
      verification: OperatorVerification("Reconnecting", on: .time) { upstream, scheduler in
        Reconnecting(socket: upstream, limit: 4, wait: 2, scheduler: scheduler)
      }.traits(.catchesFailure)),
    .init(
      rule: "C-01",
      verification: OperatorVerification("Offloading") { upstream in
        let offloading = Offloading(upstream: upstream)
        return Driven(offloading) { offloading.underWay.wait() }
      }.traits(.requestsEverything)),
    .init(rule: "C-05", verification: OperatorVerification("FirstDistinct") { FirstDistinct(upstream: $0, limit: 3) }),
    .init(rule: "J-04", verification: SubjectVerification("Announcer") { Announcer<Int, VerificationError>() }),
    .init(rule: "M-01", verification: SubjectVerification("EventHub") { EventHub<Int, VerificationError>() }),
    .init(
      rule: "J-06",
      verification: OperatorVerification("LiveScores") { LiveScores($0) }
        .traits(.shared, .requestsEverything, .dropsUnrequested)),
    .init(
      rule: "R-06",
      verification: SubscriberVerification(
        "SheetWriter", input: { $0 }, failure: { VerificationError.failed },
        { SheetWriter<VerificationError>(save: { _ in }) }
      )
      .cancelling { $0.cancel() }),
    .init(
      rule: "T-06",
      verification: SchedulerVerification("RoundsClock") {
        RoundsClock()
      } advance: {
        $0.advance(by: $1)
      }),
  ]

  static let sixthCorrect: [any Verification] = [
    PublisherVerification("StockPages").finite { count in
      StockPages { page in Array((0..<count).dropFirst(page * 4).prefix(4)) }
    },
    PublisherVerification("BulkExport").finite { count in
      let export = BulkExport(count: count)
      return Driven(export) { export.underWay.wait() }
    },
    PublisherVerification("RestingTicker").ticking(every: 2) { RestingTicker(interval: 2, scheduler: $0) }
      .traits(.hot),
    OperatorVerification("LastFew") { LastFew(upstream: $0, capacity: 4) }
      .objects { LastFew(upstream: $0, capacity: 4) }.traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("RetryAfterRest", on: .time) { upstream, scheduler in
      RetryAfterRest(upstream: upstream, retries: 2, rest: 2, scheduler: scheduler)
    }.traits(.catchesFailure),
    OperatorVerification("SideBySide") { upstream in
      SideBySide(upstream: upstream, limit: 2) { Just($0).setFailureType(to: VerificationError.self) }
    }
    .children(max: 2) { upstream in SideBySide(upstream: upstream, limit: 2) { $0 } }
    .calling { upstream, call in
      SideBySide(upstream: upstream, limit: 2) { number in
        call()
        return Just(number).setFailureType(to: VerificationError.self)
      }
    }.traits(.prefetches(2)),
    OperatorVerification("OneByOne") { upstream in
      OneByOne(upstream: upstream) { Just($0).setFailureType(to: VerificationError.self) }
    }
    .children(max: 1) { upstream in OneByOne(upstream: upstream) { $0 } }
    .calling { upstream, call in
      OneByOne(upstream: upstream) { number in
        call()
        return Just(number).setFailureType(to: VerificationError.self)
      }
    }.traits(.requestsEverything),
    OperatorVerification("MatchedPairs") { MatchedPairs(left: $0, right: $0) }.traits(.upstreams(2)),
    SubjectVerification("Chime") { Chime<Int, VerificationError>() },
    OperatorVerification("LentLine") { LentLine($0) }.traits(.shared, .requestsEverything, .dropsUnrequested),
    SubscriberVerification("GuestList", input: { $0 }, failure: { VerificationError.failed }) {
      GuestList<VerificationError>(seats: 7)
    }
    .cancelling { $0.cancel() }.enough(7),
    SchedulerVerification("CalendarClock") {
      CalendarClock()
    } advance: {
      $0.advance(by: $1)
    },
  ]
}

// What they do, as their author describes it. By a sixth author:
//
// name            | kind             | rule | what is wrong, and when it shows
// ProductPages    | cold publisher   | P-10 | rows are taken out of pages that all copies keep, until one of them ends
// TelegramRows    | cold publisher   | P-10 | one decoder for all: one that continues after another reads its block
// ReportExport    | cold publisher   | C-01 | above 512 rows a thread delivers, and says so only when it runs
// InvoiceLines    | cold publisher   | P-03 | what came during a delivery counts twice when a page of eight is turned
// NewsPages       | cold publisher   | P-09 | a failure that is read while rows still wait for demand becomes a finish
// ChunkTransfer   | cold publisher   | M-02 | a failure, alone of all ends, does not undo the cycle by the handler
// IdleTimer       | timer            | P-03 | the first tick after a rest is not taken from the demand
// RecentTrades    | operator         | P-13 | a ring that has overflowed delivers the newest before the oldest
// ReadBuffer      | operator         | P-05 | full with seven of eight: the eighth prefetched value is dropped
// PatientRetry    | operator         | T-02 | a cancel in the pause: upstream is subscribed to all the same
// GalleryLoader   | operator         | O-06 | a failure of upstream leaves the inner streams running
// InSequence      | operator         | O-11 | inner streams that had to wait, and end at once, deepen the stack
// PairUp          | operator         | O-06 | the last kept value of an ended side is the end: the other side runs on
// ShipmentBatches | operator         | O-08 | the rest is lost if a full batch waits for demand at the end
// Reconnecting    | operator         | O-12 | what is requested in the pause is forgotten
// Offloading      | operator         | C-01 | above eight waiting values a thread delivers beside whoever sends
// FirstDistinct   | operator         | C-05 | upstream is cancelled under a lock, when there are enough values
// Announcer       | subject          | J-04 | a second subscriber inside its handshake: the first gets nothing
// EventHub        | subject          | M-01 | a cancel inside the last value that waits: the subscriber is kept
// LiveScores      | shared publisher | J-06 | a subscriber that comes inside the end gets no connection, and no end
// SheetWriter     | subscriber       | R-06 | a value after its cancel traps, if it is the third of a sheet
// RoundsClock     | scheduler        | T-06 | a cancel of repeated work puts the last action in its place in the order
//
// StockPages, BulkExport, RestingTicker: publishers; LastFew, RetryAfterRest, SideBySide, OneByOne, MatchedPairs:
// operators; Chime: a subject; LentLine: a shared publisher; GuestList: a subscriber; CalendarClock: a scheduler.
