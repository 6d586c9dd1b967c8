// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let sharing = [
  Workload("share", "sharing") { share($0) },
  Workload("share, three subscribers", "sharing", .later) { shareToThree($0) },
  Workload("multicast, two subscribers", "sharing") { multicast($0) },
  Workload("makeConnectable.autoconnect, String", "sharing") { autoconnectStrings($0) },
]

@inline(never)
private func share(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).share().sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func shareToThree(_ count: Int) -> Int {
  let tally = Tally()
  let subject = PassthroughSubject<Int, Never>()
  let shared = subject.share()
  let cancellables = (0..<3).map { _ in shared.sink { tally.add($0) } }
  for value in 0..<count { subject.send(value) }
  return withExtendedLifetime(cancellables) { tally.sum }
}

@inline(never)
private func multicast(_ count: Int) -> Int {
  let tally = Tally()
  let shared = Elements(0..<count).multicast { PassthroughSubject<Int, Never>() }
  let cancellables = (0..<2).map { _ in shared.sink { tally.add($0) } }
  let connection = shared.connect()
  return withExtendedLifetime((cancellables, connection)) { tally.sum }
}

@inline(never)
private func autoconnectStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(Cycle(words, count: count)).makeConnectable().autoconnect().sink {
    tally.add($0.utf8.count)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}
