// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Dispatch
import PenstockConcurrency

// Operators that handle failures, while nothing fails: their cost for each value.

/// Workloads only for Penstock.
func resilienceWorkloads() -> [Workload] {
  [
    Workload("circuitBreaker, closed", "resilience") { count in
      let breaker = CircuitBreaker(failures: 3, resetAfter: .seconds(30), scheduler: DispatchQueue.main)
      return sum(Elements(0..<count).circuitBreaker(breaker))
    },
    Workload("retry by policy, no failure", "resilience") { count in
      sum(
        Elements(0..<count).setFailureType(to: Refusal.self)
          .retry(.fixed(3, delay: .seconds(1)).resetsOnValue(), scheduler: DispatchQueue.main))
    },
    Workload("stalled(after:), never", "resilience") { count in
      sum(Elements(0..<count).stalled(after: .seconds(30), scheduler: DispatchQueue.main))
    },
    Workload("timeout(first:), in time", "resilience") { count in
      sum(Elements(0..<count).timeout(first: .seconds(30), scheduler: DispatchQueue.main))
    },
    Workload("checkpoint", "resilience") { count in
      sum(Elements(0..<count).setFailureType(to: Refusal.self).checkpoint("values"))
    },
    Workload("tryMap(skippingFailures:)", "resilience") { count in
      sum(Elements(0..<count).tryMap(skippingFailures: { _, _ in }) { $0 &+ 1 })
    },
    Workload("mergeDelayingErrors of two", "resilience") { count in
      let half = Elements(0..<count / 2).setFailureType(to: Refusal.self)
      return sum(half.mergeDelayingErrors(with: half))
    },
  ]
}

private struct Refusal: Error {}

@inline(never)
private func sum(_ publisher: some Publisher<Int, some Error>) -> Int {
  let tally = Tally()
  let cancellable = publisher.sink(receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
  return withExtendedLifetime(cancellable) { tally.sum }
}
