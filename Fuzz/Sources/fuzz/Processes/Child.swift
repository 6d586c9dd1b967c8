// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// Runs programs and reports each on standard output, so that the parent knows where the process stopped.
struct Child {
  var first: UInt64
  var step: UInt64
  /// The number of programs; `nil` for no limit.
  var count: Int?
  var seconds: Double
  var choice: Generator.Choice

  /// Runs the programs, and ends the process.
  func run() -> Never {
    let start = DispatchTime.now().uptimeNanoseconds
    var seed = first
    var done = 0
    while done < count ?? .max, Double(DispatchTime.now().uptimeNanoseconds - start) < seconds * 1e9 {
      say("run \(seed)")
      Run.once(Generator.program(seed: seed, from: choice))
      if let failure = Verdict.failures.first {
        say("broken \(failure.rule.rawValue) \(failure.detail)")
        // Remains of this run could affect the next.
        exit(Child.broken)
      }
      seed &+= step
      done += 1
    }
    say("through \(done)")
    exit(0)
  }

  /// The exit code of a child that has found a broken rule.
  static let broken: Int32 = 3
}
