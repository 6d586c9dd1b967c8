// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let state = [
  Workload("@Published, nobody listens", "state") { setUnheard($0) },
  Workload("@Published, one subscriber", "state") { setHeard($0) },
  Workload("@Published, String, one subscriber", "state") { setHeardStrings($0) },
  Workload("@Published in an ObservableObject", "state") { setObserved($0) },
  Workload("@Published, read", "state") { readLevel($0) },
  Workload("assign(to: &)", "state") { assigned($0) },
  Workload("ObservableObjectPublisher", "state") { signal($0) },
  Workload("objectWillChange, looked up", "state", size: 1_000) { lookUp($0) },
]

private final class Gauge: ObservableObject {
  @Published var level = 0
  @Published var name = ""
}

@inline(never)
private func setUnheard(_ count: Int) -> Int {
  let gauge = Gauge()
  for value in 0..<count { gauge.level = value }
  return gauge.level
}

@inline(never)
private func setHeard(_ count: Int) -> Int {
  let tally = Tally()
  let gauge = Gauge()
  let cancellable = gauge.$level.sink { tally.add($0) }
  for value in 0..<count { gauge.level = value }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func setHeardStrings(_ count: Int) -> Int {
  let tally = Tally()
  let gauge = Gauge()
  let cancellable = gauge.$name.sink { tally.add($0.utf8.count) }
  for word in Cycle(words, count: count) { gauge.name = word }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func setObserved(_ count: Int) -> Int {
  let tally = Tally()
  let gauge = Gauge()
  let cancellable = gauge.objectWillChange.sink { tally.add(gauge.level) }
  for value in 0..<count { gauge.level = value }
  cancellable.cancel()
  return tally.sum
}

@inline(never)
private func readLevel(_ count: Int) -> Int {
  let tally = Tally()
  let gauge = Gauge()
  let cancellable = gauge.$level.sink { tally.add($0) }
  gauge.level = 3
  for _ in 0..<count { tally.add(gauge.level) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func signal(_ count: Int) -> Int {
  let tally = Tally()
  let publisher = ObservableObjectPublisher()
  let cancellable = publisher.sink { tally.add(1) }
  for _ in 0..<count { publisher.send() }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func lookUp(_ count: Int) -> Int {
  let tally = Tally()
  let gauge = Gauge()
  let first = gauge.objectWillChange
  for _ in 0..<count where gauge.objectWillChange === first { tally.add(1) }
  return tally.sum
}

@inline(never)
private func assigned(_ count: Int) -> Int {
  let gauge = Gauge()
  Elements(0..<count).assign(to: &gauge.$level)
  return gauge.level
}
