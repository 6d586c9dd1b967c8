// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// One pipeline whose closures are not isolated, possibly isolated, and isolated to the main actor.
///
/// All other workloads are in functions without isolation, since otherwise they would measure the check. These run only
/// on the main thread.
public func isolationWorkloads() -> [Workload] {
  [
    Workload("in a nonisolated function", "isolation") { ofNobody($0) },
    Workload("on the main actor, by @Sendable closures", "isolation") { count in
      MainActor.assumeIsolated { ofNobodyOnTheMainActor(count) }
    },
    Workload("on the main actor", "isolation") { count in MainActor.assumeIsolated { ofTheMainActor(count) } },
  ]
}

@inline(never)
private func ofNobody(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never) @MainActor
private func ofNobodyOnTheMainActor(_ count: Int) -> Int {
  let total = Shared(Tally())
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.map { @Sendable in $0 &* 3 }.filter { @Sendable in $0 & 1 == 0 }
    .sink { @Sendable in total.value.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { total.value.sum }
}

@inline(never) @MainActor
private func ofTheMainActor(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let cancellable = subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
