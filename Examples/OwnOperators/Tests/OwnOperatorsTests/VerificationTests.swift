// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import OwnOperators
import PenstockKit
import PenstockTesting
import Testing

/// Operators that are written in a few lines outside the library keep every rule that the verification kit knows.
@Suite struct VerificationTests {
  @Test func `Each operator keeps the rules`() async throws {
    let verifications = [
      OperatorVerification("negated") { $0.negated() },
      OperatorVerification("changes") { $0.changes() },
      OperatorVerification("through") { $0.through { $0 == 1_000_000 } },
      OperatorVerification("gated") { upstream in
        upstream.gated(by: Just(true).setFailureType(to: VerificationError.self))
      },
      OperatorVerification("jittered") { upstream, scheduler in upstream.jittered(on: scheduler) { .seconds(1) } },
      OperatorVerification("chunks") { upstream in
        upstream.chunks(until: Empty<Int, VerificationError>(completeImmediately: false)).map(\.count)
      }.traits(.prefetches(1)),
      OperatorVerification("rate") { upstream in
        upstream.rate(at: Empty<Int, VerificationError>(completeImmediately: false))
      }.traits(.requestsEverything),
      OperatorVerification("flushed") { upstream, scheduler in
        upstream.flushed(upTo: 1, afterIdle: .seconds(1), on: scheduler).flatMap(maxPublishers: .max(1)) {
          $0.publisher.setFailureType(to: VerificationError.self)
        }
      }.traits(.prefetches(1)),
      OperatorVerification("fallback") { $0.fallback(to: [Empty<Int, VerificationError>()]) }
        .waiving("P-09", because: "another publisher takes the place of one that fails"),
    ]
    for verification in verifications {
      let report = await verification.report()
      #expect(report.failures.isEmpty, "\(report.failures.map(\.description).joined(separator: "\n"))")
    }
  }

  // Uses a cursor that answers at once, since the rules are checked without waiting. OwnOperatorsTests has one that
  // answers later.
  @Test func `A source that is called back keeps the rules`() async {
    let report = await PublisherVerification("rows")
      .finite { count in Publishers.rows { Cursor(count: count, answersAtOnce: true) } }
      .failing { Publishers.rows { Cursor(count: 2, isLost: true, answersAtOnce: true) } }
      .waiving("P-07", because: "a cursor says that there is nothing more when it is asked")
      .report()
    #expect(report.failures.isEmpty, "\(report.failures.map(\.description).joined(separator: "\n"))")
  }

  @Test func `A source of one's own keeps the rules`() async {
    let report = await PublisherVerification("countdown").finite { Publishers.countdown(from: $0 - 1) }.report()
    #expect(report.failures.isEmpty, "\(report.failures.map(\.description).joined(separator: "\n"))")
  }
}
