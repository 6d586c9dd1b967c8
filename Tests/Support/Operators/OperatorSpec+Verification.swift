// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
public import PenstockTesting

extension OperatorSpec {
  /// The operator's verification by the product, with the facts from its line in the list.
  public var verification: OperatorVerification {
    // This operator ends after two seconds, whatever else happens: it has to live for some steps of a check.
    let pause: VirtualTime.Stride = name == "prefix(untilOutputFrom:), later" ? 0.01 : 3
    var verification = OperatorVerification(name, input: { $0 + 1 }, failure: mayFail ? TestError.oops : nil) {
      (upstream: VerificationUpstream<Int, TestError>) in
      let clock = Clock()
      return Driven(apply(upstream.eraseToAnyPublisher(), clock: clock), settle: { clock.advance(by: pause) })
    }
    if requests == .more || isTakingAll { verification = verification.traits(.requestsEverything) }
    if requests == .oneByOne { verification = verification.traits(.prefetches(1)) }
    if traits.contains(.shares) { verification = verification.traits(.shared, .dropsUnrequested) }
    if name.hasPrefix("share(") { verification = verification.traits(.shared) }
    if name == "shareReplay" { verification = verification.traits(.shared, .staysConnected) }
    if let variation {
      verification = verification.traits(.variesWithDemand(variation))
      if variation == .values { verification = verification.traits(.dropsUnrequested) }
    }
    if name.hasPrefix("ignoreOutput") || name == "flatMap, no values" {
      verification = verification.traits(.deliversNothing)
    }
    if isCatching { verification = verification.traits(.catchesFailure) }
    for (rule, reason) in waivers { verification = verification.waiving(rule, because: reason) }
    return verification
  }

  /// How its values depend on when they are requested.
  private var variation: DemandVariation? {
    if isLatest || name == "combined with itself" { return .allButTheLast }
    return varies.map { $0 == "its streams take turns" ? .order : .values }
  }

  /// Whether it does something else with a failure than forward it.
  private var isCatching: Bool {
    ["replaceError", "catch", "tryCatch", "retry", "materialize", "mapToResult", "ignoreFailure", "repeat", "buffer,"]
      .contains { name.hasPrefix($0) }
  }

  /// Whether it requests everything, or as much as it combines into one, though its line does not say so.
  private var isTakingAll: Bool {
    ["debounce", "throttle", "collect by", "sum by", "sample"].contains { name.hasPrefix($0) }
  }

  /// Whether a value that arrives before the other upstreams have one uses up its demand, as in Combine.
  private var isLatest: Bool { name.hasPrefix("combineLatest") || name == "and" || name == "or" }

  /// The rules that it breaks on purpose, mostly as Combine's operators do, with the reasons.
  private var waivers: [String: String] {
    var waivers: [String: String] = [:]
    for (beginning, rule, reason) in Self.waived where name.hasPrefix(beginning) { waivers[rule] = reason }
    if let collected, collected.emptyResult == nil {
      waivers["P-07"] = "an end without a result waits for demand, as in Combine"
    }
    if isLatest { waivers["P-07"] = "the other upstreams have values, which have to be requested before their ends" }
    if traits.contains(.shares) { waivers["R-02"] = "a subject takes several upstreams, as in Combine" }
    return waivers
  }

  /// By the beginnings of the lines' names.
  private static let waived: [(String, String, String)] = [
    ("buffer,", "P-07", "the end waits behind the buffer for demand, as in Combine"),
    ("andThen, behind", "P-07", "the one before has values, which have to be requested"),
    ("materialize, dematerialize", "P-07", "the end is a value between the two, which needs demand"),
    ("concatMap, two each", "P-07", "the last of two values is dropped behind it"),
    ("expand, one at a time", "P-07", "the last of two values is dropped behind it"),
    ("ignoreOutput", "R-02", "it requests of each subscription that it passes on, as Combine's"),
    ("sample", "R-02", "upstream is shared by both sides in this line"),
    ("create, on demand", "R-02", "the closure of this line keeps the latest subscription"),
    ("ReplaySubject", "R-02", "a subject takes several upstreams, as in Combine"),
  ]
}
