// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Foundation
import PenstockWorkloads

/// The price of isolated closures: every call checks whether the caller is on the actor.
struct IsolationSection {
  let rounds: Int
  let scale: Int

  func run(into report: inout Report) {
    let workloads = isolationWorkloads()
    print("\n## PassthroughSubject.map.filter.sink, written where an actor is: nanoseconds for a value\n")
    let table = Table(["written", "called on the main thread", "in a task of the main actor"], widths: [42, 9, 9])
    let outside = workloads.map { measure($0) }
    let inside = inTask { workloads.map { measure($0) } }
    for (workload, cost) in zip(workloads, zip(outside, inside)) {
      table.row([workload.name, "\(cost.0, 1)", "\(cost.1, 1)"])
      report.isolation[workload.name] = [cost.0, cost.1]
    }
    // Each value passes two closures, and every second value a third one.
    let price = (outside[2] - outside[0]) / 2.5, other = (inside[2] - inside[0]) / 2.5
    print("\nA call of a guarded closure: \(price, 1) ns more, in a task \(other, 1).")
  }

  private func measure(_ workload: Workload) -> Double {
    let size = max(workload.size / scale, 100)
    _ = workload.run(size)
    return (0..<rounds).map { _ in cost(size, workload.run) }.median
  }

  /// Runs a closure in a task of the main actor, while the main thread waits.
  private func inTask(_ body: @escaping @MainActor @Sendable () -> [Double]) -> [Double] {
    MainActor.assumeIsolated {
      var result: [Double]?
      Task { result = body() }
      while true {
        if let result { return result }
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
      }
    }
  }
}
