// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Foundation
import Synchronization

struct Differ: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compiles random pipelines as they are written, with fusion hidden and erased, and compares what they do."
  )

  @Option(help: "The first seed.")
  var seed: UInt64 = 1

  @Option(help: "How many programs.")
  var count: UInt64 = 100

  @Option(help: "How many scripts for each program.")
  var scripts = 8

  @Option(help: "How the programs are compiled: none, speed, or address for the address sanitizer.")
  var optimize = DifferBuild.none

  @Option(help: "How many compilers at once.")
  var jobs = 2

  @Option(help: "How many findings of a kind are made smaller and printed in full.")
  var limit = 1

  @Flag(help: "Compares also whether a send returns before its value is delivered, and acts where something is freed.")
  var strict = false

  @Flag(help: "Every operator by itself and every pair, instead of random programs.")
  var rosters = false

  @Option(help: "With --rosters: which part of them, for example 3/100.")
  var part = "1/1"

  @Flag(help: "Puts mistakes into a form, and fails if one is not found.")
  var prove = false

  @Flag(help: "Prints how often each operator and each end is in the programs, and compiles nothing.")
  var counts = false

  /// The number of programs from which on a run has to contain every operator and every end.
  private static let complete = 2000

  func run() throws {
    let cases = try rosters ? DifferRoster.cases(part: part) : randomCases
    if counts { return say(DifferCounts(cases.map(\.program)).text) }
    let lab = DifferLab(optimize)
    try lab.prepare()
    if prove { return try DifferProof(lab: lab).run() }
    let search = DifferSearch(lab: lab, jobs: jobs, isStrict: strict)
    let findings = try search.findings(in: cases)
    let kinds = Dictionary(grouping: findings, by: \.kind).sorted { $0.value.count > $1.value.count }
    for (_, group) in kinds {
      for finding in group.prefix(limit) { say(finding.shrunk(by: search).text) }
    }
    for (kind, group) in kinds { say("\(group.count) times, first \(group[0].name): \(kind)") }
    if !findings.isEmpty { throw ExitCode.failure }
    let runs = cases.reduce(0) { $0 + $1.scripts.count }
    say("\(cases.count) programs with \(runs) scripts in three forms, no difference")
    // A short run may well miss some row; a long run has to contain each.
    guard !rosters, count >= Self.complete else { return }
    let missing = DifferCounts(cases.map(\.program)).missing
    guard missing.isEmpty else {
      throw DifferFailure(description: "not in any of the programs: \(missing.joined(separator: ", "))")
    }
  }

  private var randomCases: [DifferCase] {
    (seed..<seed + count).map { seed in
      let program = DifferGenerator.program(seed: seed)
      return DifferCase(
        name: "seed \(seed)", program: program,
        scripts: DifferGenerator.scripts(for: program, seed: seed, count: scripts, isStrict: strict))
    }
  }
}

/// A program with its scripts.
struct DifferCase: Sendable {
  var name: String
  var program: DifferProgram
  var scripts: [String]
}

/// A difference, or a program that the compiler cannot build.
struct DifferFinding: Sendable {
  var name: String
  var program: DifferProgram
  var script: String
  var outcomes: [DifferOutcome]
  var compiler: String?
  var isStrict = false

  /// A text that findings of the same kind have in common.
  var kind: String {
    if let compiler {
      let lines = compiler.split(separator: "\n")
      let line =
        lines.first { $0.contains("ssertion") } ?? lines.first { $0.contains("error:") } ?? "it does not return"
      return "the compiler cannot build it: \(line.prefix(200))"
    }
    if let place = outcomes.firstIndex(where: { $0.stop != nil }) {
      return "\(DifferForm.compared[place]) \(outcomes[place].stop ?? "")"
    }
    let compared = outcomes.map { $0.compared(isStrict: isStrict) }
    for (form, other) in zip(DifferForm.compared, compared) where other != compared[0] {
      let place = zip(compared[0], other).prefix { $0 == $1 }.count
      let lines = [compared[0], other].map { $0.indices.contains(place) ? Self.bare($0[place]) : "nothing" }
      return "\(form): " + lines.joined(separator: " | ")
    }
    return "broken in all forms"
  }

  private static func bare(_ line: String) -> String {
    String(line.filter { !$0.isNumber })
  }

  var text: String {
    var text = "=== \(name): \(kind)\n\(program.text)  // \(script)\n"
    if let compiler { return text + compiler.suffix(3000) }
    for (form, outcome) in zip(DifferForm.compared, outcomes) { text += "  \(form):\n\(outcome.text)" }
    return text
  }
}

/// Examines cases, with several compilers at once.
struct DifferSearch: Sendable {
  let lab: DifferLab
  let jobs: Int
  var isStrict = false
  var forms = DifferForm.compared

  func findings(in cases: [DifferCase]) throws -> [DifferFinding] {
    let batches = stride(from: 0, to: cases.count, by: lab.build.batch).map {
      Array(cases[$0..<min(cases.count, $0 + lab.build.batch)])
    }
    let next = Atomic(0)
    let found = Guard<[DifferFinding]>([])
    let failure = Guard<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: jobs) { job in
      while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        guard number < batches.count, failure.value == nil else { break }
        do {
          let new = try examine(batches[number], name: "part\(job)")
          for finding in new { say("\(finding.name): \(finding.kind)") }
          found.change { $0 += new }
        } catch {
          failure.change { $0 = error }
          return
        }
      }
      lab.discard("part\(job)")
    }
    if let failure = failure.value { throw failure }
    // In the order of the programs, whichever compiler was faster.
    let order = Dictionary(cases.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
    return found.value.sorted { order[$0.name, default: 0] < order[$1.name, default: 0] }
  }

  /// Examines cases in one file.
  func examine(_ cases: [DifferCase], name: String) throws -> [DifferFinding] {
    if cases.isEmpty { return [] }
    switch try lab.compile(DifferProgram.file(cases.map(\.program), forms), name: name) {
    case .failure(let failure):
      if cases.count == 1 {
        return [
          DifferFinding(
            name: cases[0].name, program: cases[0].program, script: "", outcomes: [], compiler: failure.description)
        ]
      }
      // The compiler often says which one it was.
      if let culprit = Self.culprit(failure.description), culprit < cases.count {
        var rest = cases
        let alone = rest.remove(at: culprit)
        return try examine([alone], name: name) + examine(rest, name: name)
      }
      let half = cases.count / 2
      return try examine(Array(cases[..<half]), name: name) + examine(Array(cases[half...]), name: name)
    case .success(let executable): return try compare(cases, executable)
    }
  }

  func compare(_ cases: [DifferCase], _ executable: URL) throws -> [DifferFinding] {
    var jobs: [DifferLab.Job] = []
    for (number, one) in cases.enumerated() {
      for script in one.scripts { jobs += forms.map { .init(program: number, form: $0, script: script) } }
    }
    let outcomes = try lab.run(executable, jobs)
    var findings: [DifferFinding] = []
    for start in stride(from: 0, to: jobs.count, by: forms.count) {
      let group = Array(outcomes[start..<start + forms.count])
      let isQuiet = group.allSatisfy {
        $0.compared(isStrict: isStrict) == group[0].compared(isStrict: isStrict) && $0.stop == nil && !$0.isBroken
      }
      if isQuiet { continue }
      // A program that runs away is not compared.
      if group.contains(where: { $0.lines.last == "endless" }) { continue }
      let one = cases[jobs[start].program]
      // One for each program.
      if findings.last?.name == one.name { continue }
      findings.append(
        DifferFinding(
          name: one.name, program: one.program, script: jobs[start].script, outcomes: group, isStrict: isStrict))
    }
    return findings
  }

  /// The number of the program that the compiler names in its message.
  static func culprit(_ text: String) -> Int? {
    let forms = DifferForm.compared.map { "\($0)" }
    for line in text.split(separator: "\n")
    where line.contains("SILFunction") || line.contains("IR function") || line.contains("While ") {
      for form in forms {
        guard let place = line.firstRange(of: form) else { continue }
        let length = line[..<place.lowerBound].reversed().prefix { $0.isNumber }.reversed()
        guard let length = Int(String(length)) else { continue }
        return Int(line[place.upperBound...].prefix(length - form.count))
      }
    }
    return nil
  }
}
