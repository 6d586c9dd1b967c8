// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension StepOperator {
  /// Operators that pass demand, and remember earlier values, or their position.
  static let remembering: [StepOperator] = [
    .init(
      "enumerated", "{0}.enumerated().map { $0.element &* # &+ $0.index }",
      { n in
        PassingMachine(0) { index, value in
          defer { index += 1 }
          return .emit(value &* n &+ index)
        }
      }
    ) { b in
      let n = b.number
      return b[0].enumerated().map { $0.element &* n &+ $0.index }.eraseToAnyPublisher()
    },
    .init(
      "nwise", "{0}.nwise(#).map { $0.reduce(0) { $0 &* 3 &+ $1 } }",
      { n in
        PassingMachine([Int]()) { window, value in
          window = Array((window + [value]).suffix(n))
          return window.count == n ? .emit(window.reduce(0) { $0 &* 3 &+ $1 }) : .skip
        }
      }
    ) { $0[0].nwise($0.number).map { $0.reduce(0) { $0 &* 3 &+ $1 } }.eraseToAnyPublisher() },
    .init(
      "combinePrevious", "{0}.combinePrevious(#).map { $1 &- $0 &* 3 }",
      { n in
        PassingMachine(n) { last, value in
          defer { last = value }
          return .emit(value &- last &* 3)
        }
      }
    ) { $0[0].combinePrevious($0.number).map { $1 &- $0 &* 3 }.eraseToAnyPublisher() },
    .init(
      "scan(into:)", "{0}.scan(into: #) { $0 = $0 &+ $1 }",
      { n in
        PassingMachine(n) { sum, value in
          sum = sum &+ value
          return .emit(sum)
        }
      }
    ) { $0[0].scan(into: $0.number) { $0 = $0 &+ $1 }.eraseToAnyPublisher() },
    // Few different values, so that some come again.
    .init(
      "removeAllDuplicates", "{0}.map { $0 % (# + 3) }.removeAllDuplicates()",
      { n in
        PassingMachine([Int]()) { seen, value in
          let value = value % (n + 3)
          if seen.contains(value) { return .skip }
          seen.append(value)
          return .emit(value)
        }
      }
    ) { b in
      let n = b.number
      return b[0].map { $0 % (n + 3) }.removeAllDuplicates().eraseToAnyPublisher()
    },
    .init(
      "removeAllDuplicates(by:)", "{0}.removeAllDuplicates { $0 % (# + 3) == $1 % (# + 3) }",
      { n in
        PassingMachine([Int]()) { seen, value in
          if seen.contains(where: { $0 % (n + 3) == value % (n + 3) }) { return .skip }
          seen.append(value)
          return .emit(value)
        }
      }
    ) { b in
      let n = b.number
      return b[0].removeAllDuplicates { $0 % (n + 3) == $1 % (n + 3) }.eraseToAnyPublisher()
    },
    .init(
      "prefix(while:behavior: .inclusive)", "{0}.prefix(while: { $0 % # != 1 }, behavior: .inclusive)",
      { n in PassingMachine(()) { $1 % n != 1 ? .emit($1) : .last($1) } }
    ) { b in
      let n = b.number
      return b[0].prefix(while: { $0 % n != 1 }, behavior: .inclusive).eraseToAnyPublisher()
    },
    .init(
      "prefix(while:behavior: .exclusive)", "{0}.prefix(while: { $0 % # != 1 }, behavior: .exclusive)",
      { n in PassingMachine(()) { $1 % n != 1 ? .emit($1) : .finish } }
    ) { b in
      let n = b.number
      return b[0].prefix(while: { $0 % n != 1 }, behavior: .exclusive).eraseToAnyPublisher()
    },
    .init(
      "ignoreFailure", "{0}.ignoreFailure(setFailureType: ModelError.self)", { _ in FailureIgnoringMachine() }
    ) { $0[0].ignoreFailure(setFailureType: ModelError.self).eraseToAnyPublisher() },
  ]
}
