// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// Runs programs and says on standard output which: the parent knows by that where it stopped.
struct Child {
  var first: UInt64
  var step: UInt64
  /// How many programs; `nil` for no end.
  var count: Int?
  var seconds: Double
  var choice: Generator.Choice

  /// Does not come back.
  func run() -> Never {
    let start = DispatchTime.now().uptimeNanoseconds
    var seed = first
    var done = 0
    while done < count ?? .max, Double(DispatchTime.now().uptimeNanoseconds - start) < seconds * 1e9 {
      say("run \(seed)")
      Run.once(Generator.program(seed: seed, from: choice))
      if let failure = Verdict.failures.first {
        say("broken \(failure.rule.rawValue) \(failure.detail)")
        // What is left of this run could disturb the next.
        exit(Child.broken)
      }
      seed &+= step
      done += 1
    }
    say("through \(done)")
    exit(0)
  }

  /// The exit code of one that has found something.
  static let broken: Int32 = 3
}
