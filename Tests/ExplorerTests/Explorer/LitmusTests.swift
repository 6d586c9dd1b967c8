// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import Synchronization
import Testing

/// Atomic words of a litmus test; a class, because closures cannot capture them otherwise.
private final class Words {
  let x = AtomicCell<UInt>(0)
  let y = AtomicCell<UInt>(0)
  let owned = OwnerCheck()
}

extension ExplorerTests {
  /// Tests of the explorer itself, on programs whose outcomes are known.
  @Suite(.serialized) struct LitmusTests {
    /// The outcomes of a script whose threads write into an array: the same, whether or not states are merged.
    private func outcomes(
      preemptions: Int = 3, staleLoads: Int = 2, _ makeThreads: @escaping (Words) -> [() -> UInt]
    ) -> Set<[UInt]> {
      let (all, schedules) = outcomes(preemptions, staleLoads, merging: false, makeThreads)
      let (merged, fewer) = outcomes(preemptions, staleLoads, merging: true, makeThreads)
      #expect(merged == all && fewer <= schedules)
      return all
    }

    private func outcomes(
      _ preemptions: Int, _ staleLoads: Int, merging isMerging: Bool, _ makeThreads: @escaping (Words) -> [() -> UInt]
    ) -> (Set<[UInt]>, schedules: Int) {
      var outcomes: Set<[UInt]> = []
      let bounds = Exploration.Bounds(preemptions: preemptions, staleLoads: staleLoads)
      let findings = explore(within: bounds, merging: isMerging) { _ in
        let threads = makeThreads(Words())
        let results = Results(threads.count)
        return Script(threads.enumerated().map { index, thread in { results.values[index] = thread() } }) {
          outcomes.insert(results.values)
          return []
        }
      }
      #expect(findings.isExhausted)
      return (outcomes, findings.schedules)
    }

    private final class Results {
      var values: [UInt]
      init(_ count: Int) { values = Array(repeating: 0, count: count) }
    }

    @Test func `Two increments by a load and a store may lose one, and two updates do not`() {
      let lost = outcomes { words in
        (0..<2).map { _ in
          {
            words.x.store(words.x.load(ordering: .relaxed) + 1, ordering: .relaxed)
            return 0
          }
        } + [
          { words.x.load(ordering: .acquiring) }
        ]
      }
      #expect(lost.map { $0[2] }.contains(1) && lost.map { $0[2] }.contains(2))
      var sums: Set<UInt> = []
      let findings = explore { _ in
        let words = Words()
        return Script((0..<2).map { _ in { words.x.wrappingAdd(1, ordering: .relaxed) } }) {
          sums.insert(words.x.load(ordering: .relaxed))
          return []
        }
      }
      #expect(findings.isExhausted && sums == [2])
    }

    @Test func `Store buffering shows with relaxed and with releasing stores, and not with full fences`() {
      func run(fences: Bool, _ store: Bool) -> Set<[UInt]> {
        outcomes { words in
          [
            {
              if store { words.x.store(1, ordering: .releasing) } else { words.x.store(1, ordering: .relaxed) }
              if fences { fullFence() }
              return words.y.load(ordering: .acquiring)
            },
            {
              if store { words.y.store(1, ordering: .releasing) } else { words.y.store(1, ordering: .relaxed) }
              if fences { fullFence() }
              return words.x.load(ordering: .acquiring)
            },
          ]
        }
      }
      #expect(run(fences: false, false) == [[0, 0], [0, 1], [1, 0], [1, 1]])
      #expect(run(fences: false, true) == [[0, 0], [0, 1], [1, 0], [1, 1]])
      #expect(run(fences: true, false) == [[0, 1], [1, 0], [1, 1]])
    }

    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func `A message passes by release and acquire, and by nothing less`(_ releases: Bool, _ acquires: Bool) {
      let seen = outcomes { words in
        [
          {
            words.x.store(1, ordering: .relaxed)
            if releases { words.y.store(1, ordering: .releasing) } else { words.y.store(1, ordering: .relaxed) }
            return 0
          },
          {
            let flag = acquires ? words.y.load(ordering: .acquiring) : words.y.load(ordering: .relaxed)
            return flag * 10 + words.x.load(ordering: .relaxed)
          },
        ]
      }
      #expect(seen.contains([0, 10]) == !(releases && acquires))
      #expect(seen.contains([0, 11]) && seen.contains([0, 0]))
    }

    @Test func `An update continues the release of the store it has read`() {
      let seen = outcomes { words in
        [
          {
            words.x.store(1, ordering: .relaxed)
            words.y.store(1, ordering: .releasing)
            return 0
          },
          { words.y.wrappingAdd(1, ordering: .relaxed).oldValue },
          {
            let flag = words.y.load(ordering: .acquiring)
            return flag * 10 + words.x.load(ordering: .relaxed)
          },
        ]
      }
      #expect(seen.contains([0, 1, 21]))
      #expect(!seen.contains([0, 1, 20]))
      // The update came first: its word is not a release.
      #expect(seen.contains([0, 0, 10]))
    }

    @Test func `A load never goes back behind a word that the thread has seen`() {
      let seen = outcomes { words in
        [
          {
            words.x.store(1, ordering: .relaxed)
            words.x.store(2, ordering: .relaxed)
            return 0
          },
          { words.x.load(ordering: .relaxed) * 10 + words.x.load(ordering: .relaxed) },
        ]
      }
      #expect(seen.map { $0[1] }.sorted() == [0, 1, 2, 11, 12, 22])
    }

    @Test func `An owner's variables need an order between their users`() {
      func run(releases: Bool) -> Findings {
        explore(within: .init(preemptions: 2, staleLoads: 1)) { _ in
          let words = Words()
          func use() {
            while !words.x.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { spin() }
            words.owned.leave(words.owned.enter("the variables"))
            if releases { words.x.store(0, ordering: .releasing) } else { words.x.store(0, ordering: .relaxed) }
          }
          return Script([use, use]) { [] }
        }
      }
      #expect(run(releases: true).fault == nil)
      #expect(run(releases: false).fault?.contains("nothing orders the two") == true)
    }

    @Test func `Merging keeps every order of what no cell stands for`() {
      func orders(merging isMerging: Bool) -> (Set<[String]>, schedules: Int) {
        var orders: Set<[String]> = []
        let findings = explore(within: .init(preemptions: 3), merging: isMerging) { exploration in
          let words = Words()
          nonisolated(unsafe) var order: [String] = []
          func thread(_ name: String) -> () -> Void {
            {
              for turn in 1...2 {
                order.append("\(name)\(turn)")
                exploration.yield("notes a turn")
                words.x.wrappingAdd(1, ordering: .relaxed)
              }
            }
          }
          return Script([
            thread("a"), thread("b"), { words.y.store(words.x.load(ordering: .relaxed), ordering: .relaxed) },
          ]) {
            orders.insert(order + ["\(words.y.load(ordering: .relaxed))"])
            return []
          }
        }
        #expect(findings.isExhausted)
        return (orders, findings.schedules)
      }
      let ((all, schedules), (merged, fewer)) = (orders(merging: false), orders(merging: true))
      #expect(merged == all && all.count > 6)
      #expect(fewer < schedules)
    }

    @Test func `Locks that are taken in opposite orders are found, with the steps that lead there`() {
      let findings = explore { _ in
        let locks = Locks()
        return Script([
          { locks.first.withLock { _ in locks.second.withLock { _ in } } },
          { locks.second.withLock { _ in locks.first.withLock { _ in } } },
        ]) { [] }
      }
      #expect(findings.fault == "deadlock: A waits for a lock, B waits for a lock")
      #expect(findings.schedule?.split(separator: " ").count == 1)
      #expect(findings.steps.contains { $0.hasPrefix("A: ") && $0.hasSuffix("waits for the lock") }, "\(findings)")
    }

    private final class Locks {
      let first = Guarded(0)
      let second = Guarded(0)
    }

    @Test func `A wait that nobody ends is found`() {
      let findings = explore { _ in
        let words = Words()
        return Script([{ while words.x.load(ordering: .acquiring) == 0 { spin() } }, {}]) { [] }
      }
      #expect(findings.fault == "deadlock: A waits for another thread")
    }

    @Test func `Random schedules find what needs several steps in an order`() {
      let findings = sample(2_000) { _ in
        let words = Words()
        return Script([
          {
            words.x.store(1, ordering: .relaxed)
            words.x.store(2, ordering: .relaxed)
            words.x.store(3, ordering: .relaxed)
          },
          { words.y.store(words.x.load(ordering: .acquiring), ordering: .relaxed) },
        ]) { words.y.load(ordering: .relaxed) == 2 ? ["the load came between the second store and the third"] : [] }
      }
      #expect(findings.fault != nil)
    }
  }
}
