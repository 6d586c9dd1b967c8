// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Synchronization

/// Runs several children in parallel for a limited time, and prints what they find.
struct Hunt: Sendable {
  var base: UInt64
  var seconds: Double
  var jobs: Int
  /// Arguments that are passed on to the children.
  var handedOn: [String]
  /// The number of findings after which to stop.
  var limit: Int
  var choice: Generator.Choice
  /// Repeats one program, this many times in all.
  var replay: Int?

  private struct Findings {
    var count = 0
    var found: [(seed: UInt64, failure: Verdict.Failure)] = []
  }

  /// Runs the children.
  ///
  /// - Returns: Whether no rule was broken.
  func run() -> Bool {
    let findings = Guard(Findings())
    let start = DispatchTime.now().uptimeNanoseconds
    let elapsed: @Sendable () -> Double = { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 }
    let all = DispatchGroup()
    for job in 0..<jobs {
      all.enter()
      Thread.detachNewThread {
        work(job, elapsed, findings)
        all.leave()
      }
    }
    all.wait()
    let result = findings.value
    let time = elapsed()
    say("\(result.count) pipelines' programs in \(Int(time)) s, \(Int(Double(result.count) / time)) a second")
    for (rule, group) in Dictionary(grouping: result.found, by: \.failure.rule).sorted(by: {
      $0.key.rawValue < $1.key.rawValue
    }) {
      say("\(rule): \(group.count), seeds \(group.prefix(12).map { "\($0.seed)" }.joined(separator: " "))")
    }
    return result.found.isEmpty
  }

  private func work(_ job: Int, _ elapsed: () -> Double, _ findings: Guard<Findings>) {
    var seed = replay == nil ? base &+ UInt64(job) : base
    var left = replay ?? .max
    while elapsed() < seconds, left > 0, findings.value.found.count < limit {
      var arguments = ["child", "--seed", "\(seed)", "--step", replay == nil ? "\(jobs)" : "0"]
      arguments += ["--seconds", "\(max(0.1, min(30, seconds - elapsed())))"] + handedOn
      if replay != nil { arguments += ["--count", "\(min(left, 1000))"] }
      guard let result = try? Offspring(arguments: arguments).run(patience: 60) else { return }
      findings.change { $0.count += result.count }
      left -= max(1, result.count)
      guard let last = result.lastSeed else {
        if let failure = result.failure { say("A child does not start: \(failure.detail)") }
        return
      }
      if let failure = result.failure { report(failure, seed: last, after: elapsed(), to: findings) }
      if replay == nil { seed = last &+ UInt64(jobs) }
    }
  }

  private func report(_ failure: Verdict.Failure, seed: UInt64, after time: Double, to findings: Guard<Findings>) {
    let isFirst = findings.change { findings in
      let isFirst = findings.found.count { $0.failure.rule == failure.rule } < 3
      findings.found.append((seed, failure))
      return isFirst
    }
    // Three programs of each rule are printed in full: the others would only be long.
    guard isFirst else {
      return say("=== \(failure.rule), seed \(seed), after \(Int(time)) s: \(failure.detail.prefix(160))")
    }
    say(
      """
      === \(failure.rule), seed \(seed), after \(Int(time)) s: \(failure.rule.text)
      \(failure.detail)
      \(Generator.program(seed: seed, from: choice))
      """)
  }
}

/// Prints at once, even if the output is a file.
func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8)) }
