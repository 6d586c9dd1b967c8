// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

extension OperatorPicture {
  static let filtering: [OperatorPicture] = [
    .init(
      "filter", "Of four numbers, the even ones pass.",
      """
      source    1-2-3-4-|
      > filter { $0.isMultiple(of: 2) }
      expected  --2---4-|
      """
    ) { $0.numbers().filter { $0.isMultiple(of: 2) } },
    .init(
      "try-filter", "The even numbers pass. The predicate throws for -1: upstream is cancelled, and the output fails.",
      """
      source    1-2-4-['-1'!]-6-|
      > tryFilter { try isEven($0) }
      expected  --2-4-#'negative'
      """
    ) { $0.numbers().tryFilter { try isEven($0) } },
    .init(
      "compact-map", "What is a number is published as one; the word is left out.",
      """
      source    '1'-'two'-'3'-|
      > compactMap { Int($0) }
      expected  1---3-|
      """
    ) { $0.source().compactMap { Int($0) } },
    .init(
      "try-compact-map",
      "What is a number is published, the word is left out, and the closure throws for “?”: the output fails.",
      """
      source    1-'two'-3-['?'!]-5-|
      > tryCompactMap { try number($0) }
      expected  1---3-#'unreadable'
      """
    ) {
      $0.source().tryCompactMap { text in
        if text == "?" { throw MarbleFailure("unreadable") }
        return Int(text)
      }
    },
    .init(
      "remove-duplicates", "A value that is equal to the one before is left out; it passes again later.",
      """
      source    a-a-b-b-a-|
      > removeDuplicates()
      expected  a---b---a-|
      """
    ) { $0.source().removeDuplicates() },
    .init(
      "remove-duplicates-by", "A letter that differs from the one before in its case alone is left out.",
      """
      source    a-A-b-B-a-|
      > removeDuplicates { $0.lowercased() == $1.lowercased() }
      expected  a---b---a-|
      """
    ) { $0.source().removeDuplicates { $0.lowercased() == $1.lowercased() } },
    .init(
      "try-remove-duplicates",
      "Equal neighbours are left out, until the predicate throws: upstream is cancelled, and the output fails.",
      """
      source    1-1-2-['-1'!]-2-|
      > tryRemoveDuplicates { try isSame($0, $1) }
      expected  1---2-#'negative'
      """
    ) {
      $0.numbers().tryRemoveDuplicates { last, next in
        guard next >= 0 else { throw MarbleFailure("negative") }
        return last == next
      }
    },
    .init(
      "replace-empty", "A publisher that finishes without a value gives 0.",
      """
      source    ------|
      > replaceEmpty(with: 0)
      expected  ------[0|]
      """
    ) { $0.numbers().replaceEmpty(with: 0) },
  ]
}
