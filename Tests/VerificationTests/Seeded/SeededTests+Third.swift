// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockCore
import PenstockTesting

// By a third author, with mistakes as they come up in reviews of applications.
extension SeededTests {
  static let thirdMistakes: [Mistake] = [
    .init(
      rule: "P-04",
      verification: PublisherVerification("LocationUpdates").finite {
        $0 == 0 ? LocationUpdates(lastKnown: nil, track: []) : LocationUpdates(lastKnown: 0, track: Array(1..<$0))
      }),
    .init(
      rule: "P-07",
      verification: PublisherVerification("OrderListing").finite { count in
        OrderListing(pageSize: 4) { page in Array((0..<count).dropFirst(page * 4).prefix(4)) }
      }),
    .init(
      rule: "S-11",
      verification: PublisherVerification("RecordFile").finite { count in
        let cabinet = RecordFile.Cabinet(files: ["a": Array(0..<count)])
        return Driven(RecordFile(cabinet: cabinet, name: "a"), resources: { cabinet.openFiles })
      }),
    .init(
      rule: "C-05",
      verification: OperatorVerification("FormState") { upstream in
        FormState(first: upstream, second: Just(0).setFailureType(to: VerificationError.self)) { value, _ in value }
      }
      .calling { upstream, call in
        FormState(first: upstream, second: Just(0).setFailureType(to: VerificationError.self)) { value, _ in
          call()
          return value
        }
      }.traits(.requestsEverything, .dropsUnrequested)),
    .init(
      rule: "M-05",
      verification: OperatorVerification("UploadBatches") { UploadBatches(upstream: $0, size: 3) }
        .objects { UploadBatches(upstream: $0, size: 3) }.traits(.consumes(3))),
    .init(
      rule: "O-12",
      verification: OperatorVerification("RetryingDownload") { RetryingDownload(upstream: $0, retries: 3) }
        .traits(.catchesFailure)),
    .init(
      rule: "J-02",
      verification: SubjectVerification("RecentValues") { RecentValues<Int, VerificationError>(capacity: 3) }
        .replaying(3, afterEnd: true)),
    .init(
      rule: "J-06",
      verification: OperatorVerification("OneConnection") { OneConnection($0) }
        .traits(.shared, .requestsEverything, .dropsUnrequested)),
    .init(
      rule: "R-01",
      verification: SubscriberVerification("StoreWriter") {
        StoreWriter<VerificationError>(store: .init(), batchSize: 2, limit: 5)
      }.cancelling { $0.cancel() }.enough(5)),
    .init(
      rule: "T-06",
      verification: SchedulerVerification("ManualQueue") {
        ManualQueue()
      } advance: {
        $0.advance(by: $1)
      }),
  ]

  static let thirdCorrect: [any Verification] = [
    PublisherVerification("PollEvery").finite(passing: .seconds(1)) { count, scheduler in
      PollEvery(interval: .seconds(1), scheduler: scheduler, limit: count)
    }.traits(.hot),
    PublisherVerification("FolderWalk").finite { count in
      let walk = FolderWalk(sizes: Array(0..<count))
      return Driven(walk, settle: { walk.underWay.wait() })
    }.inProcess(),
    PublisherVerification("CatalogPages").finite { count in
      CatalogPages<Int, VerificationError> { page in
        .success((Array((0..<count).dropFirst(page * 4).prefix(4)), (page + 1) * 4 >= count))
      }
    }.failing { CatalogPages<Int, VerificationError> { _ in .failure(.failed) } },
    OperatorVerification("QuietPause") { upstream, scheduler in
      QuietPause(upstream: upstream, pause: .seconds(2), scheduler: scheduler)
    }.traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("Stamped") { upstream in
      Stamped(upstream: upstream, other: Just(0)) { value, _ in value }
    }
    .calling { upstream, call in
      Stamped(upstream: upstream, other: Just(0)) { value, _ in
        call()
        return value
      }
    },
    OperatorVerification("Parcels") { Parcels(upstream: $0, size: 2) }.traits(.consumes(2), .prefetches(2)),
    SubjectVerification("LastKnown") { LastKnown<Int, VerificationError>() }.replaying(1, afterEnd: true),
    OperatorVerification("SourceTap") { SourceTap($0) }.traits(.shared, .requestsEverything, .dropsUnrequested),
    SubscriberVerification("ArchiveWriter") { ArchiveWriter<Int, VerificationError>(batchSize: 2, limit: 5) { _ in } }
      .cancelling { $0.cancel() }.enough(5),
    SchedulerVerification("StepClock") {
      StepClock()
    } advance: {
      $0.advance(by: $1)
    },
  ]
}

// What they do, as their author describes it.
//
// name            | kind             | rule | what is wrong, and when it shows
// LocationUpdates | cold publisher   | P-04 | what the first value returns is lost, if there is a last known position
// OrderListing    | cold publisher   | P-07 | full pages and an exact demand: the end needs another request
// RecordFile      | cold publisher   | S-11 | a cancel while a value is delivered leaves the file open
// FormState       | operator         | C-05 | the closure runs under a lock
// UploadBatches   | operator         | M-05 | a cancel releases the unfinished batch under a lock
// RetryingDownload| operator         | O-12 | returned demand is not carried over to the next attempt
// RecentValues    | subject          | J-02 | a second completion replaces the first, for late subscribers
// OneConnection   | shared publisher | J-06 | the last cancel comes while the source is being connected
// StoreWriter     | subscriber       | R-01 | `request(.none)` before the cancel at the limit
// ManualQueue     | scheduler        | T-06 | work for a past date sets the time back
//
// PollEvery, FolderWalk, CatalogPages: publishers; QuietPause, Stamped, Parcels: operators; LastKnown: a subject; SourceTap: a
// shared publisher; ArchiveWriter: a subscriber; StepClock: a scheduler.
