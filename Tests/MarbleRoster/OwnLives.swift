// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockOperators
import PenstockTesting

extension OperatorPicture {
  /// Of whole streams, their ends, and the lives of objects.
  static let ownLives: [OperatorPicture] = [
    .init(
      "single", in: .operators, "The only value is published when upstream finishes.",
      """
      source    --1---|
      > single()
      expected  ------[1|]
      """
    ) { $0.numbers().assertNoFailure().single().mapError { MarbleFailure("\($0)") } },
    .init(
      "single-failing", in: .operators, "At the second value upstream is cancelled, and the output fails.",
      """
      source    --1---[2!]-3-|
      > single { .init("\\($0)") }
      expected  ------#'severalValues'
      """
    ) { $0.numbers().single { MarbleFailure("\($0)") } },
    .init(
      "sequence-equal", in: .operators, "The second values differ: false is published, and both are cancelled.",
      """
      source    1---[2!]--3-|
      other     --1-[3!]--4-|
      > sequenceEqual(other)
      expected  ----['false'|]
      """
    ) { $0.numbers().sequenceEqual($0.numbers("other")) },
    .init(
      "sequence-equal-by", in: .operators,
      "The values are the same but for their signs, so true is published at the end.",
      """
      source    1---'-2'---|
      other     --1---2-|
      > sequenceEqual(other) { abs($0) == abs($1) }
      expected  --------['true'|]
      """
    ) { $0.numbers().sequenceEqual($0.numbers("other")) { abs($0) == abs($1) } },
    .init(
      "apply", in: .operators,
      "The values pass the operators that the function adds: those that differ are published as text.",
      """
      source    1-1-2-|
      > apply(labelled)
      expected  'level 1'---'level 2'-|
      """
    ) { $0.numbers().apply { $0.removeDuplicates().map { "level \($0)" } } },
    .init(
      "on-start", in: .operators, "The closure is called at the subscription, and the values pass.",
      """
      source           --1---2---|
      > onStart { open() }
      expected         --1---2---|
      expected.calls   'open'----------
      """
    ) { bench in
      let calls = ReplaySubject<String, Never>()
      bench.subscribe("calls", to: calls)
      return bench.numbers().onStart { calls.send("open") }
    },
    .init(
      "finally", in: .operators, "The values pass, and the closure is called before the completion.",
      """
      source           --1---2---|
      > finally { close() }
      expected         --1---2---|
      expected.calls   ----------'close'
      """
    ) { bench in
      let calls = PassthroughSubject<String, Never>()
      bench.subscribe("calls", to: calls)
      return bench.numbers().finally { calls.send("close") }
    },
    .init(
      "track-activity", in: .operators, "The tracker is true while upstream runs, and the values pass.",
      """
      source             --1---2---|
      > trackActivity(tracker)
      expected           --1---2---|
      expected.tracker   'true'---------'false'
      """
    ) { bench in
      let tracker = ActivityTracker()
      let shown = ReplaySubject<Bool, Never>()
      tracker.dropFirst().subscribe(AnySubscriber(shown))
      bench.subscribe("tracker", to: shown)
      return bench.numbers().trackActivity(tracker)
    },
    .init(
      "prefix-until-deinit", in: .operators,
      "When the object is gone, upstream is cancelled and the output finishes.",
      """
      source    --1---2-!---3-|
      release   --------▶-----
      > prefix(untilDeinitOf: screen.lifetime)
      expected  --1---2-|
      """
    ) { bench in
      let holder = LifeHolder()
      holder.signal = bench.source("release").sink(
        receiveCompletion: { _ in }, receiveValue: { _ in holder.lifetime = nil })
      return bench.numbers().prefix(untilDeinitOf: holder.lifetime!)
    },
    .init(
      "prefix-until-deinit-object", in: .operators, "When the object is gone, the next value finishes the output.",
      """
      source    --1---2-----[3!]-|
      release   --------▶-----
      > prefix(untilDeinitOf: screen)
      expected  --1---2-----|
      """
    ) { bench in
      let holder = LifeHolder()
      holder.signal = bench.source("release").sink(
        receiveCompletion: { _ in }, receiveValue: { _ in holder.lifetime = nil })
      return bench.numbers().prefix(untilDeinitOf: holder.lifetime! as AnyObject)
    },
  ]
}

/// Holds the life of an object until a line of the diagram delivers.
private final class LifeHolder {
  var lifetime: Lifetime? = Lifetime()
  var signal: AnyCancellable?
}
