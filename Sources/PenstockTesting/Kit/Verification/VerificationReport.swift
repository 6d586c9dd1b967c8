// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The result of one rule.
public struct VerificationResult: Sendable, CustomStringConvertible {
  /// The name of the publisher, operator or subscriber.
  public let subject: String

  /// The rule.
  public let rule: Rule

  /// The outcome of its check.
  public let outcome: Outcome

  /// Whether the rule is broken in a way that counts: a stop counts whatever the rule's severity, any other break of a
  /// warning does not.
  public var isFailure: Bool {
    guard case .broken(let finding) = outcome else { return false }
    return finding.stop != nil || rule.severity != .warning
  }

  /// Another broken rule whose break may have caused this one.
  var follows: Rule? { if case .broken(let finding) = outcome { finding.follows } else { nil } }

  /// A line, and for a broken rule the whole finding: the trace, the usual cause, where the rule is explained, and the
  /// call that reproduces it.
  public var description: String {
    guard case .broken(let finding) = outcome else { return "· \(line)" }
    var lines = [(isFailure ? "✘ " : "⚠ ") + line]
    if let other = finding.seenBy { lines.append("  Seen while \(other.id) was checked.") }
    if let other = finding.follows { lines.append("  \(other.id) is broken, too, and may be why: look there first.") }
    if !finding.trace.isEmpty { lines.append(finding.trace) }
    // A stop of the process says so itself, and the usual cause of the rule would be a guess.
    if finding.stop == nil { lines.append("  Often: \(rule.cause)") }
    let again = finding.seenBy ?? rule
    lines.append("  Explained in: PenstockTesting, Rules, \(rule.id)   Again: try verification.check(\"\(again.id)\")")
    return lines.joined(separator: "\n")
  }

  /// The line alone.
  var line: String {
    var severity = rule.severity.rawValue
    if case .broken(let finding) = outcome, finding.stop != nil { severity = Rule.Severity.fatal.rawValue }
    return "\(rule)  [\(outcome.word), \(severity)]  \(subject): \(outcome.reason)"
  }
}

/// The results of all rules of a verification.
public struct VerificationReport: Sendable, CustomStringConvertible {
  /// The name of the publisher, operator or subscriber.
  public let subject: String

  /// The results, in the order of the rules.
  public let results: [VerificationResult]

  /// The waivers of rules that hold, or that do not apply: they should go.
  public let unusedWaivers: [Rule]

  /// The results of the rules that are broken without a waiver; warnings as well.
  public var broken: [VerificationResult] { results.filter(\.outcome.isBroken) }

  /// The results of the rules that are broken on their own, without breaks that another one may have caused: usually
  /// one for each mistake.
  public var leading: [VerificationResult] { broken.filter { $0.follows == nil } }

  /// The results that are a failure: broken rules that are not just warnings, and everything that stops the process.
  public var failures: [VerificationResult] { results.filter(\.isFailure) }

  /// The results of the rules that are inconclusive.
  public var open: [VerificationResult] { results.filter(\.outcome.isOpen) }

  /// The reasons why the report is a failure, a line for each; empty if it is not.
  ///
  /// - Parameter judgement: What counts as a failure.
  public func complaints(_ judgement: Judgement = .standard) -> [String] {
    var lines: [String] = []
    let counted = judgement == .strict ? broken : failures
    if !counted.isEmpty { lines.append("broken: " + counted.map(\.rule.id).joined(separator: ", ")) }
    let applicable = results.filter { if case .notApplicable = $0.outcome { false } else { true } }
    let unlooked = open.filter { !isExpected($0) }
    if judgement == .strict, !unlooked.isEmpty {
      lines.append("nothing can be said of " + unlooked.map(\.rule.id).joined(separator: ", "))
    } else if open.count * 2 > applicable.count {
      let reasons = Dictionary(grouping: open, by: \.outcome.reason).max { $0.value.count < $1.value.count }
      lines.append(
        "nothing can be said of \(open.count) of \(applicable.count) rules, mostly because: \(reasons?.key ?? "")")
    }
    lines += unusedWaivers.map { "the waiver of \($0.id) is not used; take it out" }
    return lines
  }

  /// Whether a rule is open on this system or in this build, whatever the subject is.
  ///
  /// C-07 needs the thread sanitizer; a rule whose break may be a legal stop of the process needs another process,
  /// which not every system can make, and which a subject with threads cannot use.
  private func isExpected(_ result: VerificationResult) -> Bool {
    result.rule == .cleanUnderSanitizer || ThreadSanitizer.isPresent
      || result.outcome.reason == Execution.needsProcess
  }

  /// Throws one failure with everything that was found, if something is wrong.
  func check(_ judgement: Judgement, file: StaticString, line: UInt) throws {
    let complaints = complaints(judgement)
    if complaints.isEmpty { return }
    throw TestFailure((complaints + [description]).joined(separator: "\n"), file: file, line: line)
  }

  /// The report as text: each finding in full, first those that no other one explains, then one line for each other
  /// rule.
  public var description: String {
    let counts = ["held", "broken", "waived", "allowed", "not applicable", "inconclusive"].map { word in
      "\(results.count { $0.outcome.word == word }) \(word)"
    }
    var lines = ["\(subject): \(counts.joined(separator: ", "))"]
    lines += leading.map(\.description)
    lines += broken.filter { $0.follows != nil }.map(\.description)
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
