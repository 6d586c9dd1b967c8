// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Pipelines that are kept, each with a source of its own.
public func standing() -> [Standing] {
  [
    Standing("a bare PassthroughSubject") { _ in PassthroughSubject<Int, Never>() },
    Standing("a bare CurrentValueSubject") { _ in CurrentValueSubject<Int, Never>(0) },
    Standing("one subject's map.filter.sink") { count in
      let (tally, subject) = (Tally(), PassthroughSubject<Int, Never>())
      let all = (0..<count).map { _ in
        subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) } as AnyObject
      }
      return all + [subject]
    },
    Standing("map.filter.sink", one: mapped),
    Standing("removeDuplicates.prefix.sink", one: managed),
    Standing("flatMap.sink", one: flattened),
    Standing("switchToLatest.sink", one: switched),
    Standing("catch.sink", one: caught),
    Standing("zip of two subjects, sink", one: zipped),
    Standing("share, three sinks", one: shared),
  ]
}

/// The same pipelines, made and dropped one by one.
let making = standing().compactMap(Workload.making)

/// The object that keeps a pipeline, with its cancellables.
private final class Kept {
  private let cancellables: [AnyCancellable]

  init(_ cancellables: AnyCancellable...) { self.cancellables = cancellables }
}

@inline(never)
private func mapped(_ tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) }
}

@inline(never)
private func managed(_ tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().removeDuplicates().prefix(10).sink { tally.add($0) }
}

@inline(never)
private func flattened(_ tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().flatMap { Just($0) }.sink { tally.add($0) }
}

@inline(never)
private func switched(_ tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().map { Just($0) }.switchToLatest().sink { tally.add($0) }
}

@inline(never)
private func caught(_ tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Unexpected>().catch { _ in Just(0) }.sink { tally.add($0) }
}

@inline(never)
private func zipped(_ tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().zip(PassthroughSubject<Int, Never>()).sink { tally.add($0 &+ $1) }
}

@inline(never)
private func shared(_ tally: Tally) -> AnyObject {
  let shared = PassthroughSubject<Int, Never>().share()
  return Kept(shared.sink { tally.add($0) }, shared.sink { tally.add($0) }, shared.sink { tally.add($0) })
}
