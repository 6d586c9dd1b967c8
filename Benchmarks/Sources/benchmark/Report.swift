// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Foundation

/// All measurements, for `--json`.
struct Report: Encodable {
  struct Row: Encodable {
    let name: String
    let family: String
    let kind: Workload.Kind
    let comparison: Comparison

    /// The target of the ratio.
    var target: Double {
      switch kind {
      case .values: 3
      case .subscriptions: 2
      case .queue: 1.2
      case .eager, .beyond, .later: 0
      }
    }
  }

  struct Summary: Encodable {
    let workloads: Int
    let geometricMean: Double
    let lowestRatio: Double
    let lowestWorkload: String
  }

  struct Allocations: Encodable {
    let penstock: AllocationSection.Count
    let openCombine: AllocationSection.Count
  }

  /// The bytes of a pipeline that is kept.
  struct Standing: Encodable {
    let name: String
    let penstock: Double
    /// `nil` for a pipeline that OpenCombine cannot make.
    let openCombine: Double?
  }

  struct Growth: Encodable {
    let name: String
    let library: String
    let sizes: [Int]
    let nanoseconds: [Double]
  }

  var machine = BenchmarkMachine.description
  var workloads: [Row] = []
  var summary: Summary?
  /// For each workload, the closures called by hand and Penstock, in this order.
  var floors: [String: Comparison] = [:]
  var allocations: [String: Allocations] = [:]
  var growth: [Growth] = []
  var standing: [Standing] = []
  /// Nanoseconds per value, for operators without a rival.
  var own: [String: Double] = [:]
  /// Nanoseconds per value on the main thread, outside a task and in one.
  var isolation: [String: [Double]] = [:]
  /// Nanoseconds per value with plain and with checked operators, and the median of their ratios.
  var checked: [String: [Double]] = [:]
  /// For each workload Combine's operator, the one beyond it, and their ratio.
  var neighbours: [String: [Double]] = [:]
  /// For each workload the loop over an `AsyncStream`, the isolated sink, and their ratio.
  var actors: [String: [Double]] = [:]
  /// For each workload without and with the inspector's counts, and their ratio.
  var inspector: [String: [Double]] = [:]
  /// For each size of a batch a loop that awaits it, `fetching`, and their ratio.
  var fetching: [String: [Double]] = [:]
  /// The allocations of a batch of each size: of the loop, and of `fetching`.
  var fetchingAllocations: [String: [Double]] = [:]

  /// For each operator the library's, a client's that is made with the kit, and their ratio.
  var kit: [String: [Double]] = [:]
  /// The number of streams in the snapshot, and the nanoseconds that it took.
  var snapshot: [Double] = []
  /// The targets that were not reached.
  var misses: [String] = []

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path))
  }
}

/// The machine that runs the process.
enum BenchmarkMachine {
  static let description: String = {
    let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
    let name = model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "processor of unknown kind"
    let process = ProcessInfo.processInfo
    return "\(process.activeProcessorCount) x \(name), \(process.operatingSystemVersionString)"
  }()
}
