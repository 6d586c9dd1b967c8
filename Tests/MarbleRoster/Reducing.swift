// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

extension OperatorPicture {
  static let reducing: [OperatorPicture] = [
    .init(
      "collect", "All values are published as one array when upstream finishes.",
      """
      source    1-2-3---|
      > collect()
      expected  --------['[1, 2, 3]'|]
      """
    ) { $0.numbers().collect() },
    .init(
      "collect-count", "Values are published in arrays of two; the last array has what is left.",
      """
      source    1-2---3-4---5-|
      > collect(2)
      expected  --'[1, 2]'-----'[3, 4]'-----['[5]'|]
      """
    ) { $0.numbers().collect(2) },
    .init(
      "reduce", "The sum of all numbers is published when upstream finishes.",
      """
      source    1-2-3-4-|
      > reduce(0) { $0 + $1 }
      expected  --------['10'|]
      """
    ) { $0.numbers().reduce(0) { $0 + $1 } },
    .init(
      "try-reduce", "The closure throws before upstream finishes: upstream is cancelled, and the output fails.",
      """
      source    2-4-[5!]-6-|
      > tryReduce(0) { try $0 + half($1) }
      expected  ----#'odd'
      """
    ) { $0.numbers().tryReduce(0) { try $0 + half($1) } },
    .init(
      "count", "The number of values is published when upstream finishes.",
      """
      source    a-b-c---|
      > count()
      expected  --------[3|]
      """
    ) { $0.source().count() },
    .init(
      "min", "The smallest number is published when upstream finishes.",
      """
      source    3-1-4-2-|
      > min()
      expected  --------[1|]
      """
    ) { $0.numbers().min() },
    .init(
      "max", "The largest number is published when upstream finishes.",
      """
      source    3-1-4-2-|
      > max()
      expected  --------[4|]
      """
    ) { $0.numbers().max() },
    .init(
      "min-by", "The shortest word is published when upstream finishes.",
      """
      source    --'weir'--'by'--'gate'--|
      > min { $0.count < $1.count }
      expected  -----------['by'|]
      """
    ) { $0.source().min { $0.count < $1.count } },
    .init(
      "max-by", "The longest word is published when upstream finishes.",
      """
      source    --'gate'--'sluice'--'weir'--|
      > max { $0.count < $1.count }
      expected  -----------['sluice'|]
      """
    ) { $0.source().max { $0.count < $1.count } },
    .init(
      "try-min-by", "The closure throws: upstream is cancelled, and the output fails without a value.",
      """
      source    3-1-['-1'!]-2-|
      > tryMin { try isLess($0, $1) }
      expected  ----#'negative'
      """
    ) { $0.numbers().tryMin { try isLess($0, $1) } },
    .init(
      "try-max-by", "The closure throws: upstream is cancelled, and the output fails without a value.",
      """
      source    3-4-['-1'!]-2-|
      > tryMax { try isLess($0, $1) }
      expected  ----#'negative'
      """
    ) { $0.numbers().tryMax { try isLess($0, $1) } },
    .init(
      "ignore-output", "No value passes; the end does.",
      """
      source    1-2-3-4-|
      > ignoreOutput()
      expected  --------|
      """
    ) { $0.numbers().ignoreOutput() },
  ]

  static let matching: [OperatorPicture] = [
    .init(
      "contains", "At the first 3, true is published, and upstream is cancelled.",
      """
      source    1-2-[3!]-4-|
      > contains(3)
      expected  ----['true'|]
      """
    ) { $0.numbers().contains(3) },
    .init(
      "contains-where", "No value is above 10, so false is published when upstream finishes.",
      """
      source    1-2-3-4-|
      > contains { $0 > 10 }
      expected  --------['false'|]
      """
    ) { $0.numbers().contains { $0 > 10 } },
    .init(
      "try-contains-where",
      "The predicate throws before a value satisfies it: upstream is cancelled, and the output fails.",
      """
      source    1-3-['-1'!]-4-|
      > tryContains { try isEven($0) }
      expected  ----#'negative'
      """
    ) { $0.numbers().tryContains { try isEven($0) } },
    .init(
      "all-satisfy", "At the first odd number, false is published, and upstream is cancelled.",
      """
      source    2-4-[5!]-6-|
      > allSatisfy { $0.isMultiple(of: 2) }
      expected  ----['false'|]
      """
    ) { $0.numbers().allSatisfy { $0.isMultiple(of: 2) } },
    .init(
      "try-all-satisfy",
      "The predicate throws while all values satisfy it: upstream is cancelled, and the output fails.",
      """
      source    2-4-['-1'!]-6-|
      > tryAllSatisfy { try isEven($0) }
      expected  ----#'negative'
      """
    ) { $0.numbers().tryAllSatisfy { try isEven($0) } },
  ]

  /// Whether a number is smaller than another one; no negative one is comparable.
  private static func isLess(_ lhs: Int, _ rhs: Int) throws -> Bool {
    guard min(lhs, rhs) >= 0 else { throw MarbleFailure("negative") }
    return lhs < rhs
  }
}
