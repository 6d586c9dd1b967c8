// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport

extension OperatorSpec {
  /// The operators that Combine does not have.
  static let beyond = beyondFirst + beyondErrors + beyondCombining + beyondShapes + beyondSplitting + beyondSmall

  private static let beyondFirst: [OperatorSpec] = [
    .init("shareReplay", requests: .more, traits: [.buffers]) { $0.shareReplay() },
    .init("share(replay:)", requests: .more, traits: [.buffers]) { $0.share(replay: 2) },
    .init("share(buffering:), a bound", requests: .more, traits: [.buffers]) { $0.share(buffering: .bounded(2)) },
    .init("share(buffering:), everything", requests: .more, traits: [.buffers]) { $0.share(buffering: .unbounded) },
    .init("multicast(in:)", requests: .more, traits: [.buffers]) {
      $0.multicast { $0.map { $0 } }.eraseToAnyPublisher()
    },
    .init("unwrap", .transparent, shown: "CompactMap") { $0.map { $0.isMultiple(of: 4) ? nil : $0 }.unwrap() },
    .init("pairwise") { upstream in upstream.pairwise().map { $0 + 10 * $1 }.eraseToAnyPublisher() },
    .init("materialize") { upstream in
      upstream.materialize().map { if case .value(let number) = $0 { number } else { -1 } }
        .setFailureType(to: TestError.self).eraseToAnyPublisher()
    },
    .init("materialize, dematerialize", traits: [.buffers]) { $0.materialize().dematerialize().eraseToAnyPublisher() },
    .init("takeLast", requests: .more, traits: [.losesValuesWithFailure, .buffers]) {
      $0.takeLast(3).eraseToAnyPublisher()
    },
    .init("intersperse", requests: .oneByOne) { $0.intersperse(-1).eraseToAnyPublisher() },
    .init("withLatestFrom") {
      $0.withLatestFrom(Just(1).setFailureType(to: TestError.self)) { $0 + $1 }.eraseToAnyPublisher()
    },
    .init("flatMapFirst", requests: .more) {
      $0.flatMapFirst { Just($0).setFailureType(to: TestError.self) }.eraseToAnyPublisher()
    },
    .init("limitRequests") { $0.limitRequests(to: 9, refillAt: 8).eraseToAnyPublisher() },
    .init("buffer(upTo:)", requests: .more, traits: [.buffers]) {
      $0.buffer(upTo: 4, resumingAt: 2).eraseToAnyPublisher()
    },
    .init("buffer(weight:)", requests: .more, traits: [.buffers]) {
      $0.buffer(weight: 9, resumingAt: 3) { Int($0.magnitude % 7) }.eraseToAnyPublisher()
    },
    .init("pace") {
      $0.pace(1, per: .seconds(1), burst: 9, scheduler: ImmediateScheduler.shared).eraseToAnyPublisher()
    },
    .init("pace, by cost", requests: .oneByOne) {
      $0.pace(1, per: .seconds(1), burst: 2, scheduler: ImmediateScheduler.shared) { Int($0.magnitude % 5) }
        .eraseToAnyPublisher()
    },
    .init("coalesce", requests: .more, traits: [.buffers], varies: "values are merged until they are requested") {
      $0.coalesce { $0 &+ $1 }.eraseToAnyPublisher()
    },
    .init("pausable") { $0.pausable(by: Publishers.Valve()).eraseToAnyPublisher() },
    .init("pausable, dropping") {
      $0.pausable(by: Publishers.Valve(), whenClosed: .drop).eraseToAnyPublisher()
    },
    .init("receive(on:upTo:)") { $0.receive(on: ImmediateScheduler.shared, upTo: 3).eraseToAnyPublisher() },
  ]

  /// Those that keep a stream going, or end it, when something is wrong, or that depend on time.
  private static let beyondErrors: [OperatorSpec] = [
    .init("tryMap(skippingFailures:)") {
      $0.tryMap(skippingFailures: { _, _ in }) { (value: Int) throws -> Int in
        if value.isMultiple(of: 4) { throw TestError.oops }
        return value
      }
      .eraseToAnyPublisher()
    },
    .init("checkpoint") { $0.checkpoint("here").mapError(\.underlying).eraseToAnyPublisher() },
    .init("timestamp") { upstream in
      upstream.timestamp(using: upstream.clock).map(\.value).eraseToAnyPublisher()
    },
    .init("delaySubscription") {
      $0.delaySubscription(for: 1, scheduler: ImmediateScheduler.shared).eraseToAnyPublisher()
    },
    .init("mergeDelayingErrors", requests: .more, traits: [.buffers]) {
      $0.mergeDelayingErrors(with: Empty()).mapError { (all) -> TestError in all.failures[0] }.eraseToAnyPublisher()
    },
    .init("combineLatestDelayingErrors") {
      Just(10).setFailureType(to: TestError.self).combineLatestDelayingErrors($0).map { $0 + $1 }
        .mapError { (all) -> TestError in all.failures[0] }.eraseToAnyPublisher()
    },
    .init("circuitBreaker") {
      $0.circuitBreaker(CircuitBreaker(failures: .max, resetAfter: 1, scheduler: $0.clock))
        .mapError { (failure) -> TestError in
          if case .failed(let failure) = failure { failure } else { TestError("open") }
        }
        .eraseToAnyPublisher()
    },
    .init("timeout(first:)") { $0.timeout(first: 1_000, scheduler: $0.clock).eraseToAnyPublisher() },
  ]

  /// Those of them that deliver as time passes.
  static let beyondDelaying = beyondDelayingFirst + beyondShapesDelaying + beyondSplittingDelaying + beyondSmallDelaying

  private static let beyondDelayingFirst: [OperatorSpec] = [
    .init("throttle(while:)", varies: "it keeps the latest value only") {
      $0.throttle(while: CurrentValueSubject<Bool, Never>(false), on: $0.clock)
    },
    .init("throttle(while:), for a time", varies: "it keeps the latest value only") {
      $0.throttle(
        while: Just(false).delay(for: 2, scheduler: $0.clock).prepend(true).eraseToAnyPublisher(),
        initialThrottle: true, on: $0.clock)
    },
    .init("sample", varies: "it keeps the latest sample only") {
      let stream = $0.share()
      return stream.sample(stream).eraseToAnyPublisher()
    },
    .init("collect by weight") {
      $0.collect(upTo: 4, weight: 9, within: 1, scheduler: $0.clock) { Int($0.magnitude % 7) }
        .flatMap(maxPublishers: .max(1)) { Publishers.Sequence<[Int], TestError>(sequence: $0) }
    },
    .init("sum by weight", varies: "what is collected together depends on the time", number: { $0.reduce(0, &+) }) {
      $0.collect(upTo: 3, weight: 9, within: 1, scheduler: $0.clock) { Int($0.magnitude % 7) }.eraseToAnyPublisher()
    },
    .init("pace, later") { $0.pace(2, per: .seconds(1), burst: 2, scheduler: $0.clock).eraseToAnyPublisher() },
    .init("pace, by cost, later") {
      $0.pace(2, per: .seconds(1), burst: 2, scheduler: $0.clock) { Int($0.magnitude % 5) }.eraseToAnyPublisher()
    },
    .init("receive(on:upTo:), later") { $0.receive(on: $0.clock, upTo: 3).eraseToAnyPublisher() },
    .init("share(keepingFor:)", requests: .more, varies: "it drops what was not asked for") {
      $0.share(keepingFor: 1, scheduler: $0.clock)
    },
    .init("share(replay:keepingFor:)", requests: .more) {
      $0.share(replay: 2, keepingFor: 1, scheduler: $0.clock)
    },
    .init("share(buffering:), the newest", requests: .more, varies: "it drops what waits for too long") {
      $0.share(buffering: .newest(2))
    },
    .init("share(buffering:), the oldest", requests: .more, varies: "it drops what finds no place") {
      $0.share(buffering: .oldest(2))
    },
    .init("delaySubscription, later") { $0.delaySubscription(for: 2, scheduler: $0.clock).eraseToAnyPublisher() },
    .init("stalled") { $0.stalled(after: 1_000_000, scheduler: $0.clock).eraseToAnyPublisher() },
    .init("debounce, by value", varies: "it keeps the latest value only") {
      $0.debounce(for: { .seconds(Int($0.magnitude % 2)) }, scheduler: $0.clock).eraseToAnyPublisher()
    },
    .init("throttle, leading", varies: "it keeps the first value of an interval only") {
      $0.throttle(for: 1, scheduler: $0.clock, leading: true, trailing: false).eraseToAnyPublisher()
    },
    .init("throttle, trailing", varies: "it keeps the latest value only") {
      $0.throttle(for: 1, scheduler: $0.clock, leading: false, trailing: true).eraseToAnyPublisher()
    },
    .init("throttle, reducing", varies: "values are merged until they are due") {
      $0.throttle(for: 1, scheduler: $0.clock, reducing: &+).eraseToAnyPublisher()
    },
    .init("retry, deciding") {
      $0.append(Fail<Int, TestError>(error: .oops))
        .retry(.fixed(1, delay: .zero).resetsOnValue().giveUp(after: .zero), scheduler: $0.clock) { _ in .after(1) }
        .catch { _ in Empty<Int, TestError>() }
    },
    .init("retry, later") {
      $0.append(Fail<Int, TestError>(error: .oops)).retry(1, delay: 1, scheduler: $0.clock)
        .catch { _ in Empty<Int, TestError>() }
    },
  ]

  /// One of each shape among those that Combine does not have.
  static let kindsBeyond = beyond.filter {
    [
      "shareReplay", "pairwise", "takeLast", "intersperse", "withLatestFrom", "flatMapFirst", "concatMap",
      "flatMapSequential", "amb of a list", "switchIfEmpty", "limitRequests", "pausable",
    ].contains($0.name)
  }

  /// One of each kind of Combine's operators: those that count, collect, queue, flatten and delay.
  static let kinds: [OperatorSpec] = [
    "map", "tryFilter", "dropFirst", "collect", "collect(3)", "collect by time", "replaceError", "catch", "append",
    "buffer, keepFull", "flatMap", "switchToLatest", "merge with nothing", "zip", "receive(on:), later", "share",
  ].map(named)
}
