// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting

extension OperatorPicture {
  static let combining: [OperatorPicture] = [
    .init(
      "combine-latest", "Once both have delivered, each value of either is published with the latest of the other.",
      """
      source    1---2-----3-|
      letters   --a-----b---|
      > combineLatest(letters)
      expected  --'1a'-'2a'---'2b'-'3b'-|
      """, values: { .shown { "\($0.0)\($0.1)" } }
    ) { $0.source().combineLatest($0.source("letters")) },
    .init(
      "combine-latest-transform", "Each value of either is published as the product with the latest of the other.",
      """
      source    1---2-----3-|
      factor    --5-----7---|
      > combineLatest(factor) { $0 * $1 }
      expected  --5-'10'---'14'-'21'-|
      """
    ) { $0.numbers().combineLatest($0.numbers("factor")) { $0 * $1 } },
    .init(
      "combine-latest-3", "Once all three have delivered, each value is published with the latest of the others.",
      """
      source    1-------2---|
      letters   --a-------b-|
      signs     ----+-------|
      > combineLatest(letters, signs)
      expected  ----'1a+'---'2a+'-'2b+'-|
      """, values: { .shown { "\($0.0)\($0.1)\($0.2)" } }
    ) { $0.source().combineLatest($0.source("letters"), $0.source("signs")) },
    .init(
      "combine-latest-4", "Once all four have delivered, each value is published with the latest of the others.",
      """
      source    1--------2---|
      letters   --a--------b-|
      signs     ----+--------|
      flags     -----x-------|
      > combineLatest(letters, signs, flags)
      expected  -----'1a+x'---'2a+x'-'2b+x'-|
      """, values: { .shown { "\($0.0)\($0.1)\($0.2)\($0.3)" } }
    ) { $0.source().combineLatest($0.source("letters"), $0.source("signs"), $0.source("flags")) },
    .init(
      "zip", "The first value goes with the first, the second with the second. A value waits for its partner.",
      """
      source    1-2-3-------|
      letters   ---a---b----c-|
      > zip(letters)
      expected  ---'1a'---'2b'----['3c'|]
      """, values: { .shown { "\($0.0)\($0.1)" } }
    ) { $0.source().zip($0.source("letters")) },
    .init(
      "zip-transform", "The first values are multiplied, then the second ones. A value waits for its partner.",
      """
      source    1-2-3-----|
      factor    ---5---7--|
      > zip(factor) { $0 * $1 }
      expected  ---5---'14'--|
      """
    ) { $0.numbers().zip($0.numbers("factor")) { $0 * $1 } },
    .init(
      "zip-3", "The first values of all three go together, then the second ones.",
      """
      source    1-2---------|
      letters   ---a---b----|
      signs     -----+----*-|
      > zip(letters, signs)
      expected  -----'1a+'----'2b*'-|
      """.replacing("*", with: "="), values: { .shown { "\($0.0)\($0.1)\($0.2)" } }
    ) { $0.source().zip($0.source("letters"), $0.source("signs")) },
    .init(
      "zip-4", "The first values of all four go together, then the second ones.",
      """
      source    1-2---------|
      letters   ---a---b----|
      signs     -----+----=-|
      flags     x----y------|
      > zip(letters, signs, flags)
      expected  -----'1a+x'----'2b=y'-|
      """, values: { .shown { "\($0.0)\($0.1)\($0.2)\($0.3)" } }
    ) { $0.source().zip($0.source("letters"), $0.source("signs"), $0.source("flags")) },
    .init(
      "merge", "The values of both are published as they come. The output finishes when both have finished.",
      """
      source    1---2---3-|
      other     --a---b------|
      > merge(with: other)
      expected  1-a-2-b-3----|
      """
    ) { $0.source().merge(with: $0.source("other")) },
    .init(
      "merge-3", "The values of all publishers are published as they come, until all have finished.",
      """
      source    1-----2---|
      second    --a-----b----|
      third     ----x-----y-|
      > merge(with: second, third)
      expected  1-a-x-2-b-y--|
      """
    ) { $0.source().merge(with: $0.source("second"), $0.source("third")) },
    .init(
      "append", "When upstream has finished, the elements follow at once.",
      """
      source    1-2---|
      > append(8, 9)
      expected  1-2---[89|]
      """
    ) { $0.numbers().append(8, 9) },
    .init(
      "append-publisher", "The other publisher is subscribed to when upstream has finished, and its values follow.",
      """
      source    1-2---|
      other     ------^-8-9-|
      > append(other)
      expected  1-2-----8-9-|
      """
    ) { $0.numbers().append($0.numbers("other")) },
    .init(
      "prepend", "The elements are published first. Then upstream is subscribed to.",
      """
      source    ^-1-2-|
      > prepend(8, 9)
      expected  [89]-1-2-|
      """
    ) { $0.numbers().prepend(8, 9) },
    .init(
      "prepend-publisher", "The other publisher comes first. Upstream is subscribed to when that has finished.",
      """
      source    ------^-1-2-|
      other     ^-8-9-|
      > prepend(other)
      expected  --8-9---1-2-|
      """
    ) { $0.numbers().prepend($0.numbers("other")) },
  ]

  static let flattening: [OperatorPicture] = [
    .init(
      "flat-map", "Each letter becomes a publisher. All of them deliver at the same time, and their values are merged.",
      """
      source    a---b----|
      a         ^-1-2-3|
      b         ----^4--5--6|
      > flatMap { publishers[$0] }
      expected  --1-243-5--6|
      """
    ) { bench in bench.source().flatMap { bench.source($0) } },
    .init(
      "switch-to-latest", "The values of the newest publisher are published; the one before is cancelled.",
      """
      source    a---b----|
      a         --1-!-2-3|
      b         ----^-4-5|
      > switchToLatest()
      expected  --1---4-5|
      """
    ) { bench in bench.source().map { bench.source($0) }.switchToLatest() },
  ]
}
