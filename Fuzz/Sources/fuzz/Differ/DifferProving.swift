// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser

/// Shows that the comparison finds mistakes: a form like the hidden one, but with a mistake in the publisher between
/// two links, has to differ from the hidden one; without a mistake it must not.
struct DifferProof {
  let lab: DifferLab

  private static let mistakes = [
    "a value is lost", "a value comes twice", "two values are swapped", "the end is lost", "a cancel is not passed on",
    "the second request is lost", "a value follows the end",
  ]

  func run() throws {
    let search = DifferSearch(lab: lab, jobs: 1, forms: [.hidden, .mistaken])
    let programs = (1...40).map { (seed: UInt64($0), program: DifferGenerator.program(seed: UInt64($0))) }
    let file = DifferProgram.file(programs.map(\.program), search.forms)
    let executable = try lab.compile(file, name: "prove").get()
    defer { lab.discard("prove") }
    var isProved = true
    for mistake in -1..<Self.mistakes.count {
      let cases = programs.map { seed, program in
        DifferCase(
          name: "seed \(seed)", program: program,
          scripts: DifferGenerator.scripts(for: program, seed: seed, count: 8).map { "mistake \(mistake);\($0)" })
      }
      let found = try search.compare(cases, executable).count {
        $0.outcomes[0].compared(isStrict: true) != $0.outcomes[1].compared(isStrict: true)
      }
      let name = mistake < 0 ? "no mistake" : Self.mistakes[mistake]
      say("\(found) of \(programs.count) programs: \(name)")
      isProved = isProved && (found > 0) == (mistake >= 0)
    }
    if !isProved { throw DifferFailure(description: "NOT PROVED") }
  }
}
