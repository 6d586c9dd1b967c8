// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The result of one rule.
public struct DeliveryResult: Sendable, CustomStringConvertible {
  /// The outcome of the check of a rule.
  public enum Outcome: Sendable, Hashable {
    /// The rule was kept in everything that was tried.
    case held
    /// The rule is broken; with what was seen.
    case broken(String)
    /// The rule is broken, and the engine's author has said why.
    case waived(String)
    /// The rule is about a capability that the engine does not have.
    case notApplicable(String)
    /// Nothing can be said, because there was no engine to check.
    case inconclusive(String)

    /// The outcome in one word.
    public var word: String {
      switch self {
      case .held: "held"
      case .broken: "broken"
      case .waived: "waived"
      case .notApplicable: "not applicable"
      case .inconclusive: "inconclusive"
      }
    }

    /// What was seen, or the reason; empty for a rule that held.
    public var reason: String {
      switch self {
      case .held: ""
      case .broken(let text), .waived(let text), .notApplicable(let text), .inconclusive(let text): text
      }
    }
  }

  /// The name of the engine.
  public let subject: String

  /// The rule.
  public let rule: DeliveryRule

  /// The outcome of its check.
  public let outcome: Outcome

  /// Whether the result is a failure: the rule is broken without a waiver, or nothing can be said about it.
  public var isFailure: Bool {
    switch outcome {
    case .broken, .inconclusive: true
    case .held, .waived, .notApplicable: false
    }
  }

  /// A line, and for a broken rule the whole finding: what was seen, why it matters, the remedy, where the rule is
  /// explained, and the call that checks it again.
  public var description: String {
    let reason = outcome.reason.isEmpty ? "" : ": \(outcome.reason)"
    let line = "\(rule)  [\(outcome.word)]  \(subject)\(reason)"
    guard case .broken = outcome else { return (isFailure ? "✘ " : "· ") + line }
    return """
      ✘ \(line)
        Why: \(rule.rationale)
        Fix: \(rule.remedy)
        Explained in: PenstockDeliveryTesting, Rules, \(rule.id)   Again: try await verification.check("\(rule.id)")
      """
  }
}

/// The results of all rules of a verification.
public struct DeliveryReport: Sendable, CustomStringConvertible {
  /// The name of the engine.
  public let subject: String

  /// The results, in the order of the rules.
  public let results: [DeliveryResult]

  /// The waivers of rules that hold, or that do not apply: they should go.
  public let unusedWaivers: [DeliveryRule]

  /// The results that are a failure; empty for an engine that keeps the rules.
  public var failures: [DeliveryResult] { results.filter(\.isFailure) }

  /// The report as text: each failure in full, then one line for each other rule.
  public var description: String {
    let counts = ["held", "broken", "waived", "not applicable", "inconclusive"].map { word in
      "\(results.count { $0.outcome.word == word }) \(word)"
    }
    var lines = ["\(subject): \(counts.joined(separator: ", "))"]
    lines += failures.map(\.description)
    lines += unusedWaivers.map { "⚠ \($0): the waiver is not used; take it out" }
    lines += results.filter { !$0.isFailure }.map(\.description)
    return lines.joined(separator: "\n")
  }

  /// The report as a table in Markdown, for the page of an adapter.
  public var markdown: String {
    let rows = results.map { result in
      // A line end, or a bar, would end the cell.
      let reason = result.outcome.reason.replacing("|", with: "\\|").split(whereSeparator: \.isNewline).joined(
        separator: " ")
      let outcome = [result.outcome.word, reason].filter { !$0.isEmpty }.joined(separator: ": ")
      return "| \(result.rule.id) | \(result.rule.title) | \(outcome) |"
    }
    return (["| rule | | outcome |", "|---|---|---|"] + rows).joined(separator: "\n")
  }
}

/// The error that a verification throws if an engine does not keep the rules.
public struct DeliveryVerificationError: Error, Sendable, CustomStringConvertible {
  /// The results of the rules that were checked.
  public let report: DeliveryReport

  /// The report as text; that of one rule is its result alone.
  public var description: String {
    guard report.results.count == 1, report.unusedWaivers.isEmpty else { return report.description }
    return report.results[0].description
  }
}
