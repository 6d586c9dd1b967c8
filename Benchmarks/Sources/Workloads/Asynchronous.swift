// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit
import Dispatch

let asynchronous = [
  Workload("values", "asynchronous", size: 10_000) { values($0) },
  Workload("receive(on: queue)", "asynchronous", .queue, size: 10_000) { receiveOnQueue($0) },
]

@inline(never)
private func values(_ count: Int) -> Int {
  let tally = Tally()
  let shared = Shared((Elements(0..<count), tally))
  let done = DispatchSemaphore(value: 0)
  Task {
    let (publisher, tally) = shared.value
    for await value in publisher.values { tally.add(value) }
    done.signal()
  }
  done.wait()
  return tally.sum
}

@inline(never)
private func receiveOnQueue(_ count: Int) -> Int {
  let tally = Tally()
  let done = DispatchSemaphore(value: 0)
  let cancellable = Elements(0..<count).receive(on: DispatchQueue(label: "benchmark")).sink(
    receiveCompletion: { _ in done.signal() }, receiveValue: { tally.add($0) })
  done.wait()
  return withExtendedLifetime(cancellable) { tally.sum }
}
