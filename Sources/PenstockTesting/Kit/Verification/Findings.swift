// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The findings of the checks of some rules: each break under its rule, whichever check has seen it, and in an order.
struct Findings {
  /// The rules that count, in the order of the documentation.
  let rules: [Rule]

  /// The rules that are being checked, or have been.
  var underWay: Set<Rule> = []

  private var examinations: [Rule: Examination] = [:]

  init(rules: [Rule]) { self.rules = rules }

  subscript(_ rule: Rule) -> Examination? {
    get { examinations[rule] }
    set { examinations[rule] = newValue }
  }

  /// The outcomes.
  ///
  /// A rule that was seen broken is broken; a break that another one may have caused names that one.
  var outcomes: [Rule: Outcome] {
    var outcomes = examinations.mapValues(\.outcome)
    for rule in rules {
      guard let seen = examinations[rule]?.seen else { continue }
      for (other, finding) in seen where rules.contains(other) && outcomes[other]?.isBroken != true {
        var finding = finding
        finding.seenBy = rule
        outcomes[other] = .broken(finding)
      }
    }
    var leaders: [Rule: Rule] = [:]
    func wasMet(_ rule: Rule) -> Bool {
      if case .broken(let finding) = outcomes[rule] { finding.seenBy != nil } else { false }
    }
    // First what the catalogue says, then what a check has seen on its way.
    for candidates in [mayFollow, sawFirst] {
      // Breaks that were met elsewhere come first: the check that looks for them leads.
      for rule in rules.filter(wasMet) + rules.filter({ !wasMet($0) }) where leaders[rule] == nil {
        guard case .broken(let finding) = outcomes[rule] else { continue }
        leaders[rule] = candidates(rule, finding, outcomes).first { leader in
          leader != rule && outcomes[leader]?.isBroken == true && !isBehind(leader, rule, leaders)
        }
      }
    }
    for (rule, leader) in leaders {
      guard case .broken(var finding) = outcomes[rule] else { continue }
      finding.follows = leader
      outcomes[rule] = .broken(finding)
    }
    return outcomes
  }

  /// The rules whose breaks may have caused the break of a rule.
  private func mayFollow(_ rule: Rule, _ finding: Outcome.Finding, _ outcomes: [Rule: Outcome]) -> [Rule] {
    guard finding.stop != nil else { return (finding.seenBy == nil ? [] : rule.particular) + rule.prerequisites }
    // A break that was met elsewhere belongs to the check that looks for it, if one of them has found it.
    if finding.seenBy != nil { return Rule.ofStops }
    let found = Rule.ofAnyStop.filter { other in
      guard case .broken(let found) = outcomes[other] else { return false }
      return found.seenBy == nil && !other.prerequisites.contains(rule)
    }
    return (Rule.ofStops.contains(rule) ? [] : Rule.ofStops) + found + rule.prerequisites
  }

  /// The rules that the check of this one has seen broken.
  private func sawFirst(_ rule: Rule, _ finding: Outcome.Finding, _ outcomes: [Rule: Outcome]) -> [Rule] {
    if finding.stop != nil || finding.seenBy != nil { return [] }
    return rules.filter { examinations[rule]?.seen[$0] != nil }
  }

  private func isBehind(_ leader: Rule, _ rule: Rule, _ leaders: [Rule: Rule]) -> Bool {
    var next: Rule? = leader
    while let one = next {
      if one == rule { return true }
      next = leaders[one]
    }
    return false
  }
}
