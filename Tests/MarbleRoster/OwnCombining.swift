// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockOperators
import PenstockTesting

extension OperatorPicture {
  static let ownCombining: [OperatorPicture] = [
    .init(
      "with-latest-from", in: .operators,
      "Each value of upstream is published with the latest of the other. Values of the other alone publish nothing.",
      """
      source    1---2-----3---|
      letters   --a-----b---c-|
      > withLatestFrom(letters)
      expected  ----a-----b---|
      """
    ) { $0.numbers().withLatestFrom($0.source("letters")) },
    .init(
      "with-latest-from-transform", in: .operators,
      "Each value of upstream is published together with the latest of the other.",
      """
      source    1---2-----3---|
      letters   --a-----b---c-|
      > withLatestFrom(letters) { "\\($0)\\($1)" }
      expected  ----'2a'-----'3b'---|
      """
    ) { $0.numbers().withLatestFrom($0.source("letters")) { "\($0)\($1)" } },
    .init(
      "with-latest-from-several", in: .operators,
      "Each value of upstream is published with the latest of all others, once all have one.",
      """
      source    1-----2-----3-|
      letters   --a-----b-----|
      signs     ----+-----=---|
      > withLatestFrom(letters, signs)
      expected  ------'a+'-----'b='-|
      """, values: { .shown { "\($0.0)\($0.1)" } }
    ) { $0.numbers().withLatestFrom($0.source("letters"), $0.source("signs")) },
    .init(
      "with-latest-from-several-transform", in: .operators,
      "Each value of upstream is published together with the latest of all others, once all have one.",
      """
      source    1-----2-----3-|
      letters   --a-----b-----|
      signs     ----+-----=---|
      > withLatestFrom(letters, signs) { "\\($0)\\($1.0)\\($1.1)" }
      expected  ------'2a+'-----'3b='-|
      """
    ) { $0.numbers().withLatestFrom($0.source("letters"), $0.source("signs")) { "\($0)\($1.0)\($1.1)" } },
    .init(
      "and", in: .operators, "It is published whether both are true, for each value of either.",
      """
      source    'true'-----------'false'---|
      other     ---'false'---'true'---------|
      > and(other)
      expected  ---'false'---'true'----'false'----|
      """
    ) { $0.truths().and($0.truths("other")) },
    .init(
      "or", in: .operators, "It is published whether one of them is true, for each value of either.",
      """
      source    'true'-------'false'-------|
      other     ---'false'-------'false'-----|
      > or(other)
      expected  ---'true'----'false'--'false'-----|
      """
    ) { $0.truths().or($0.truths("other")) },
    .init(
      "merge-delaying-errors", in: .operators,
      "The first failure waits: the other publisher's values still come. Then both failures are published.",
      """
      source    1-#'one'
      other     -8--9--#'two'
      > mergeDelayingErrors(with: other)
      expected  18--9--#'one, two'
      """
    ) {
      $0.numbers().mergeDelayingErrors(with: $0.numbers("other")).mapError { MarbleFailure($0.named) }
    },
    .init(
      "combine-latest-delaying-errors", in: .operators,
      "The first failure waits: pairs with that publisher's latest value still come. Then it is published.",
      """
      source    1-#'one'
      other     -8--9--|
      > combineLatestDelayingErrors(other)
      expected  -'(1, 8)'--'(1, 9)'--#'one'
      """
    ) {
      $0.numbers().combineLatestDelayingErrors($0.numbers("other")).mapError { MarbleFailure($0.named) }
    },
    .init(
      "amb", in: .operators, "The other one delivers first, so its values are published, and upstream is cancelled.",
      """
      source    ---!-1-2-|
      other     ---8-9---|
      > amb(other)
      expected  ---8-9---|
      """
    ) { $0.numbers().amb($0.numbers("other")) },
    .init(
      "amb-collection", in: .operators,
      "The second of three delivers first: its values are published, the others cancelled.",
      """
      a         ---!-1-2-|
      b         ---8-9---|
      c         ---!---5-|
      > [a, b, c].amb()
      expected  ---8-9---|
      """
    ) { [$0.numbers("a"), $0.numbers("b"), $0.numbers("c")].amb() },
    .init(
      "switch-if-empty", in: .operators, "Upstream finishes without a value, so the other one is subscribed to.",
      """
      source    ----|
      other     ----^-8-9-|
      > switchIfEmpty(other)
      expected  ------8-9-|
      """
    ) { $0.numbers().switchIfEmpty($0.numbers("other")) },
    .init(
      "and-then", in: .operators,
      "The values of upstream are left out. When it has finished, those of the other follow.",
      """
      source    1-2-|
      other     ----^-a-b-|
      > andThen(other)
      expected  ------a-b-|
      """
    ) { $0.numbers().andThen($0.source("other")) },
    .init(
      "repeat-count", in: .operators, "When upstream has finished, it is subscribed to again, twice in all.",
      """
      source    ^-1-2-[|^]-1-2-|
      > repeat(2)
      expected  --1-2---1-2-|
      """
    ) { $0.numbers().repeat(2) },
    .init(
      "repeat", in: .operators, "Whenever upstream has finished, it is subscribed to again, without end.",
      """
      source    ^-1-[|^]-1-[|^]-1-[|^]-!
      > repeat()
      expected  --1---1---1---!
      """
    ) { $0.numbers().repeat() },
    .init(
      "with-unretained", in: .operators,
      "Each value is published with the object. When the object is gone, the output finishes.",
      """
      source    --1---2-----[3!]-|
      release   --------▶-----
      > withUnretained(object)
      expected  --'object 1'---'object 2'-----|
      """, values: { .shown { (pair: (Holder, Int)) in "object \(pair.1)" } }
    ) { bench in
      let holder = Holder()
      holder.signal = bench.source("release").sink(
        receiveCompletion: { _ in }, receiveValue: { _ in holder.object = nil })
      return bench.numbers().withUnretained(holder.object!)
    },
    .init(
      "combine-latest-5", in: .operators,
      "Once all five have delivered, each value is published with the latest of the others.",
      """
      a         1-------2---|
      b         -a--------b-|
      c         --+---------|
      d         ---x--------|
      e         ----y-------|
      > a.combineLatest(b, c, d, e)
      expected  ----'1a+xy'---'2a+xy'-'2b+xy'-|
      """, values: { .shown { "\($0.0)\($0.1)\($0.2)\($0.3)\($0.4)" } }
    ) {
      $0.source("a").combineLatest($0.source("b"), $0.source("c"), $0.source("d"), $0.source("e"))
    },
    .init(
      "zip-5", in: .operators, "The first values of all five go together, then the second ones.",
      """
      a         1----2------|
      b         -a----b-----|
      c         --+-----=---|
      d         ---x---y----|
      e         ----p----q--|
      > a.zip(b, c, d, e)
      expected  ----'1a+xp'----'2b=yq'--|
      """, values: { .shown { "\($0.0)\($0.1)\($0.2)\($0.3)\($0.4)" } }
    ) { $0.source("a").zip($0.source("b"), $0.source("c"), $0.source("d"), $0.source("e")) },
    .init(
      "combine-latest-collection", in: .operators,
      "Once all have delivered, the latest values of all are published as an array, for each value of any.",
      """
      a         1-------2-|
      b         --3-------|
      c         ----5-----|
      > [a, b, c].combineLatest()
      expected  ----'[1, 3, 5]'---'[2, 3, 5]'-|
      """
    ) { [$0.numbers("a"), $0.numbers("b"), $0.numbers("c")].combineLatest() },
    .init(
      "zip-collection", in: .operators, "The first values of all are published as an array, then the second ones.",
      """
      a         1--2------|
      b         --3---4---|
      c         ----5---6-|
      > [a, b, c].zip()
      expected  ----'[1, 3, 5]'---'[2, 4, 6]'-|
      """
    ) { [$0.numbers("a"), $0.numbers("b"), $0.numbers("c")].zip() },
    .init(
      "merge-collection", in: .operators,
      "The values of all publishers are published as they come, until all have finished.",
      """
      a         1-----2---|
      b         --3-----4----|
      c         ----5-----6-|
      > [a, b, c].merge()
      expected  1-3-5-2-4-6--|
      """
    ) { [$0.numbers("a"), $0.numbers("b"), $0.numbers("c")].merge() },
    .init(
      "concat-collection", in: .operators, "The publishers are subscribed to one after the other.",
      """
      a         ^1-2|
      b         ----^-3|
      c         -------^-5-6|
      > [a, b, c].concat()
      expected  -1-2--3--5-6|
      """
    ) { [$0.numbers("a"), $0.numbers("b"), $0.numbers("c")].concat() },
    .init(
      "flat-map-batches", in: .operators,
      """
      Two publishers run at a time. When both have finished, their values are published together, and the next two are \
      subscribed to.
      """,
      """
      a         ^1-2|
      b         ^--3-|
      c         -----^-5|
      > [a, b, c].flatMapBatches(of: 2)
      expected  -----'[1, 2, 3]'--['[5]'|]
      """
    ) { [$0.numbers("a"), $0.numbers("b"), $0.numbers("c")].flatMapBatches(of: 2) },
  ]

  private final class Holder {
    var object: Holder? = nil
    var signal: AnyCancellable?

    init(isRoot: Bool = true) { if isRoot { object = Holder(isRoot: false) } }
  }
}
