// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport

extension Machine {
  /// The turns of the values of a key; the tasks that wait for a turn are left out, but their cancels are not.
  static let keys: [Machine] = [
    keyed("the end of a turn, while values come", preemptions: 3) { turns, first in
      let (next, other) = (KeyTurn(of: 1), KeyTurn(of: 2))
      return (
        [
          { turns.end(first) },
          {
            turns.begin(next)
            turns.begin(other)
          },
        ], [next, other], { expect(next.isGranted && other.isGranted, "a free key has no turn") }
      )
    },
    keyed("a turn that two threads end") { turns, first in
      let (second, third) = (KeyTurn(of: 1), KeyTurn(of: 1))
      turns.begin(second)
      return (
        [{ turns.end(first) }, { turns.end(first) }, { turns.begin(third) }], [second, third],
        {
          expect(second.isGranted && !third.isGranted, "\(second.isGranted), \(third.isGranted)")
        }
      )
    },
    keyed("the end of a turn, while the next one is cancelled") { turns, first in
      let (second, third) = (KeyTurn(of: 1), KeyTurn(of: 1))
      turns.begin(second)
      turns.begin(third)
      return (
        [{ turns.end(first) }, { second.settle(isGranted: false) }], [second, third],
        {
          expect(second.isGranted != third.isGranted, "\(second.isGranted), \(third.isGranted)")
        }
      )
    },
    keyed("a close, while a turn ends and a value comes") { turns, first in
      let (second, other) = (KeyTurn(of: 1), KeyTurn(of: 2))
      turns.begin(second)
      return (
        [{ turns.close() }, { turns.end(first) }, { turns.begin(other) }], [],
        {
          expect(turns.count == 0, "\(turns.count) keys are left")
        }
      )
    },
  ]

  private typealias Keyed = ([() -> Void], [KeyTurn<Int>], () -> [String])

  /// Two keys, of which the first has a turn that runs.
  ///
  /// - Parameter make: Returns the threads, the turns that are ended afterwards, in their order, and the condition that
  ///   has to hold before.
  private static func keyed(
    _ name: String, preemptions: Int = 2, _ make: @escaping @Sendable (KeyTurns<Int>, KeyTurn<Int>) -> Keyed
  ) -> Machine {
    Machine("mapAsync by key: " + name, preemptions: preemptions) { _ in
      let (turns, first) = (KeyTurns<Int>(), KeyTurn(of: 1))
      turns.begin(first)
      let (threads, rest, check) = make(turns, first)
      return Script(threads) {
        let faults = check()
        for turn in rest { turns.end(turn) }
        return faults + expect(turns.count == 0, "\(turns.count) keys are left at the end")
      }
    }
  }
}
