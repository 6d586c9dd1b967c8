// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

// By a fifth author: ten mistakes of ordinary code.
extension SeededTests {
  static let fifthMistakes: [Mistake] = [
    .init(rule: "S-08", verification: PublisherVerification("TicketNumbers").finite { TicketNumbers(count: $0) }),
    .init(rule: "P-07", verification: PublisherVerification("ShelfMarks").finite { ShelfMarks(count: $0) }),
    .init(
      rule: "S-11",
      verification: PublisherVerification("CursorRows").finite { count in
        let pool = RowPool()
        return Driven(CursorRows(count: count, pool: pool), resources: { pool.openCursors })
      }),
    .init(
      rule: "O-04", verification: OperatorVerification("WithoutRepeats") { WithoutRepeats(upstream: $0.map { $0 / 2 }) }
    ),
    .init(
      rule: "C-05",
      verification: OperatorVerification("Smoothed") { Smoothed(upstream: $0, initial: 0) { $0 + $1 } }
        .calling { upstream, call in
          Smoothed(upstream: upstream, initial: 0) {
            call()
            return $0 + $1
          }
        }),
    .init(
      rule: "M-02",
      verification: SubjectVerification("Bulletin") {
        Bulletin()
      } send: {
        $0.send($1)
      } end: { bulletin, _ in
        bulletin.send(completion: .finished)
      }),
    .init(
      rule: "J-06",
      verification: OperatorVerification("CommonLine") { CommonLine(upstream: $0) }
        .traits(.shared, .requestsEverything, .dropsUnrequested)),
    .init(
      rule: "R-02",
      verification: SubscriberVerification("DownloadMeter", input: { $0 }) { DownloadMeter() }
        .cancelling { $0.cancel() }),
    .init(
      rule: "T-03",
      verification: PublisherVerification("HeartBeats").ticking(every: 2) {
        HeartBeats(count: 1_000, interval: 2, scheduler: $0)
      }.traits(.hot)),
    .init(
      rule: "T-06",
      verification: SchedulerVerification("TurnClock") {
        TurnClock()
      } advance: {
        $0.advance(by: $1)
      }),
  ]
}

// What they do, as their author describes it.
//
// name           | kind             | rule | what is wrong, and when it shows
// TicketNumbers  | cold publisher   | S-08 | finite demand takes the place of unlimited demand
// ShelfMarks     | cold publisher   | P-07 | nothing to deliver: the end waits for a request
// CursorRows     | cold publisher   | S-11 | a cancel before the first value leaves the cursor open
// WithoutRepeats | operator         | O-04 | a swallowed repeat is not asked for once more
// Smoothed       | operator         | C-05 | the closure runs under a lock
// Bulletin       | subject          | M-02 | it holds the subscribers of an ended stream
// CommonLine     | shared publisher | J-06 | after the last cancel it is never connected again
// DownloadMeter  | subscriber       | R-02 | a second subscription replaces the first
// HeartBeats     | publisher        | T-03 | each tick is counted from the one before, and drifts
// TurnClock      | scheduler        | T-06 | actions of one date run in the wrong order
