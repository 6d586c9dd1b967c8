// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// All workloads.
public func workloads() -> [Workload] {
  [
    mapping, filtering, replacing, reducing, matching, prefixing, debugging, coding, sequential, buffering, combining,
    flattening, sharing, timing, sources, erasure, chains, subjects, subscribers, subscriptions, state, asynchronous,
    eager,
    beyond, making, sequenceForms, shortLives,
  ].flatMap { $0 }
}

/// Workloads whose cost per value is measured for different numbers of values.
public func growingWorkloads() -> [Workload] {
  let names: Set = [
    "reduce", "removeDuplicates", "erased three times", "map.filter.sink", "PassthroughSubject", "CurrentValueSubject",
    "flatMap, one value each",
  ]
  return workloads().filter { names.contains($0.name) }
}
