// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// Everything of the library that works on a scheduler, verified on the kit's scheduler.
extension Roster {
  static let timedOperators: [OperatorVerification] = [
    OperatorVerification("receive(on:)") { $0.receive(on: $1) },
    OperatorVerification("subscribe(on:)", on: .subscriptions) { $0.subscribe(on: $1) },
    OperatorVerification("delay") { $0.delay(for: 1, scheduler: $1) },
    OperatorVerification("debounce") { $0.debounce(for: 0.3, scheduler: $1) }
      .traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("throttle, latest") { $0.throttle(for: 1, scheduler: $1, latest: true) }
      .traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("throttle, first") { $0.throttle(for: 1, scheduler: $1, latest: false) }
      .traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("timeout") { $0.timeout(1_000_000, scheduler: $1) },
    OperatorVerification("measureInterval", on: .time) { $0.measureInterval(using: $1) }
      .traits(.variesWithDemand(.values)),
    OperatorVerification("collect by time") { $0.collect(.byTime($1, 1)) }
      .traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("collect by time or count") { $0.collect(.byTimeOrCount($1, 1, 3)) }
      .traits(.requestsEverything, .dropsUnrequested),
    // How values are grouped depends on when they are requested; the values do not.
    OperatorVerification("collect by weight") {
      $0.collect(upTo: 4, weight: 9, within: 1, scheduler: $1) { _ in 3 }
        .flatMap(maxPublishers: .max(1)) { $0.publisher }
    }
    .traits(.prefetches(4)),
    OperatorVerification("pace", on: .time) { $0.pace(1, per: .seconds(1), burst: 3, scheduler: $1) },
    OperatorVerification("pace, by cost", on: .time) {
      $0.pace(1, per: .seconds(1), burst: 3, scheduler: $1) { _ in 2 }
    },
    OperatorVerification("window(for:)", on: .time) {
      $0.window(for: 1, scheduler: $1).flatMap(maxPublishers: .max(1)) { $0 }
    }
    .traits(.prefetches(2)),
    // A single group, since the values of several groups are not in upstream's order when they have waited.
    OperatorVerification("grouped, idle", on: .time) {
      $0.grouped(by: { _ in 0 }, buffer: 2, idleAfter: 1_000_000, scheduler: $1).flatMap { $0 }
    }
    .traits(.prefetches(3)),
    OperatorVerification("share(keepingFor:)", on: .time) { $0.share(keepingFor: 1, scheduler: $1) }
      .traits(.requestsEverything, .dropsUnrequested, .shared),
    OperatorVerification("share(replay:keepingFor:)", on: .time) {
      $0.share(replay: 1_000, keepingFor: 1, scheduler: $1)
    }
    .traits(.requestsEverything, .shared),
    OperatorVerification("receive(on:upTo:)") { $0.receive(on: $1, upTo: 2) },
    OperatorVerification("delaySubscription", on: .time) { $0.delaySubscription(for: 1, scheduler: $1) },
    OperatorVerification("timeout(first:)", on: .time) { $0.timeout(first: 1_000_000, scheduler: $1) },
    OperatorVerification("stalled") { $0.stalled(after: 1_000_000, scheduler: $1) },
    OperatorVerification("timestamp", on: .time) { $0.timestamp(using: $1).map(\.value) }
      .waiving("O-14", because: "it is a `map`, which passes what comes, as Combine's does"),
    OperatorVerification("circuitBreaker", on: .time) {
      $0.circuitBreaker(CircuitBreaker(failures: .max, resetAfter: 1, scheduler: $1))
        .mapError { (_) -> VerificationError in .failed }
    }
    .waiving("O-14", because: "it is a `handleEvents`, which passes what comes, as Combine's does"),
    OperatorVerification("debounce, by value") { $0.debounce(for: { _ in 0.3 }, scheduler: $1) }
      .traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("throttle, leading") {
      $0.throttle(for: 1, scheduler: $1, leading: true, trailing: false)
    }
    .traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("throttle, trailing") {
      $0.throttle(for: 1, scheduler: $1, leading: false, trailing: true)
    }
    .traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("throttle, reducing") { $0.throttle(for: 1, scheduler: $1, reducing: { $1 }) }
      .traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("retry, deciding", on: .time) {
      $0.retry(.fixed(1, delay: .seconds(1)).resetsOnValue(), scheduler: $1) { _ in .after(2) }
    }.traits(.catchesFailure),
    OperatorVerification("drop(duration:)", on: .time) { $0.drop(duration: 1, on: $1) }
      .waiving("P-05", because: "what comes within the time is skipped, and a later request is answered later")
      .waiving("P-11", because: "what is requested at once comes within the time, and is skipped"),
    OperatorVerification("prefix(duration:)", on: .time) { $0.prefix(duration: 1_000_000, on: $1) },
    OperatorVerification("throttle(while:)") {
      $0.throttle(while: Just(false).append(Empty(completeImmediately: false)), initialThrottle: false, on: $1)
    }.traits(.requestsEverything, .dropsUnrequested),
    OperatorVerification("retry(_:delay:)", on: .time) { $0.retry(1, delay: 1, scheduler: $1) }.traits(.catchesFailure),
    OperatorVerification("retry, with a policy", on: .time) {
      $0.retry(.fixed(1, delay: .seconds(1)), scheduler: $1)
    }.traits(.catchesFailure),
    OperatorVerification("sample", on: .time) {
      $0.sample(Publishers.interval(1, scheduler: $1).setFailureType(to: VerificationError.self))
    }
    .traits(.requestsEverything, .dropsUnrequested),
  ]

  static let timedPublishers: [PublisherVerification] = [
    PublisherVerification("interval").ticking(every: 2) { Publishers.interval(2, scheduler: $0) }
  ]
}

@Suite struct TimeRosterTests {
  @Test(arguments: Roster.timedOperators as [any Verification] + Roster.timedPublishers as [any Verification])
  func `Everything that works on a scheduler keeps the rules`(_ verification: any Verification) async {
    let report = await judge(verification)
    let times = report.results.filter { ["T-01", "T-04"].contains($0.rule.id) }
    #expect(times.allSatisfy { $0.outcome.word == "held" }, "\(times)")
  }

  @Test func `Every operator that takes a scheduler is in the roster`() throws {
    let lines = Roster.timedOperators.map(\.name) + Roster.timedPublishers.map(\.name)
    let names = Set(lines.map { String($0.prefix { $0.isLetter }) })
    for folder in ["PenstockCore/Operators", "PenstockOperators"] {
      let found = try PublicNames.scheduled(in: folder)
      #expect(found.subtracting(names).sorted() == [])
      #expect(found.count >= 3)
    }
  }
}
