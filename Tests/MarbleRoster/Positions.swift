// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

extension OperatorPicture {
  static let positions: [OperatorPicture] = [
    .init(
      "first", "The first value is published, and upstream is cancelled.",
      """
      source    --[1!]-2-3-|
      > first()
      expected  --[1|]
      """
    ) { $0.numbers().first() },
    .init(
      "first-where", "The first value above 10 is published, and upstream is cancelled.",
      """
      source    2-['30'!]-'22'-5-|
      > first { $0 > 10 }
      expected  --['30'|]
      """
    ) { $0.numbers().first { $0 > 10 } },
    .init(
      "try-first-where",
      "The predicate throws before a value satisfies it: upstream is cancelled, and the output fails.",
      """
      source    1-3-['-1'!]-4-|
      > tryFirst { try isEven($0) }
      expected  ----#'negative'
      """
    ) { $0.numbers().tryFirst { try isEven($0) } },
    .init(
      "last", "The last value is published when upstream finishes.",
      """
      source    1-2-3---|
      > last()
      expected  --------[3|]
      """
    ) { $0.numbers().last() },
    .init(
      "last-where", "The last even number is published when upstream finishes.",
      """
      source    1-2-4-5-|
      > last { $0.isMultiple(of: 2) }
      expected  --------[4|]
      """
    ) { $0.numbers().last { $0.isMultiple(of: 2) } },
    .init(
      "try-last-where", "The predicate throws: upstream is cancelled, and the output fails without a value.",
      """
      source    2-4-['-1'!]-6-|
      > tryLast { try isEven($0) }
      expected  ----#'negative'
      """
    ) { $0.numbers().tryLast { try isEven($0) } },
    .init(
      "output-at", "The value at index 2 is published, and upstream is cancelled.",
      """
      source    a-b-[c!]-d-|
      > output(at: 2)
      expected  ----[c|]
      """
    ) { $0.source().output(at: 2) },
    .init(
      "output-in", "The values at the indexes 1 and 2 are published, and upstream is cancelled.",
      """
      source    a-b-[c!]-d-e-|
      > output(in: 1...2)
      expected  --b-[c|]
      """
    ) { $0.source().output(in: 1...2) },
    .init(
      "prefix", "Two values pass, and upstream is cancelled.",
      """
      source    1-[2!]-3-4-|
      > prefix(2)
      expected  1-[2|]
      """
    ) { $0.numbers().prefix(2) },
    .init(
      "prefix-while",
      "Values pass up to the first that is not below 10, which is left out. Then upstream is cancelled.",
      """
      source    1-5-['20'!]-2-|
      > prefix { $0 < 10 }
      expected  1-5-|
      """
    ) { $0.numbers().prefix { $0 < 10 } },
    .init(
      "try-prefix-while", "Even numbers pass. The predicate throws: upstream is cancelled, and the output fails.",
      """
      source    2-4-['-1'!]-6-|
      > tryPrefix { try isEven($0) }
      expected  2-4-#'negative'
      """
    ) { $0.numbers().tryPrefix { try isEven($0) } },
    .init(
      "prefix-until-output", "Values pass until the other publisher delivers. Then upstream is cancelled.",
      """
      source    1-2-3-!-4-5-|
      stop      ------[x!]--y-
      > prefix(untilOutputFrom: stop)
      expected  1-2-3-|
      """
    ) { $0.numbers().prefix(untilOutputFrom: $0.source("stop")) },
    .init(
      "drop-first", "The first two values are left out.",
      """
      source    1-2-3-4-|
      > dropFirst(2)
      expected  ----3-4-|
      """
    ) { $0.numbers().dropFirst(2) },
    .init(
      "drop-while", "Values are left out while they are below 10. From then on all pass, also those below.",
      """
      source    1-5-'20'-2-|
      > drop { $0 < 10 }
      expected  ----'20'-2-|
      """
    ) { $0.numbers().drop { $0 < 10 } },
    .init(
      "try-drop-while", "Even numbers are left out. The predicate throws: upstream is cancelled, and the output fails.",
      """
      source    2-4-['-1'!]-6-|
      > tryDrop { try isEven($0) }
      expected  ----#'negative'
      """
    ) { $0.numbers().tryDrop { try isEven($0) } },
    .init(
      "drop-until-output", "Values are left out until the other publisher delivers.",
      """
      source    1-2---3-4-|
      start     ----x---y--
      > drop(untilOutputFrom: start)
      expected  ------3-4-|
      """
    ) { $0.numbers().drop(untilOutputFrom: $0.source("start")) },
  ]
}
