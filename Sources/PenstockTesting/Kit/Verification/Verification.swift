// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The common interface of the verifications of publishers, operators, subscribers, subjects and schedulers.
public protocol Verification: Sendable {
  /// The name of the subject of the verification, in reports.
  var name: String { get }

  /// The rules that are checked.
  var rules: [Rule] { get }

  /// The rules that are broken on purpose, with the reason.
  var waivers: [Rule: String] { get set }

  /// Whether the checks run in the process itself, if they would otherwise run in a copy; see ``inProcess()``.
  var runsInProcess: Bool { get set }

  /// The rules that may be broken or open, with the reason; see ``allowing(_:because:)``.
  var allowances: [Rule: String] { get set }

  /// Runs one rule, and ignores the waivers; `nil` if it is none of the rules.
  func examination(of rule: Rule) -> Examination?
}

extension Verification {
  /// Returns a verification that accepts the break of a rule as intended.
  ///
  /// A waiver of a rule that holds is reported, so that no outdated waiver stays.
  public func waiving(_ id: String, because reason: String) -> Self {
    var copy = self
    copy.waivers[Self.rule(id)] = reason
    return copy
  }

  /// Returns a verification in which a rule may be broken, or open, but need not be.
  ///
  /// Use it for what the subject's author cannot decide: a race that is lost at times, or a check that this system
  /// cannot run. A rule that is broken by design is waived instead.
  public func allowing(_ id: String, because reason: String) -> Self {
    var copy = self
    copy.allowances[Self.rule(id)] = reason
    return copy
  }

  /// Returns a verification whose checks run in the process itself, on threads of their own.
  ///
  /// Use it for subjects that deliver on the threads of Dispatch or of Swift's tasks, which a copy of the process does
  /// not have. The price: a crash is the end of the process; a rule that allows a crash is inconclusive; and a test
  /// that blocks a thread that Swift keeps for tasks, as a test without `async` does, takes it from the tasks that it
  /// waits for.
  ///
  /// A check waits for the calls that it has asked for, for up to a second; pass a ``Driven`` to say when all have
  /// come.
  ///
  /// ```swift
  /// import Dispatch
  /// import PenstockDispatch
  ///
  /// let verification = OperatorVerification("receive(on:)") { upstream in
  ///   upstream.receive(on: DispatchQueue(label: "gauge"))
  /// }
  /// .inProcess()
  /// try verification.check("P-05")
  /// ```
  public func inProcess() -> Self {
    var copy = self
    copy.runsInProcess = true
    return copy
  }

  /// Checks one rule; throws if it is broken and not just a warning, and if its check sees that another such rule is
  /// broken.
  public func check(_ rule: Rule, file: StaticString = #filePath, line: UInt = #line) throws {
    let results = results(of: rule)
    if waivers[rule] != nil, case .held = results[0].outcome {
      throw TestFailure("\(name): \(rule) holds, so its waiver is not used. Take it out.", file: file, line: line)
    }
    let failures = results.filter(\.isFailure)
    if failures.isEmpty { return }
    throw TestFailure(failures.map(\.description).joined(separator: "\n"), file: file, line: line)
  }

  /// Checks one rule, by its identifier.
  public func check(_ id: String, file: StaticString = #filePath, line: UInt = #line) throws {
    try check(Self.rule(id), file: file, line: line)
  }

  /// Checks all rules; throws one failure with everything that was found.
  ///
  /// - Parameters:
  ///   - judgement: What counts as a failure.
  ///   - file: The file that a failure names.
  ///   - line: The line that a failure names.
  public func checkAll(
    _ judgement: Judgement = .standard, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    try report().check(judgement, file: file, line: line)
  }

  /// Checks all rules, and throws one failure with everything that was found; the wait occupies no thread of Swift's
  /// tasks.
  public func checkAll(
    _ judgement: Judgement = .standard, file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    try await report().check(judgement, file: file, line: line)
  }

  /// Runs all rules, on a thread of their own.
  ///
  /// A verification waits for threads, processes and time. In a test that is `async` this occupies none of the few
  /// threads that Swift keeps for tasks, so that tests wait at the same time. Six verifications run at a time: with
  /// more of them, a subject on a busy machine would seem to hang.
  public func report() async -> VerificationReport {
    await Turnstile.shared.enter()
    let found: VerificationReport = await withCheckedContinuation { continuation in
      let thread = onThread(stackSize: 8 << 20) { continuation.resume(returning: report()) }
      if thread == nil { continuation.resume(returning: report()) }
    }
    Turnstile.shared.leave()
    return found
  }

  /// Runs all rules.
  public func report() -> VerificationReport {
    var findings = Findings(rules: rules)
    // The sanitizer reports a race only once, so the rule that listens to it comes before those that race as well.
    if ThreadSanitizer.isPresent, rules.contains(.cleanUnderSanitizer) { examine(.cleanUnderSanitizer, &findings) }
    if hasCopies { findTogether(&findings) }
    for rule in rules { examine(rule, &findings) }
    let outcomes = findings.outcomes
    let results = rules.map { result($0, outcomes[$0] ?? .inconclusive("it was not looked at")) }
    let unused = waivers.keys.filter { rule in
      switch outcomes[rule] {
      case .held, .notApplicable, nil: true
      // A rule that could not be checked cannot show whether its waiver is needed.
      case .broken, .inconclusive, .waived, .allowed: false
      }
    }
    return VerificationReport(
      subject: name, results: results, unusedWaivers: unused.sorted { $0.id < $1.id })
  }

  /// Runs one rule, and ignores the waivers; `nil` if it is none of the rules.
  public func outcome(of rule: Rule) -> Outcome? { examination(of: rule)?.outcome }

  /// Runs one rule, and waives its break if there is a waiver.
  public func result(of rule: Rule) -> VerificationResult { results(of: rule)[0] }

  /// The result of a rule, followed by those of the rules that its check has seen broken.
  private func results(of rule: Rule) -> [VerificationResult] {
    var findings = Findings(rules: rules)
    examine(rule, &findings)
    // The rules that may have caused a break are checked as well, so that they can be named.
    if findings[rule]?.outcome.isBroken == true {
      for other in rule.prerequisites where rules.contains(other) { examine(other, &findings) }
    }
    let outcomes = findings.outcomes
    let seen = rules.filter { findings[rule]?.seen[$0] != nil }
    return ([rule] + seen).map { result($0, outcomes[$0] ?? .notApplicable("it is no rule of a \(Self.self)")) }
  }

  private func result(_ rule: Rule, _ outcome: Outcome) -> VerificationResult {
    var outcome = outcome
    if outcome.isBroken, let reason = waivers[rule] { outcome = .waived(reason) }
    if outcome.isBroken || outcome.isOpen, let reason = allowances[rule] {
      outcome = .allowed("\(reason); \(outcome.word): \(outcome.reason)")
    }
    return VerificationResult(subject: name, rule: rule, outcome: outcome)
  }

  private var hasCopies: Bool { ChildProcess.isAvailable && !runsInProcess }

  /// Examines a rule, unless that has been done, or would only hang or stop the process for a known reason.
  private func examine(_ rule: Rule, _ findings: inout Findings) {
    if findings[rule] != nil || findings.underWay.contains(rule) { return }
    findings.underWay.insert(rule)
    for other in rulesBefore(rule) where rules.contains(other) { examine(other, &findings) }
    if let examination = unlooked(rule, findings) {
      findings[rule] = examination
      return
    }
    findings[rule] = found(rule) ?? Examination(.notApplicable("it is no rule of a \(Self.self)"))
  }

  /// The rules that say whether a check can be run.
  private func rulesBefore(_ rule: Rule) -> [Rule] {
    if hasCopies || ChildProcess.isCopy { return rule.gates }
    // If the check has no process of its own, the rules that may stop it are checked before.
    return rule.gates + (Rule.ofStops.contains(rule) ? rule.prerequisites : [])
  }

  /// Why a rule is not checked, if that is known already.
  private func unlooked(_ rule: Rule, _ findings: Findings) -> Examination? {
    for other in rule.gates where waivers[other] == nil {
      guard case .broken(let finding) = findings[other]?.outcome, finding.stop == .hang else { continue }
      return Examination(.inconclusive("not looked at, since it would hang: \(other.id), \(finding.text)"))
    }
    if hasCopies || ChildProcess.isCopy || !Rule.ofStops.contains(rule) { return nil }
    for other in rule.prerequisites where waivers[other] == nil && findings[other]?.outcome.isBroken == true {
      return Examination(
        .inconclusive("not looked at, since it could stop the process of the tests: \(other.id) is broken"))
    }
    return nil
  }

  /// Runs the checks one after the other in one process.
  ///
  /// A check that stops the process, or hangs, runs once more on its own, and the checks after it continue in another
  /// process.
  private func findTogether(_ findings: inout Findings) {
    // Rules that show whether others would hang come first.
    var rest = (Rule.gates + [.callableInside]).filter(rules.contains)[...]
    rest += rules.filter { !rest.contains($0) }
    while !rest.isEmpty {
      let (batch, known) = (Array(rest), findings)
      let several = ChildProcess.run(batch.count) { number in
        let rule = batch[number]
        return known[rule] == nil && unlooked(rule, known) == nil ? found(rule)?.coded ?? "" : ""
      }
      for (rule, text) in zip(batch, several.texts) where findings[rule] == nil {
        findings[rule] = Examination(coded: text)
      }
      rest = rest.dropFirst(several.texts.count)
      guard let stopped = rest.popFirst() else { return }
      Execution.$hasHung.withValue(several.hasHung) { examine(stopped, &findings) }
    }
  }

  private func found(_ rule: Rule) -> Examination? {
    if !hasThreads, rule.detection.contains(.gated) || rule.detection.contains(.stress) {
      return Examination(.inconclusive("this system has one thread"))
    }
    return rule == .cleanUnderSanitizer ? ThreadSanitizer.turn { examination(of: rule) } : examination(of: rule)
  }

  private static func rule(_ id: String) -> Rule {
    guard let rule = Rule.named(id) else {
      mistake("There is no rule \(id). The rules are \(Rule.all.map(\.id).joined(separator: ", ")).")
    }
    return rule
  }
}
