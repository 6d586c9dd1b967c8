// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The program that is run under each schedule: made again for each, and released after it.
struct Script {
  struct Thread {
    let name: String
    let body: () -> Void
  }

  let threads: [Thread]
  /// Returns the faults at the end, when all threads are over.
  let check: () -> [String]

  /// - Parameters:
  ///   - threads: The threads' bodies; they are named A, B, C in messages.
  ///   - servants: Threads that serve the others, by their names.
  ///   - check: Returns the faults at the end.
  init(_ threads: [() -> Void], serving servants: [Thread] = [], check: @escaping () -> [String]) {
    self.threads =
      zip(["A", "B", "C", "D", "E"], threads).map { Thread(name: $0, body: $1) } + servants
    self.check = check
  }
}

/// The findings of an exploration.
struct Findings: CustomStringConvertible {
  var schedules = 0
  /// The number of the script's threads, including those that serve the others.
  var threads = 0
  /// Whether there is no other schedule within the bounds.
  var isExhausted = false
  /// The first fault.
  var fault: String?
  /// The schedule of the fault, as a text that ``replay(_:within:_:)`` takes.
  var schedule: String?
  /// The steps of that schedule.
  var steps: [String] = []

  var description: String {
    guard let fault else { return "\(schedules) schedules\(isExhausted ? ", all there are" : "")" }
    return """
      \(fault)
      after \(schedules) schedules; the schedule is "\(schedule ?? "")":
      \(steps.joined(separator: "\n"))
      """
  }
}

/// Runs a script before the first schedule begins, so that everything that the process creates only once exists by
/// then.
///
/// It runs twice: the second run of a machine that came first in its process has been seen to take other steps than the
/// third.
private func warmUp(within bounds: Exploration.Bounds, _ makeScript: @escaping (Exploration) -> Script) {
  let exploration = Exploration(Replay([:]), within: bounds)
  _ = exploration.run(makeScript)
  _ = exploration.run(makeScript)
  exploration.close()
}

/// Runs a script under all schedules within the bounds, or until a fault is found.
///
/// - Parameters:
///   - limit: The largest number of schedules.
///   - isMerging: Whether a schedule ends when it reaches the state of another; see ``VisitedStates``.
func explore(
  within bounds: Exploration.Bounds = .init(), limit: Int = 1_000_000, merging isMerging: Bool = false,
  _ makeScript: @escaping (Exploration) -> Script
) -> Findings {
  var findings = Findings()
  var shared: Set<Int> = []
  warmUp(within: bounds, makeScript)
  // A cell that turns out to be shared adds points, so the search begins again; it ends when it has found no new one.
  search: while true {
    let strategy = Exhaustive()
    let exploration = Exploration(
      strategy, within: bounds, shared: shared, merging: isMerging ? VisitedStates() : nil)
    defer { exploration.close() }
    repeat {
      let hasGrown = exploration.run(makeScript)
      findings.schedules += 1
      findings.threads = exploration.threadCount
      if let fault = exploration.faults.first {
        // With the cells that counted as shared in that schedule, not those that it has added, since each adds points.
        return findings.with(fault, strategy.text, bounds, shared, makeScript)
      }
      if findings.schedules >= limit { return findings }
      if hasGrown {
        shared = exploration.shared
        continue search
      }
    } while strategy.advance()
    findings.isExhausted = true
    return findings
  }
}

/// Runs a script under random schedules, or until a fault is found.
func sample(
  _ count: Int, seed: UInt64 = 1, depth: Int = 3, within bounds: Exploration.Bounds = .init(preemptions: .max),
  _ makeScript: @escaping (Exploration) -> Script
) -> Findings {
  var findings = Findings()
  var shared: Set<Int> = []
  warmUp(within: bounds, makeScript)
  for number in 0..<UInt64(count) {
    let strategy = Priorities(seed: seed &+ number, depth: depth, points: 60)
    let exploration = Exploration(strategy, within: bounds, shared: shared)
    defer { exploration.close() }
    _ = exploration.run(makeScript)
    findings.schedules += 1
    if let fault = exploration.faults.first {
      return findings.with(fault, strategy.text, bounds, shared, makeScript)
    }
    shared = exploration.shared
  }
  return findings
}

/// Runs a script under one schedule, and records its steps.
func replay(
  _ schedule: String, within bounds: Exploration.Bounds, shared: Set<Int>,
  _ makeScript: @escaping (Exploration) -> Script
) -> (fault: String?, steps: [String]) {
  let exploration = Exploration(
    Replay(ScheduleText.choices(schedule)), within: bounds, isRecording: true, shared: shared)
  defer { exploration.close() }
  _ = exploration.run(makeScript)
  return (exploration.faults.first, exploration.steps ?? [])
}

extension Findings {
  /// Adds a fault, with the shortest schedule that shows it.
  fileprivate func with(
    _ fault: String, _ schedule: String, _ bounds: Exploration.Bounds, _ shared: Set<Int>,
    _ makeScript: @escaping (Exploration) -> Script
  ) -> Findings {
    var findings = self
    var marks = schedule.split(separator: " ").map(String.init)
    func isFaulty(_ marks: [String]) -> Bool {
      replay(marks.joined(separator: " "), within: bounds, shared: shared, makeScript).fault != nil
    }
    // Decisions are left out, one after the other, as long as the fault remains.
    var place = 0
    while place < marks.count {
      var fewer = marks
      fewer.remove(at: place)
      if isFaulty(fewer) { marks = fewer } else { place += 1 }
    }
    findings.schedule = marks.joined(separator: " ")
    let replayed = replay(findings.schedule!, within: bounds, shared: shared, makeScript)
    findings.fault = replayed.fault ?? fault
    findings.steps = replayed.steps
    return findings
  }
}
