// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

/// Publishers, operators and subjects that were written only from the rules, by an author who had not seen the
/// verification: ten with one mistake each, and ten without.
///
/// Those with a mistake are each written out in full: a mistake in shared code would be one mistake, not ten.
@Suite struct SeededTests {
  /// One of the ten with a mistake, and the rule that it breaks.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let rule: String
    let verification: any Verification
    /// Other rules that fit as well.
    var orRules: [String] = []

    var testDescription: String { "\(verification.name), \(rule)" }
  }

  static let mistakes: [Mistake] = [
    Mistake(rule: "P-07", verification: PublisherVerification("PagedPhotos").finite { PagedPhotos(count: $0) }),
    Mistake(rule: "P-05", verification: PublisherVerification("LinesReader").finite { LinesReader(count: $0) }),
    Mistake(rule: "S-04", verification: PublisherVerification("Countdown").finite { Countdown(count: $0) }),
    Mistake(rule: "M-02", verification: PublisherVerification("LeasePool").finite { LeasePool(count: $0) }),
    Mistake(
      rule: "J-02",
      verification: SubjectVerification("ReplayCache") { ReplayCache<VerificationError>() }
        .replaying(3, afterEnd: true)),
    Mistake(rule: "S-06", verification: SubjectVerification("SocketFeed") { SocketFeed<VerificationError>() }),
    Mistake(
      rule: "O-12",
      verification: OperatorVerification("RetryUpTo") { RetryUpTo(upstream: $0) }.traits(.catchesFailure)),
    Mistake(rule: "O-04", verification: OperatorVerification("EveryThird") { EveryThird(upstream: $0) }),
    Mistake(
      rule: "C-01", verification: OperatorVerification("ReadAhead") { ReadAhead(upstream: $0) }.traits(.prefetches(4))),
    Mistake(rule: "C-05", verification: OperatorVerification("RunningTotal") { RunningTotal(upstream: $0) }),
  ]

  static let correct: [any Verification] = [
    PublisherVerification("PagedInvoices").finite { PagedInvoices(count: $0) },
    PublisherVerification("BlockReader").finite { BlockReader(count: $0) },
    PublisherVerification("LeasedSlots").finite { LeasedSlots(count: $0) },
    PublisherVerification("MergedHalves").finite { MergedHalves(count: $0) },
    SubjectVerification("ReplayShelf") { ReplayShelf<VerificationError>() }.replaying(3, afterEnd: true),
    SubjectVerification("SocketWire") { SocketWire<VerificationError>() },
    OperatorVerification("RetryThrice") { RetryThrice(upstream: $0) }.traits(.catchesFailure),
    OperatorVerification("PairBatches") { PairBatches(upstream: $0) }.traits(.consumes(2)),
    OperatorVerification("PrefetchFour") { PrefetchFour(upstream: $0) }.traits(.prefetches(4)),
    OperatorVerification("PlainTotal") { PlainTotal(upstream: $0) },
  ]

  /// The mistakes of all authors, in a constant with a type: a sum of six is too much for the type checker.
  static let allMistakes: [Mistake] = [
    mistakes, secondMistakes, thirdMistakes, fourthMistakes, fifthMistakes, sixthMistakes,
  ].flatMap { $0 }

  static let allCorrect: [any Verification] = [correct, secondCorrect, thirdCorrect, sixthCorrect].flatMap { $0 }

  @Test(.hasOwnProcesses, arguments: allMistakes)
  func `Each mistake is found by the rule that it breaks`(_ mistake: Mistake) async {
    let report = await mistake.verification.report()
    let found = report.broken.map(\.rule.id)
    #expect(([mistake.rule] + mistake.orRules).contains(where: found.contains), "\(report)")
  }

  @Test(arguments: allCorrect)
  func `What is correct raises nothing`(_ verification: any Verification) async {
    let report = await verification.report()
    #expect(report.failures.isEmpty, "\(report)")
  }
}

// What they do, as their author describes it.
//
// name         | kind           | rule | what a developer would see
// PagedPhotos  | cold publisher | P-07 | with 8 photos and a demand of 8 the stream never ends; with 7 of 7 it does
// LinesReader  | cold publisher | P-05 | asked line by line, only every third line arrives
// Countdown    | cold publisher | S-04 | a screen that closes itself on the last tick is told about the end afterwards
// LeasePool    | cold publisher | M-02 | view models of finished streams stay alive as long as the pool
// ReplayCache  | subject        | J-02 | finished, then failed by a late timeout: a later subscriber gets the failure
// SocketFeed   | subject        | S-06 | one listener cancels twice, and another goes silent forever
// RetryUpTo    | operator       | O-12 | after a failure nothing more reaches a subscriber that asks by returning
// EveryThird   | operator       | O-04 | works with `sink`; asked for one at a time, it delivers one value and waits
// ReadAhead    | operator       | C-01 | the end arrives on a second thread while the last value is being handled
// RunningTotal | operator       | C-05 | `cancel` on the main thread hangs until the subscriber's slow callback returns
//
// PagedInvoices | cold publisher | none | every invoice, and the end with the last one
// BlockReader   | cold publisher | none | every line, however demand comes
// LeasedSlots   | cold publisher | none | every slot; subscriber and lease are gone at the end and after `cancel`
// MergedHalves  | cold publisher | none | even and odd numbers in turn
// ReplayShelf   | subject        | none | the last three values and the end, also when late; nothing is lost
// SocketWire    | subject        | none | what was asked for when it was sent, in one order
// RetryThrice   | operator       | none | up to four attempts that look like one stream
// PairBatches   | operator       | none | pairs, a last single one, and failures at once
// PrefetchFour  | operator       | none | upstream is at most four values ahead
// PlainTotal    | operator       | none | the sum so far, for every value
