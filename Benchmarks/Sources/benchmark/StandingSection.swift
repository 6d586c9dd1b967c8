// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import AllocationCounter
import BenchmarkKit
import OpenCombineWorkloads
import PenstockWorkloads

/// The bytes of a pipeline that is kept.
///
/// The difference in the bytes that the C library has handed out, divided by the number of pipelines: including the
/// overhead of an allocation, but not whole pages.
struct StandingSection {
  let count: Int

  func run(into report: inout Report) {
    guard allocation_counter_is_supported() else { return }
    print("\n## Bytes of a pipeline that is kept\n")
    let table = Table(["pipeline", "Penstock", "OpenCombine", "Penstock/OpenCombine"], widths: [40, 9, 11, 20])
    for (penstock, openCombine) in zip(PenstockWorkloads.standing(), OpenCombineWorkloads.standing()) {
      let (first, second) = (bytes(penstock), bytes(openCombine))
      table.row([penstock.name, "\(first, 0)", "\(second, 0)", "\(first / second, 2)"])
      report.standing.append(.init(name: penstock.name, penstock: first, openCombine: second))
    }
    for pipeline in PenstockWorkloads.ownStanding() {
      let bytes = bytes(pipeline)
      table.row([pipeline.name, "\(bytes, 0)", "", ""])
      report.standing.append(.init(name: pipeline.name, penstock: bytes, openCombine: nil))
    }
  }

  private func bytes(_ pipeline: Standing) -> Double {
    // Once in advance, for everything that a process creates only once.
    _ = opaque(pipeline.many(10))
    let before = allocation_counter_bytes()
    let kept = opaque(pipeline.many(count))
    let after = allocation_counter_bytes()
    // The array that keeps the pipelines does not belong to them.
    let array = kept.capacity * MemoryLayout<AnyObject>.stride
    return withExtendedLifetime(kept) { (Double(after) - Double(before) - Double(array)) / Double(count) }
  }
}
