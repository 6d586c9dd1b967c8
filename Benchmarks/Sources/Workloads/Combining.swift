// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

// OpenCombine keeps early values in an array, which it shifts for each pair: hence the small number of values.
let combining = [
  Workload("zip", "combining", size: 1_000) { zipNumbers($0) },
  Workload("zip, String", "combining", size: 1_000) { zipStrings($0) },
  Workload("zip of three", "combining", size: 1_000) { zipThree($0) },
  Workload("zip of two subjects", "combining") { zipSubjects($0) },
  Workload("zip of two subjects, String", "combining") { zipStringSubjects($0) },
  Workload("zip of two Justs, each new", "combining", .later, size: 20_000) { zipJusts($0) },
]

@inline(never)
private func zipNumbers(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).zip(Elements(0..<count)).sink { tally.add($0.0 &+ $0.1) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func zipStrings(_ count: Int) -> Int {
  let tally = Tally()
  let strings = Elements(Cycle(words, count: count))
  let cancellable = strings.zip(strings).sink { tally.add($0.0.utf8.count &+ $0.1.utf8.count) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func zipThree(_ count: Int) -> Int {
  let tally = Tally()
  let numbers = Elements(0..<count)
  let cancellable = numbers.zip(numbers, numbers).sink { tally.add($0.0 &+ $0.1 &+ $0.2) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func zipSubjects(_ count: Int) -> Int {
  let tally = Tally()
  let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  let cancellable = first.zip(second).sink { tally.add($0.0 &+ $0.1) }
  for value in 0..<count {
    first.send(value)
    second.send(value)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func zipStringSubjects(_ count: Int) -> Int {
  let tally = Tally()
  let (first, second) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
  let cancellable = first.zip(second).sink { tally.add($0.0.utf8.count &+ $0.1.utf8.count) }
  for word in Cycle(words, count: count) {
    first.send(word)
    second.send(word)
  }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func zipJusts(_ count: Int) -> Int {
  let tally = Tally()
  for value in 0..<count {
    _ = opaque(Just(value).zip(Just(value)).sink { tally.add($0.0 &+ $0.1) })
  }
  return tally.sum
}
