// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension StepOperator {
  /// Operators that request everything, and deliver one result.
  static let reducing: [StepOperator] = [
    .init("count", "{0}.count()", { _ in reducing(0) { count, _ in count += 1 } }) { $0[0].count() },
    .init("reduce", "{0}.reduce(#) { $0 &+ $1 }", { n in reducing(n) { $0 = $0 &+ $1 } }) {
      $0[0].reduce($0.number) { $0 &+ $1 }
    },
    .init(
      "collect()", "{0}.collect().map { $0.reduce(#, &+) }", { n in reducing(n) { $0 = $0 &+ $1 } }
    ) { b in
      let n = b.number
      return b[0].collect().map { $0.reduce(n, &+) }
    },
    .init("last", "{0}.last()", { _ in optional { _, value in (value, false) } }) { $0[0].last() },
    .init("max", "{0}.max()", { _ in optional { last, value in (max(last ?? value, value), false) } }) { $0[0].max() },
    .init("first", "{0}.first()", { _ in optional { _, value in (value, true) } }) { $0[0].first() },
    .init(
      "first(where:)", "{0}.first { $0 % # == 1 }",
      { n in optional { _, value in value % n == 1 ? (value, true) : (nil, false) } }
    ) { b in
      let n = b.number
      return b[0].first { $0 % n == 1 }
    },
    .init(
      "last(where:)", "{0}.last { $0 % # == 0 }",
      { n in optional { last, value in (value % n == 0 ? value : last, false) } }
    ) { b in
      let n = b.number
      return b[0].last { $0 % n == 0 }
    },
    .init(
      "contains(where:)", "{0}.contains { $0 % # == 1 }.map { $0 ? 1 : 0 }",
      { n in
        ReducingMachine(0) { found, value in
          found = value % n == 1 ? 1 : 0
          return found == 1
        } _: {
          $0
        }
      }
    ) { b in
      let n = b.number
      return b[0].contains { $0 % n == 1 }.map { $0 ? 1 : 0 }
    },
    .init(
      "allSatisfy", "{0}.allSatisfy { $0 > # }.map { $0 ? 1 : 0 }",
      { n in
        ReducingMachine(1) { holds, value in
          holds = value > n ? 1 : 0
          return holds == 0
        } _: {
          $0
        }
      }
    ) { b in
      let n = b.number
      return b[0].allSatisfy { $0 > n }.map { $0 ? 1 : 0 }
    },
  ]

  private static func reducing(
    _ initial: Int, _ fold: @escaping @Sendable (inout Int, Int) -> Void
  ) -> any Machine {
    ReducingMachine(initial) { result, value in
      fold(&result, value)
      return false
    } _: {
      $0
    }
  }

  /// A fold that has no result until there is one.
  private static func optional(_ fold: @escaping @Sendable (Int?, Int) -> (Int?, Bool)) -> any Machine {
    ReducingMachine(Int?.none) { result, value in
      let (next, isDecided) = fold(result, value)
      result = next
      return isDecided
    } _: {
      $0
    }
  }
}
