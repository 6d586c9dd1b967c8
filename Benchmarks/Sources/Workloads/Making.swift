// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import BenchmarkKit

/// Pipelines that are kept, each with a source of its own.
public func standing() -> [Standing] {
  [
    Standing("a bare PassthroughSubject") { count in (0..<count).map { _ in PassthroughSubject<Int, Never>() } },
    Standing("a bare CurrentValueSubject") { count in (0..<count).map { CurrentValueSubject<Int, Never>($0) } },
    Standing("one subject's map.filter.sink") { count in
      let (tally, subject) = (Tally(), PassthroughSubject<Int, Never>())
      let all = (0..<count).map { _ in
        subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) } as AnyObject
      }
      return all + [subject]
    },
    Standing("map.filter.sink") { count in
      let tally = Tally()
      return (0..<count).map { _ in mapped(into: tally) }
    },
    Standing("removeDuplicates.prefix.sink") { count in
      let tally = Tally()
      return (0..<count).map { _ in managed(into: tally) }
    },
    Standing("flatMap.sink") { count in
      let tally = Tally()
      return (0..<count).map { _ in flattened(into: tally) }
    },
    Standing("switchToLatest.sink") { count in
      let tally = Tally()
      return (0..<count).map { _ in switched(into: tally) }
    },
    Standing("catch.sink") { count in
      let tally = Tally()
      return (0..<count).map { _ in caught(into: tally) }
    },
    Standing("zip of two subjects, sink") { count in
      let tally = Tally()
      return (0..<count).map { _ in zipped(into: tally) }
    },
    Standing("share, three sinks") { count in
      let tally = Tally()
      return (0..<count).map { _ in shared(into: tally) }
    },
  ]
}

/// The same, made and dropped one by one.
let making = standing().map { pipeline in
  Workload("make and drop, \(pipeline.name)", "making", .later, size: 10_000) { count in
    for _ in 0..<count { _ = opaque(pipeline.make(1)) }
    return count
  }
}

/// What keeps a pipeline: its cancellables.
private final class Kept {
  private let cancellables: [AnyCancellable]

  init(_ cancellables: AnyCancellable...) { self.cancellables = cancellables }
}

@inline(never)
private func mapped(into tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { tally.add($0) }
}

@inline(never)
private func managed(into tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().removeDuplicates().prefix(10).sink { tally.add($0) }
}

@inline(never)
private func flattened(into tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().flatMap { Just($0) }.sink { tally.add($0) }
}

@inline(never)
private func switched(into tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().map { Just($0) }.switchToLatest().sink { tally.add($0) }
}

@inline(never)
private func caught(into tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Unexpected>().catch { _ in Just(0) }.sink { tally.add($0) }
}

@inline(never)
private func zipped(into tally: Tally) -> AnyObject {
  PassthroughSubject<Int, Never>().zip(PassthroughSubject<Int, Never>()).sink { tally.add($0 &+ $1) }
}

@inline(never)
private func shared(into tally: Tally) -> AnyObject {
  let shared = PassthroughSubject<Int, Never>().share()
  return Kept(shared.sink { tally.add($0) }, shared.sink { tally.add($0) }, shared.sink { tally.add($0) })
}
