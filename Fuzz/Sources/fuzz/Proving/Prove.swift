// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import Penstock

/// Shows that each comparison finds what is wrong.
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
  /// Whether it requests unlimited values, whatever is requested of it.
  fileprivate var requestsEverything: Bool {
    StepOperator.reducing.contains { $0.name == name } || swift.contains("byRequest")
      || ["takeLast", "ignoreOutput", "debounce"].contains(name)
  }
}

extension Law {
  /// What does not hold.
  static let wrong: [Law] = [
    .init(
      "A prefix of what is filtered is not what is filtered of a prefix.", .unlimited,
      "{0}.filter { $0 % 2 == 0 }.prefix(#n)", "{0}.prefix(#n).filter { $0 % 2 == 0 }",
      { $0[0].filter { $0 % 2 == 0 }.prefix($0.n).eraseToAnyPublisher() },
      { $0[0].prefix($0.n).filter { $0 % 2 == 0 }.eraseToAnyPublisher() }),
    .init(
      "share requests more than is requested of it.", .demand, "{0}.share()", "{0}",
      { $0[0].share().eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "A failure that is replaced is none.", .signals,
      "{0}.replaceError(with: #n).setFailureType(to: ModelError.self)", "{0}",
      { $0[0].replaceError(with: $0.n).setFailureType(to: ModelError.self).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "append is not commutative.", .unordered, arity: 2, "{0}.append({1})", "{1}.append({0})",
      { $0[0].append($0[1]).eraseToAnyPublisher() }, { $0[1].append($0[0]).eraseToAnyPublisher() }),
  ]
}
