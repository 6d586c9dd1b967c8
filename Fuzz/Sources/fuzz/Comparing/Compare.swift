// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares random pipelines in virtual time with a reference, and shrinks what differs to a test.")

  @Option(help: "The first seed.")
  var seed: UInt64 = 1

  @Option(help: "How many pipelines.")
  var count: UInt64 = 100_000

  @Option(help: "What they are compared with; everything in turn if not given.")
  var kind: Comparison?

  @Option(help: "Stops after so many findings.")
  var limit = 1

  func run() throws {
    var findings = 0
    for seed in seed..<seed + count {
      let kind = kind ?? Comparison.allCases[Int(seed % UInt64(Comparison.allCases.count))]
      guard let finding = kind.finding(seed: seed) else { continue }
      say("seed \(seed), \(kind): \(kind.text); the smallest that I find:\n\(finding)")
      findings += 1
      if findings == limit { break }
    }
    if findings > 0 { throw ExitCode.failure }
    say("\(count) pipelines, no difference")
  }
}

/// The references with which pipelines are compared.
enum Comparison: String, CaseIterable, ExpressibleByArgument {
  /// Functions of timelines: everything is requested, nothing is cancelled.
  case timelines
  /// Machines: any demand, any cancel.
  case steps
  /// Another pipeline, which has to do the same.
  case laws
  /// The values that the sources have delivered: all of them arrive.
  case conservation

  /// The text of a finding.
  var text: String {
    switch self {
    case .timelines, .steps: "the pipeline differs from the reference"
    case .laws: "the two pipelines differ"
    case .conservation: "values are lost, or come from nowhere"
    }
  }

  /// The test to which the pipeline of a seed is shrunk, if there is a difference.
  func finding(seed: UInt64) -> String? {
    switch self {
    case .timelines:
      let program = ModelProgram.random(seed: seed)
      return program.run() == program.timeline(from: 0) ? nil : program.shrunk().test
    case .steps: return StepProgram.random(seed: seed).finding
    case .laws: return LawProgram.random(seed: seed).finding ?? LawRace.finding(seed: seed)
    case .conservation: return ConservationProgram.random(seed: seed).finding
    }
  }
}
