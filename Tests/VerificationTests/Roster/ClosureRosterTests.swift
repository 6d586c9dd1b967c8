// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockOperators
import PenstockTesting
import Testing

/// Operators with a closure of the user, one of each shape: no lock is held while the closure runs.
@Suite struct ClosureRosterTests {
  typealias Upstream = VerificationUpstream<Int, VerificationError>

  static let all: [OperatorVerification] = [
    calling("map") { upstream, call in upstream.map { called($0, call) } },
    calling("tryMap") { upstream, call in upstream.tryMap { called($0, call) } },
    calling("filter") { upstream, call in upstream.filter { called($0, call) >= 0 } },
    calling("scan") { upstream, call in upstream.scan(0) { $0 + called($1, call) } },
    calling("removeDuplicates") { upstream, call in
      upstream.prepend(-1).removeDuplicates { called($0, call) == $1 }
    },
    calling("prefix(while:)") { upstream, call in upstream.prefix { called($0, call) >= 0 } },
    calling("reduce") { upstream, call in upstream.first().reduce(0) { $0 + called($1, call) } },
    calling("flatMap") { upstream, call in upstream.flatMap { Just(called($0, call)) } },
    calling("switchToLatest") { upstream, call in upstream.map { Just(called($0, call)) }.switchToLatest() },
    calling("combineLatest") { upstream, call in
      upstream.combineLatest(Just(0).setFailureType(to: VerificationError.self)) { value, _ in called(value, call) }
    },
    calling("zip") { upstream, call in
      upstream.zip(Just(0).setFailureType(to: VerificationError.self)) { value, _ in called(value, call) }
    },
    calling("withLatestFrom") { upstream, call in
      upstream.withLatestFrom(Just(0).setFailureType(to: VerificationError.self)) { value, _ in called(value, call) }
    },
    calling("tryMap(skippingFailures:)") { upstream, call in
      upstream.tryMap(skippingFailures: { _, _ in call() }) { _ in throw VerificationError.thrown }
    },
    calling("handleEvents") { upstream, call in upstream.handleEvents(receiveOutput: { _ in call() }) },
  ]

  private static func calling<P: Publisher>(
    _ name: String, _ apply: @escaping @Sendable (Upstream, @escaping @Sendable () -> Void) -> P
  ) -> OperatorVerification {
    // The operator itself is in the other rosters: this one is about its closure.
    OperatorVerification(name) { upstream in upstream }.calling(apply)
  }

  private static func called(_ number: Int, _ call: () -> Void) -> Int {
    call()
    return number
  }

  @Test(arguments: all)
  func `No lock is held while an operator's closure runs`(_ verification: OperatorVerification) {
    let result = verification.result(of: Rule.named("C-05")!)
    #expect(result.outcome.word == "held", "\(result)")
    #expect(result.outcome.reason.contains("the operator's closure"))
  }
}
