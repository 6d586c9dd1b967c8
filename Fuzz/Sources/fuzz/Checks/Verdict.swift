// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A rule that a run can break.
enum Rule: String, CaseIterable, Sendable {
  case grammar, demand, serial, introduction, cancel, order, conservation, presentation, synchronous, end, memory, rest
  /// Found by the parent process: a trap, a hang, or a race that the thread sanitizer reports.
  case trap, hang, race

  /// The requirement of the rule.
  var text: String {
    switch self {
    case .grammar: "one subscription first, then values, then at most one completion"
    case .demand: "no value that was not asked for"
    case .serial: "no two deliveries to one subscriber at once, from two threads"
    case .introduction: "no delivery while another thread hands over the subscription"
    case .cancel: "no delivery starts after a cancel"
    case .order: "the values of one sender come in its order, and none comes twice"
    case .conservation: "all values arrive where everything was asked for"
    case .presentation: "the present value arrives before subscribe returns, on that thread"
    case .synchronous: "the subscription arrives before subscribe returns"
    case .end: "a stream ends when what it is made of has ended"
    case .memory: "when all is over, nothing is in memory"
    case .rest: "when all is cancelled, nothing goes on being scheduled"
    case .trap: "the process does not stop"
    case .hang: "the process goes on"
    case .race: "the thread sanitizer has nothing to report"
    }
  }
}

/// The rules that a run has broken.
enum Verdict {
  struct Failure: Sendable {
    var rule: Rule
    var detail: String
  }

  private static let found = Guard<[Failure]>([])
  private static let waived = Guard<Set<Rule>>([])

  static func waive(_ rules: [Rule]) { waived.change { $0 = Set(rules) } }

  static func isWaived(_ rule: Rule) -> Bool { waived.value.contains(rule) }

  static func report(_ rule: Rule, _ detail: @autoclosure () -> String) {
    guard !waived.value.contains(rule) else { return }
    let failure = Failure(rule: rule, detail: detail())
    found.change { if $0.count < 8 { $0.append(failure) } }
  }

  static var failures: [Failure] { found.value }
}
