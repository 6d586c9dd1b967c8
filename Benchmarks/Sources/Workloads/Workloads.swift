// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Everything there is to measure. Compiled once for each library.
public func workloads() -> [Workload] {
  [
    mapping, filtering, reducing, chains, erasure, subjects, subscriptions, eager,
  ].flatMap { $0 }
}

/// Workloads whose cost per value is looked at for different numbers of values.
public func growingWorkloads() -> [Workload] {
  workloads().filter {
    ["map.filter.sink", "erased three times", "PassthroughSubject", "CurrentValueSubject", "reduce"].contains($0.name)
  }
}
