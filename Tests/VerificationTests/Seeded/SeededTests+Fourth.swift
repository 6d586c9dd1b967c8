// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

// By a fourth author: ten mistakes of ordinary code.
extension SeededTests {
  static let fourthMistakes: [Mistake] = [
    .init(rule: "S-08", verification: PublisherVerification("HouseNumbers").finite { HouseNumbers(count: $0) }),
    .init(rule: "P-07", verification: PublisherVerification("SearchHits").finite { SearchHits(count: $0) }),
    .init(
      rule: "S-11",
      verification: PublisherVerification("ColumnScan").finite { count in
        let pool = CursorPool()
        return Driven(ColumnScan(pool: pool, rows: count), resources: { pool.openCursors })
      }),
    .init(rule: "C-05", verification: OperatorVerification("RunningMaximum") { RunningMaximum(upstream: $0) }),
    .init(
      rule: "M-05",
      verification: PublisherVerification("MintedKeys").finite { MintedKeys(count: $0, mint: { $0 * 10 }) }),
    .init(rule: "O-04", verification: OperatorVerification("Deltas") { Deltas(upstream: $0) }),
    .init(
      rule: "J-02",
      verification: SubjectVerification("DepartureBoard") {
        DepartureBoard()
      } send: {
        $0.send($1)
      } end: {
        $0.send(completion: $1 ? .failure(BoardOffline()) : .finished)
      }.replaying(2, afterEnd: true)),
    .init(
      rule: "J-06",
      verification: OperatorVerification("CommonFeed") { CommonFeed(upstream: $0) }
        .traits(.shared, .requestsEverything, .dropsUnrequested)),
    .init(
      rule: "R-03",
      verification: SubscriberVerification("MeanReading") { MeanReading<VerificationError>(report: { _ in }) }
        .cancelling { $0.cancel() }),
    .init(
      rule: "T-06",
      verification: SchedulerVerification("LapClock") {
        LapClock()
      } advance: {
        $0.advance(by: $1)
      }),
  ]
}

// What they do, as their author describes it.
//
// name           | kind             | rule | what is wrong, and when it shows
// HouseNumbers   | cold publisher   | S-08 | finite demand that comes during unlimited demand takes its place
// SearchHits     | cold publisher   | P-07 | no hits: the end waits for a request
// ColumnScan     | cold publisher   | S-11 | a cancel while a value is delivered leaves the cursor open
// RunningMaximum | operator         | C-05 | a lock is held while the completion is delivered
// MintedKeys     | cold publisher   | M-05 | a cancel releases the subscriber and the closure under a lock
// Deltas         | operator         | O-04 | the first value is swallowed, and not asked for once more
// DepartureBoard | subject          | J-02 | values after the end are replayed
// CommonFeed     | shared publisher | J-06 | after the last cancel it is never connected again
// MeanReading    | subscriber       | R-03 | an end without a value traps
// LapClock       | scheduler        | T-06 | repeated work that is cancelled inside its action continues
