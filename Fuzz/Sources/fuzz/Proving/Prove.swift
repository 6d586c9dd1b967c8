// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Penstock

/// Shows that each comparison finds mistakes.
struct Prove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts mistakes into the references, the laws and the pipelines, and fails if one is not found.")

  @Flag(help: "Prints the test that each is shrunk to.")
  var tests = false

  /// The number of pipelines in which a mistake has to show.
  private static let count: UInt64 = 2_000

  func run() throws {
    var isProved = true
    for fault in StepFault.allCases {
      let rows = fault.rows(in: StepOperator.all)
      isProved = look(for: "\(fault) in every machine") { StepProgram.random(seed: $0, from: rows).finding } && isProved
    }
    for row in StepOperator.all {
      // Twice an unlimited demand is the same.
      let fault = row.requestsEverything ? StepFault.endLost : .demandTwice
      let rows = StepOperator.all.map { $0.name == row.name ? fault.rows(in: [$0])[0] : $0 }
      isProved =
        look(for: "\(fault) in \(row.name)") { StepProgram.random(seed: $0, from: rows).finding } && isProved
    }
    for (name, mistake, machine) in StepOperator.confused {
      let rows = StepOperator.all.map { $0.name == name ? $0.with(machine) : $0 }
      isProved =
        look(for: "\(name) \(mistake)") { StepProgram.random(seed: $0, from: rows).finding } && isProved
    }
    for law in Law.wrong {
      isProved =
        look(for: "a law that is none: \(law.name)") { LawProgram.random(seed: $0, from: [law]).finding } && isProved
    }
    isProved =
      look(for: "an operator that drops a value where none may be") {
        ConservationProgram.random(seed: $0, from: StepOperator.passing.filter { $0.name == "dropFirst" }).finding
      } && isProved
    if !isProved { throw ExitCode.failure }
  }

  private func look(for what: String, _ finding: (UInt64) -> String?) -> Bool {
    for seed in 1...Self.count {
      guard let test = finding(seed) else { continue }
      say("found after \(seed) pipelines: \(what)")
      if tests { say(test) }
      return true
    }
    say("NOT FOUND: \(what)")
    return false
  }
}

extension StepOperator {
  /// Whether it requests unlimited values, whatever is requested from it.
  fileprivate var requestsEverything: Bool {
    StepOperator.reducing.contains { $0.name == name } || swift.contains("byRequest")
      || ["takeLast", "ignoreOutput", "debounce"].contains(name)
  }
}
