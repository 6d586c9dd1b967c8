// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What the verifications of publishers, operators, subscribers, subjects and schedulers have in common.
public protocol Verification: Sendable {
  /// The name of what is verified, in reports.
  var name: String { get }

  /// The rules that are checked.
  var rules: [Rule] { get }

  /// The rules that are broken on purpose, with the reason.
  var waivers: [Rule: String] { get set }

  /// Whether the checks run in the process itself, where otherwise they would run in a copy; see ``inProcess()``.
  var runsInProcess: Bool { get set }

  /// Runs one rule, without a look at the waivers; `nil` if it is none of the rules.
  func outcome(of rule: Rule) -> Outcome?
}

extension Verification {
  /// Returns a verification that takes the break of a rule for what its author wants.
  ///
  /// A waiver of a rule that holds is reported, so that none is left behind.
  public func waiving(_ id: String, because reason: String) -> Self {
    var copy = self
    copy.waivers[Self.rule(id)] = reason
    return copy
  }

  /// Returns a verification whose checks run in the process itself, on threads of their own.
  ///
  /// For what delivers on the threads of Dispatch or of Swift's tasks, which a copy of the process does not have. The
  /// price: a crash is the end of the process; a rule that allows a crash is inconclusive; and a test that blocks a thread
  /// which Swift keeps for tasks, as a test without `async` does, takes it from the tasks that it waits for.
  ///
  /// ```swift
  /// import Dispatch
  /// import PenstockDispatch
  ///
  /// let queue = DispatchQueue(label: "gauge")
  /// let verification = OperatorVerification("receive(on:)") { upstream in
  ///   Driven(upstream.receive(on: queue)) { queue.sync {} }
  /// }
  /// .inProcess()
  /// try verification.check("P-05")
  /// ```
  public func inProcess() -> Self {
    var copy = self
    copy.runsInProcess = true
    return copy
  }

  /// Checks one rule; throws if it is broken, and no mere warning.
  public func check(_ rule: Rule, file: StaticString = #filePath, line: UInt = #line) throws {
    let result = result(of: rule)
    if waivers[rule] != nil, case .held = result.outcome {
      throw TestFailure("\(name): \(rule) holds, so its waiver is not used. Take it out.", file: file, line: line)
    }
    if result.outcome.isBroken, rule.severity != .warning {
      throw TestFailure(result.description, file: file, line: line)
    }
  }

  /// Checks one rule, by its identifier.
  public func check(_ id: String, file: StaticString = #filePath, line: UInt = #line) throws {
    try check(Self.rule(id), file: file, line: line)
  }

  /// Checks all rules; throws one failure with everything that was found.
  public func checkAll(file: StaticString = #filePath, line: UInt = #line) throws {
    try report().check(file: file, line: line)
  }

  /// Checks all rules, and throws one failure with everything that was found; waits without a thread of Swift's tasks.
  public func checkAll(file: StaticString = #filePath, line: UInt = #line) async throws {
    try await report().check(file: file, line: line)
  }

  /// Runs all rules, on a thread of their own.
  ///
  /// A verification waits for threads, processes and time. In a test that is `async` this takes none of the few threads that
  /// Swift keeps for tasks, so that tests wait beside each other. Six verifications run at a time: with more of them, a busy
  /// machine would be taken for a subject that hangs.
  public func report() async -> VerificationReport {
    await Turnstile.shared.enter()
    let found: VerificationReport = await withCheckedContinuation { continuation in
      _ = onThread(stackSize: 8 << 20) { continuation.resume(returning: report()) }
    }
    Turnstile.shared.leave()
    return found
  }

  /// Runs all rules.
  public func report() -> VerificationReport {
    var known: [Rule: Outcome] = [:]
    // It reports a race once only, so the rule that listens to it comes before those that race as well.
    if ThreadSanitizer.isPresent, rules.contains(.cleanUnderSanitizer) {
      _ = result(of: .cleanUnderSanitizer, known: &known)
    }
    if hasCopies { findTogether(&known) }
    let results = rules.map { (result: result(of: $0, known: &known), rule: $0) }
    let unused = results.filter { entry in
      guard waivers[entry.rule] != nil else { return false }
      return switch entry.result.outcome {
      case .held, .notApplicable: true
      // Of what could not be looked at nobody knows whether the waiver is needed.
      case .broken, .inconclusive, .waived: false
      }
    }
    return VerificationReport(
      subject: name, results: results.map(\.result),
      unusedWaivers: unused.map(\.rule) + waivers.keys.filter { !rules.contains($0) })
  }

  /// Runs one rule, and waives its break where that is said.
  public func result(of rule: Rule) -> VerificationResult {
    var known: [Rule: Outcome] = [:]
    return result(of: rule, known: &known)
  }

  private func result(of rule: Rule, known: inout [Rule: Outcome]) -> VerificationResult {
    let outcome = judged(rule, &known)
    guard let reason = waivers[rule], outcome.isBroken else {
      return VerificationResult(subject: name, rule: rule, outcome: outcome)
    }
    return VerificationResult(subject: name, rule: rule, outcome: .waived(reason))
  }

  /// The outcome of a rule, which is inconclusive if another one is broken that it stands on.
  private func judged(_ rule: Rule, _ known: inout [Rule: Outcome]) -> Outcome {
    if let blocking = firstBroken(of: rule.gates, &known) { return Self.blocked(blocking) }
    let outcome = plain(rule, &known)
    guard case .broken(let finding) = outcome else { return outcome }
    var others = rule.prerequisites
    // A crash or a hang belongs to the rule that looks for it, if one of them has found it.
    if finding.isStop, !Rule.ofStops.contains(rule) { others += Rule.ofStops }
    guard let blocking = firstBroken(of: others, &known) else { return outcome }
    return Self.blocked(blocking)
  }

  private var hasCopies: Bool { ChildProcess.isAvailable && !runsInProcess }

  private func plain(_ rule: Rule, _ known: inout [Rule: Outcome]) -> Outcome {
    if let outcome = known[rule] { return outcome }
    // Without a process of its own for the check, what may stop it is looked at before.
    let before = Rule.ofStops.contains(rule) && !hasCopies ? rule.prerequisites : []
    if let blocking = firstBroken(of: before.filter { !Rule.ofStops.contains($0) }, &known) {
      known[rule] = Self.blocked(blocking)
      return Self.blocked(blocking)
    }
    let outcome = found(rule) ?? .notApplicable("it is no rule of a \(Self.self)")
    known[rule] = outcome
    return outcome
  }

  /// Runs the checks one after the other in one process.
  ///
  /// A check that stops it, or hangs, runs once more by itself, and the next ones go on in another process.
  private func findTogether(_ known: inout [Rule: Outcome]) {
    var rest = rules[...]
    while !rest.isEmpty {
      let batch = Array(rest)
      var sofar = known
      let (texts, hasHung) = ChildProcess.run(batch.count) { number in
        // What would hang for another rule's reason is not run.
        if firstBroken(of: batch[number].gates, &sofar) != nil { return "" }
        let outcome = sofar[batch[number]] ?? found(batch[number])
        sofar[batch[number]] = outcome
        return outcome?.coded ?? ""
      }
      for (rule, text) in zip(batch, texts) where known[rule] == nil { known[rule] = Outcome(coded: text) }
      rest = rest.dropFirst(texts.count)
      guard let stopped = rest.popFirst() else { return }
      Execution.$hasHung.withValue(hasHung) { _ = plain(stopped, &known) }
    }
  }

  private func found(_ rule: Rule) -> Outcome? {
    if !hasThreads, rule.detection.contains(.gated) || rule.detection.contains(.stress) {
      return .inconclusive("this system has one thread")
    }
    return rule == .cleanUnderSanitizer ? ThreadSanitizer.turn { outcome(of: rule) } : outcome(of: rule)
  }

  private func firstBroken(of rules: [Rule], _ known: inout [Rule: Outcome]) -> Rule? {
    for rule in rules where self.rules.contains(rule) {
      guard case .broken(let finding) = plain(rule, &known) else { continue }
      // A stop tells something only where it was looked for.
      if !finding.isStop || Rule.ofStops.contains(rule) { return rule }
    }
    return nil
  }

  private static func blocked(_ rule: Rule) -> Outcome { .inconclusive("\(rule) is broken: look there first") }

  private static func rule(_ id: String) -> Rule {
    guard let rule = Rule.named(id) else {
      mistake("There is no rule \(id). The rules are \(Rule.all.map(\.id).joined(separator: ", ")).")
    }
    return rule
  }
}
