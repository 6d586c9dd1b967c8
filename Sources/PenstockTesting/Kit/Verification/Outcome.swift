// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What came of one rule, always with the reason.
public enum Outcome: Sendable {
  /// The rule was kept, by what was tried.
  case held(String)
  /// The rule is broken.
  case broken(Finding)
  /// The rule has nothing to say about this subject.
  case notApplicable(String)
  /// Nothing can be said, because something else went wrong first, or the system cannot run the check.
  case inconclusive(String)
  /// The rule is broken, and its author has said why.
  case waived(String)

  /// How a rule was broken.
  public struct Finding: Sendable {
    /// What happened, in words.
    public let text: String

    /// The run, as a table with the bad step marked; empty where there is none.
    public let trace: String

    /// Whether the check has crashed or hung, which tells that something is broken, but not what.
    var isStop = false
  }

  /// The outcome in one word.
  public var word: String {
    switch self {
    case .held: "held"
    case .broken: "broken"
    case .notApplicable: "not applicable"
    case .inconclusive: "inconclusive"
    case .waived: "waived"
    }
  }

  /// The reason in words.
  public var reason: String {
    switch self {
    case .held(let text), .notApplicable(let text), .inconclusive(let text), .waived(let text): text
    case .broken(let finding): finding.text
    }
  }

  /// Whether the rule is broken without a waiver.
  public var isBroken: Bool { if case .broken = self { true } else { false } }
}

/// One rule and what came of it.
public struct VerificationResult: Sendable, CustomStringConvertible {
  /// The name of the publisher, operator or subscriber.
  public let subject: String

  /// The rule.
  public let rule: Rule

  /// What came of it.
  public let outcome: Outcome

  /// A line, and for a broken rule the whole finding: the trace, the likely cause, where the rule is explained, and the call
  /// that shows the same again.
  public var description: String {
    let mark = outcome.isBroken ? (rule.severity == .warning ? "⚠" : "✘") : "·"
    var lines = ["\(mark) \(rule)  [\(outcome.word), \(rule.severity.rawValue)]  \(subject): \(outcome.reason)"]
    if case .broken(let finding) = outcome {
      if !finding.trace.isEmpty { lines.append(finding.trace) }
      lines.append("  Likely cause: \(rule.cause)")
      lines.append("  Explained in: PenstockTesting, Rules, \(rule.id)   Again: try verification.check(\"\(rule.id)\")")
    }
    return lines.joined(separator: "\n")
  }
}

/// All rules of a verification, and what came of them.
public struct VerificationReport: Sendable, CustomStringConvertible {
  /// The name of the publisher, operator or subscriber.
  public let subject: String

  /// The results, in the order of the rules.
  public let results: [VerificationResult]

  /// The waivers of rules that hold, or that do not apply: they should go.
  public let unusedWaivers: [Rule]

  /// The results of the rules that are broken without a waiver; warnings as well.
  public var broken: [VerificationResult] { results.filter(\.outcome.isBroken) }

  /// The results that are a failure: broken rules that are no mere warnings.
  public var failures: [VerificationResult] { broken.filter { $0.rule.severity != .warning } }

  /// Throws one failure with everything that was found, if something is wrong.
  func check(file: StaticString, line: UInt) throws {
    if failures.isEmpty, unusedWaivers.isEmpty { return }
    throw TestFailure(description, file: file, line: line)
  }

  /// The report as text: each finding in full, then one line for each other rule.
  public var description: String {
    let counts = ["held", "broken", "waived", "not applicable", "inconclusive"].map { word in
      "\(results.count { $0.outcome.word == word }) \(word)"
    }
    var lines = ["\(subject): \(counts.joined(separator: ", "))"]
    lines += broken.map(\.description)
    lines += results.filter { !$0.outcome.isBroken }.map(\.description)
    lines += unusedWaivers.map { "⚠ \($0): the waiver is not used; take it out" }
    return lines.joined(separator: "\n")
  }

  /// The report as a table in Markdown, for the page of a library.
  public var markdown: String {
    (["| rule | | outcome |", "|---|---|---|"]
      + results.map { "| \($0.rule.id) | \($0.rule.title) | \($0.outcome.word): \($0.outcome.reason) |" })
      .joined(separator: "\n")
  }
}
