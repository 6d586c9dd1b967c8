// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension StepOperator {
  /// Operators that pass demand, and decide about each value when it comes.
  static let passing: [StepOperator] = [
    .init("map", "{0}.map { $0 &* 3 &+ # }", { n in PassingMachine(()) { .emit($1 &* 3 &+ n) } }) { b in
      let n = b.number
      return b[0].map { $0 &* 3 &+ n }
    },
    .init(
      "filter", "{0}.filter { $0 % # != 0 }", { n in PassingMachine(()) { $1 % n != 0 ? .emit($1) : .skip } }
    ) { b in
      let n = b.number
      return b[0].filter { $0 % n != 0 }
    },
    .init(
      "compactMap", "{0}.compactMap { $0 % # == 0 ? $0 / # : nil }",
      { n in PassingMachine(()) { $1 % n == 0 ? .emit($1 / n) : .skip } }
    ) { b in
      let n = b.number
      return b[0].compactMap { $0 % n == 0 ? $0 / n : nil }
    },
    .init(
      "scan", "{0}.scan(#) { $0 &+ $1 }",
      { n in
        PassingMachine(n) { sum, value in
          sum = sum &+ value
          return .emit(sum)
        }
      }
    ) { $0[0].scan($0.number) { $0 &+ $1 } },
    .init(
      "removeDuplicates", "{0}.removeDuplicates { $0 / # == $1 / # }",
      { n in
        PassingMachine(Int?.none) { last, value in
          defer { last = value }
          return last.map { $0 / n == value / n } == true ? .skip : .emit(value)
        }
      }
    ) { b in
      let n = b.number
      return b[0].removeDuplicates { $0 / n == $1 / n }
    },
    .init("dropFirst", "{0}.dropFirst(#)", { DropFirstMachine($0) }) { $0[0].dropFirst($0.number) },
    .init(
      "drop(while:)", "{0}.drop { $0 < # &* 3 }",
      { n in
        PassingMachine(false) { isOpen, value in
          isOpen = isOpen || value >= n &* 3
          return isOpen ? .emit(value) : .skip
        }
      }
    ) { b in
      let n = b.number
      return b[0].drop { $0 < n &* 3 }
    },
    .init(
      "prefix", "{0}.prefix(#)",
      { n in
        PassingMachine(n) { left, value in
          left -= 1
          return left == 0 ? .last(value) : .emit(value)
        }
      }
    ) { $0[0].prefix($0.number) },
    .init(
      "prefix(while:)", "{0}.prefix { $0 % # != 1 }",
      { n in PassingMachine(()) { $1 % n != 1 ? .emit($1) : .finish } }
    ) { b in
      let n = b.number
      return b[0].prefix { $0 % n != 1 }
    },
    .init(
      "output(at:)", "{0}.output(at: #)",
      { n in
        PassingMachine(n) { left, value in
          left -= 1
          return left == -1 ? .last(value) : .skip
        }
      }
    ) { $0[0].output(at: $0.number) },
    .init(
      "pairwise", "{0}.pairwise().map { $1 &- $0 &* # }",
      { n in
        PassingMachine(Int?.none) { last, value in
          defer { last = value }
          return last.map { .emit(value &- $0 &* n) } ?? .skip
        }
      }
    ) { b in
      let n = b.number
      return b[0].pairwise().map { $1 &- $0 &* n }.eraseToAnyPublisher()
    },
    .init(
      "tryMap", "{0}.tryMap { if $0 % 7 == # { throw ModelError() }; return $0 }.mapError { _ in ModelError() }",
      { n in PassingMachine(()) { $1 % 7 == n ? .fail : .emit($1) } }
    ) { b in
      let n = b.number
      return b[0].tryMap { if $0 % 7 == n { throw ModelError() } else { $0 } }.mapError { _ in ModelError() }
    },
    .init("ignoreOutput", "{0}.ignoreOutput().map { _ in 0 }", { _ in IgnoringMachine() }) {
      $0[0].ignoreOutput().map(unreached)
    },
  ]
}
