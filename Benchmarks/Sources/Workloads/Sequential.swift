// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let sequential = [
  Workload("catch", "sequential") { catchInts($0) },
  Workload("catch, String", "sequential") { catchStrings($0) },
  Workload("tryCatch", "sequential") { tryCatchInts($0) },
  Workload("catch, replacement", "sequential") { replaceInts($0) },
  Workload("retry", "sequential") { retryInts($0) },
  Workload("retry, String", "sequential") { retryStrings($0) },
  Workload("retry, each 16th fails", "sequential") { retryOften($0) },
  Workload("append", "sequential") { appendInts($0) },
  Workload("append, String", "sequential") { appendStrings($0) },
  Workload("prepend", "sequential") { prependInts($0) },
  Workload("append three times", "sequential") { appendThrice($0) },
  Workload("append, a Just, each new", "sequential", .later, size: 20_000) { appendJust($0) },
  Workload("catch, a Just, each new", "sequential", .later, size: 20_000) { catchJust($0) },
]

@inline(never)
private func catchInts(_ count: Int) -> Int {
  let tally = Tally()
  let failing = Elements(0..<count).setFailureType(to: Unexpected.self)
  let cancellable = failing.catch { _ in Just(1) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func catchStrings(_ count: Int) -> Int {
  let tally = Tally()
  let failing = Elements(Cycle(words, count: count)).setFailureType(to: Unexpected.self)
  let cancellable = failing.catch { _ in Just("one") }.sink { tally.add($0.utf8.count) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func tryCatchInts(_ count: Int) -> Int {
  let tally = Tally()
  let failing = Elements(0..<count).setFailureType(to: Unexpected.self)
  let cancellable = failing.tryCatch { _ in Just(1) }.sink(
    receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
  return withExtendedLifetime(cancellable) { tally.sum }
}

/// All values come from the successor.
@inline(never)
private func replaceInts(_ count: Int) -> Int {
  let tally = Tally()
  let failing = Fail<Int, Unexpected>(error: Unexpected())
  let cancellable = failing.catch { _ in Elements(0..<count) }.sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func retryInts(_ count: Int) -> Int {
  let tally = Tally()
  let failing = Elements(0..<count).setFailureType(to: Unexpected.self)
  let cancellable = failing.retry(3).sink(receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func retryStrings(_ count: Int) -> Int {
  let tally = Tally()
  let failing = Elements(Cycle(words, count: count)).setFailureType(to: Unexpected.self)
  let cancellable = failing.retry(3).sink(receiveCompletion: { _ in }, receiveValue: { tally.add($0.utf8.count) })
  return withExtendedLifetime(cancellable) { tally.sum }
}

/// Subscribes again for every sixteenth value.
@inline(never)
private func retryOften(_ count: Int) -> Int {
  let tally = Tally()
  let failing = Elements(0..<16).tryMap { number in
    if number == 15 { throw Unexpected() }
    return number
  }
  let cancellable = failing.retry(count / 16).sink(
    receiveCompletion: { _ in }, receiveValue: { tally.add($0) })
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func appendInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count / 2).append(Elements(0..<count / 2)).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func appendStrings(_ count: Int) -> Int {
  let tally = Tally()
  let half = Elements(Cycle(words, count: count / 2))
  let cancellable = half.append(half).sink { tally.add($0.utf8.count) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func prependInts(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = Elements(0..<count).prepend(1, 2, 3).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func appendThrice(_ count: Int) -> Int {
  let tally = Tally()
  let quarter = Elements(0..<count / 4)
  let cancellable = quarter.append(quarter).append(quarter).append(quarter).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func appendJust(_ count: Int) -> Int {
  let tally = Tally()
  for value in 0..<count {
    _ = opaque(Elements(CollectionOfOne(value)).append(Just(value)).sink { tally.add($0) })
  }
  return tally.sum
}

@inline(never)
private func catchJust(_ count: Int) -> Int {
  let tally = Tally()
  for value in 0..<count {
    _ = opaque(Fail<Int, Unexpected>(error: Unexpected()).catch { _ in Just(value) }.sink { tally.add($0) })
  }
  return tally.sum
}
