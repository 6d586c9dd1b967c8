// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import ArgumentParser
import BenchmarkKit
import Foundation
import OpenCombineWorkloads
import PenstockWorkloads

/// Runs every workload on both libraries, alternately, and prints the cost per value.
@main
struct Benchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures Penstock against OpenCombine 0.14.0, workload by workload, in one process.")

  @Flag(help: "Few rounds of small workloads: shows that everything runs, not how fast it is.")
  var short = false

  @Option(help: "Only the workload with this name, or all whose name or family contains it.")
  var filter: String?

  @Option(help: "How many pairs of measurements the medians are taken from.")
  var rounds: Int?

  @Option(help: "Also write the results to this file, as JSON.")
  var json: String?

  @Flag(help: "Exit with status 1 if a target is missed.")
  var check = false

  @Flag(help: "Only the table of workloads.")
  var tableOnly = false

  @Option(help: "Nothing but Penstock's side of each workload, for so many seconds: for a profiler.")
  var spin: Double?

  func run() throws {
    let rounds = rounds ?? (short ? 3 : 21)
    let scale = short ? 20 : 1
    let pairs = chosen(from: Array(zip(PenstockWorkloads.workloads(), OpenCombineWorkloads.workloads()))) { $0.0 }
    let own = chosen(from: PenstockWorkloads.ownWorkloads()) { $0 }
    let sinks = chosen(from: actorWorkloads().map(\.1)) { $0 }
    if let spin { return (pairs.map(\.0) + own + sinks).forEach { run($0, for: .seconds(spin)) } }

    // As long as a process has never had a second thread, the C library leaves out the atomic instructions of its
    // locks. No program with Dispatch or Swift concurrency is like that.
    onTwoThreads { _ in }
    var report = Report()

    print("Penstock and OpenCombine 0.14.0 on \(report.machine); medians of \(rounds) rounds.")
    if short { print("Short: the numbers below are too noisy to be quoted.") }

    if !tableOnly {
      try FloorSection(rounds: rounds, scale: scale).run(pairs, into: &report)
      try AllocationSection(short: short).run(pairs, into: &report)
      if filter == nil { GrowthSection(short: short).run(into: &report) }
    }
    try ComparisonSection(rounds: rounds, scale: scale).run(pairs, into: &report)
    OwnSection(rounds: rounds, scale: scale).run(own, into: &report)
    if !tableOnly, filter == nil || filter == "standing" {
      StandingSection(count: short ? 1_000 : 20_000).run(into: &report)
    }
    if !tableOnly, filter == nil || filter == "isolation" {
      IsolationSection(rounds: rounds, scale: scale).run(into: &report)
    }
    if !tableOnly, filter == nil || filter == "checked" {
      report.checked = try PairSection(
        title: "Checked operators beside the plain ones", names: ("plain", "checked"), rounds: rounds, scale: scale
      ).run(checkedWorkloads())
    }
    if !tableOnly, filter == nil || filter == "actor" {
      report.actors = try PairSection(
        title: "A burst of values to an actor", names: ("AsyncStream", "sink(on:)"), rounds: rounds, scale: scale
      ).run(actorWorkloads())
    }
    #if canImport(PenstockInspector)
      if !tableOnly, filter == nil || filter == "inspector" {
        try InspectorSection(rounds: rounds, scale: scale).run(into: &report)
      }
      if !tableOnly, filter == nil || filter == "fetching" {
        try FetchingSection(rounds: rounds, scale: scale).run(into: &report)
      }
    #endif
    #if canImport(PenstockKit)
      if !tableOnly, filter == nil || filter == "kit" {
        try KitSection(rounds: rounds, scale: scale).run(into: &report)
      }
    #endif
    if !tableOnly, filter == nil || filter == "neighbours" {
      report.neighbours = try PairSection(
        title: "Operators beyond Combine beside Combine's nearest, on Penstock", names: ("Combine's", "beyond"),
        rounds: rounds, scale: scale
      ).run(neighbourWorkloads())
    }

    if let json { try report.write(to: json) }
    print()
    for miss in report.misses { print("Missed: \(miss)") }
    if let summary = report.summary {
      print("Geometric mean of \(summary.workloads) ratios: \(summary.geometricMean, 1)")
      print("Lowest ratio: \(summary.lowestRatio, 2) (\(summary.lowestWorkload))")
    }
    if check, !report.misses.isEmpty { throw ExitCode(1) }
  }

  private func chosen<Entry>(from entries: [Entry], _ workload: (Entry) -> Workload) -> [Entry] {
    guard let filter else { return entries }
    let exact = entries.filter { workload($0).name == filter }
    guard exact.isEmpty else { return exact }
    return entries.filter {
      workload($0).name.localizedStandardContains(filter) || workload($0).family.localizedStandardContains(filter)
    }
  }

  private func run(_ workload: Workload, for duration: Duration) {
    let clock = ContinuousClock()
    let end = clock.now + duration
    while clock.now < end { _ = opaque(workload.run(opaque(workload.size))) }
  }
}

/// A workload, on Penstock and on OpenCombine.
typealias Pair = (Workload, Workload)

/// The libraries do not deliver the same values, so they cannot be compared.
struct Disagreement: Error, CustomStringConvertible {
  let workload: String
  let penstock: Int
  let other: Int

  var description: String { "'\(workload)': Penstock comes to \(penstock), the other side to \(other)." }
}
