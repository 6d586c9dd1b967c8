// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The result of the check of one rule: an outcome, and the breaks of other rules that the check has seen on its way.
public struct Examination: Sendable {
  /// The outcome for the rule.
  public var outcome: Outcome

  /// The breaks of other rules that were seen; each counts under its own rule.
  public var seen: [Rule: Outcome.Finding]

  /// Creates an examination.
  public init(_ outcome: Outcome, seen: [Rule: Outcome.Finding] = [:]) { (self.outcome, self.seen) = (outcome, seen) }
}

extension Examination {
  /// Runs a check, and notes what it has found and what it has reached.
  ///
  /// - Parameters:
  ///   - hasThreads: Whether the subject has threads of its own, according to its author.
  ///   - deliversNothing: Whether no values are to be expected, according to the subject's author.
  init(of rule: Rule, hasThreads: Bool, deliversNothing: Bool, _ check: () throws -> String) {
    let log = CheckLog(hasThreads: hasThreads)
    log.adoptThread()
    outcome = Threads.$owner.withValue(log) { Outcome(of: check) }
    seen = log.seen
    let own = seen.removeValue(forKey: rule)
    if case .held(let claim) = outcome {
      outcome = own.map { .broken($0) } ?? Self.held(claim, rule, log.tally, deliversNothing: deliversNothing)
    }
    if let obstacle = log.obstacle, !outcome.isBroken { outcome = .inconclusive(obstacle) }
  }

  /// The outcome of a check that ran to its end: its claim, if it has met what the rule is about.
  private static func held(_ claim: String, _ rule: Rule, _ tally: Tally, deliversNothing: Bool) -> Outcome {
    guard let missing = rule.missing(in: tally) else {
      return .held(tally.words.isEmpty ? claim : "\(claim) (\(tally.words))")
    }
    if deliversNothing { return .notApplicable("it delivers no values, by its author") }
    let reached = tally.words.isEmpty ? "nothing" : tally.words
    return .inconclusive("the check has met no \(missing), so nothing can be said; it has met \(reached)")
  }

  // MARK: As text, between processes

  private static let (ofFields, ofFindings) = ("\u{1F}", "\u{1C}")

  /// The examination as one text, from which it can be read again.
  var coded: String {
    let finding: Outcome.Finding? = if case .broken(let finding) = outcome { finding } else { nil }
    let first = [outcome.word, outcome.reason, finding?.trace ?? "", finding?.stop?.rawValue ?? ""]
    let others = seen.map { [$0.key.id, $0.value.text, $0.value.trace, $0.value.stop?.rawValue ?? ""] }
    return ([first] + others).map { $0.joined(separator: Self.ofFields) }.joined(separator: Self.ofFindings)
  }

  init?(coded: String) {
    let parts = coded.split(separator: Self.ofFindings, omittingEmptySubsequences: false).map {
      $0.split(separator: Self.ofFields, omittingEmptySubsequences: false).map(String.init)
    }
    guard let first = parts.first, parts.allSatisfy({ $0.count == 4 }) else { return nil }
    func finding(_ part: [String]) -> Outcome.Finding {
      .init(text: part[1], trace: part[2], stop: Outcome.Stop(rawValue: part[3]))
    }
    switch first[0] {
    case "held": outcome = .held(first[1])
    case "broken": outcome = .broken(finding(first))
    case "not applicable": outcome = .notApplicable(first[1])
    case "inconclusive": outcome = .inconclusive(first[1])
    default: return nil
    }
    seen = [:]
    for part in parts.dropFirst() { if let rule = Rule.named(part[0]) { seen[rule] = finding(part) } }
  }
}
