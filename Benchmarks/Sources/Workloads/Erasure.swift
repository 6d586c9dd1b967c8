// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

let erasure = [
  Workload("erased three times", "erasure") { erasedThreeTimes($0) },
  Workload("erased once, String", "erasure") { erasedStrings($0) },
]

// Functions that the compiler cannot see through, like those of another module.

@inline(never)
private func numbers(_ count: Int) -> AnyPublisher<Int, Never> {
  Elements(0..<count).eraseToAnyPublisher()
}

@inline(never)
private func tripled(_ publisher: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
  publisher.map { $0 &* 3 }.eraseToAnyPublisher()
}

@inline(never)
private func even(_ publisher: AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never> {
  publisher.filter { $0 & 1 == 0 }.eraseToAnyPublisher()
}

@inline(never)
private func erasedThreeTimes(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = even(tripled(numbers(count))).sink { tally.add($0) }
  return withExtendedLifetime(cancellable) { tally.sum }
}

@inline(never)
private func someWords(_ count: Int) -> AnyPublisher<String, Never> {
  Elements(Cycle(words, count: count)).eraseToAnyPublisher()
}

@inline(never)
private func erasedStrings(_ count: Int) -> Int {
  let tally = Tally()
  let cancellable = someWords(count).sink { tally.add($0.utf8.count) }
  return withExtendedLifetime(cancellable) { tally.sum }
}
