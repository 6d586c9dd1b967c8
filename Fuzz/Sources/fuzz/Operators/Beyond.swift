// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension OperatorRow {
  /// Operators that Combine does not have.
  static let beyond: [OperatorRow] = [
    .init(
      "throttle(while:)", [.lane], children: 2...2,
      swift: "{0}\n.throttle(while: {1}.map { $0.number % 2 == 0 }, initialThrottle: false, on: @0)"
    ) { b in
      b[0].throttle(
        while: b[1].map { $0.number.isMultiple(of: 2) }.replaceError(with: false), initialThrottle: false, on: b.lane(0)
      )
    },
    .init(
      "collect(upTo:weight:)", [.lane, .count(1...4), .count(1...20)], .ordered,
      swift:
        "{0}\n.collect(upTo: #1, weight: #2, within: .milliseconds(2), scheduler: @0) { abs($0.number % 9) }.map { $0[0] }"
    ) {
      $0[0].collect(upTo: $0.numbers[1], weight: $0.numbers[2], within: .milliseconds(2), scheduler: $0.lane(0)) {
        abs($0.number % 9)
      }
      .map { $0[0] }
      .eraseToAnyPublisher()
    },
    // A subject drops values that these have not requested yet.
    .init(
      "pace", [.lane, .count(1...4), .count(1...5)], .ordered,
      swift: "{0}\n.pace(#1, per: .microseconds(50), burst: #2, scheduler: @0)"
    ) {
      $0[0].pace($0.numbers[1], per: .microseconds(50), burst: $0.numbers[2], scheduler: $0.lane(0))
        .eraseToAnyPublisher()
    },
    .init(
      "pace, by cost", [.lane, .count(1...4), .count(1...5)], .ordered,
      swift: "{0}\n.pace(#1, per: .microseconds(50), burst: #2, scheduler: @0) { abs($0.number % 7) }"
    ) {
      $0[0].pace($0.numbers[1], per: .microseconds(50), burst: $0.numbers[2], scheduler: $0.lane(0)) {
        abs($0.number % 7)
      }
      .eraseToAnyPublisher()
    },
    .init("receive(on:upTo:)", [.lane, .count(1...9)], .faithful, swift: "{0}\n.receive(on: @0, upTo: #1)") {
      $0[0].receive(on: $0.lane(0), upTo: $0.numbers[1]).eraseToAnyPublisher()
    },
    .init("coalesce", [], .ordered, swift: "{0}\n.coalesce { $1 }") {
      $0[0].coalesce { $1 }.eraseToAnyPublisher()
    },
    .init("coalesce(into:)", [], .ordered, swift: "{0}\n.coalesce(into: []) { $0.append($1) }.map { $0[0] }") {
      $0[0].coalesce(into: [Item]()) { $0.append($1) }.map { $0[0] }.eraseToAnyPublisher()
    },
    .init(
      "delaySubscription", [.lane], .ordered, swift: "{0}\n.delaySubscription(for: .microseconds(50), scheduler: @0)"
    ) {
      $0[0].delaySubscription(for: .microseconds(50), scheduler: $0.lane(0)).eraseToAnyPublisher()
    },
    .init(
      "timeout(first:)", [.lane, .count(1...5), .count(0...1)], .ordered,
      swift: "{0}\n.timeout(first: .milliseconds(#1), scheduler: @0, customError: #2 > 0 ? { Fault() } : nil)"
    ) {
      $0[0].timeout(
        first: .milliseconds($0.numbers[1]), scheduler: $0.lane(0), customError: $0.numbers[2] > 0 ? { Fault() } : nil
      )
      .eraseToAnyPublisher()
    },
    .init(
      "stalled", [.lane, .count(1...5), .count(0...1)], .ordered,
      swift: "{0}\n.stalled(after: .milliseconds(#1), scheduler: @0, customError: #2 > 0 ? { Fault() } : nil)"
    ) {
      $0[0].stalled(
        after: .milliseconds($0.numbers[1]), scheduler: $0.lane(0), customError: $0.numbers[2] > 0 ? { Fault() } : nil
      )
      .eraseToAnyPublisher()
    },
    .init(
      "debounce, by value", [.lane], .ordered,
      swift: "{0}\n.debounce(for: { .microseconds(abs($0.number % 5) * 100) }, scheduler: @0)"
    ) {
      $0[0].debounce(for: { .microseconds(abs($0.number % 5) * 100) }, scheduler: $0.lane(0)).eraseToAnyPublisher()
    },
    .init(
      "throttle, edges", [.lane, .count(0...1)], .ordered,
      swift: "{0}\n.throttle(for: .milliseconds(1), scheduler: @0, leading: #1 > 0, trailing: #1 == 0)"
    ) {
      $0[0].throttle(
        for: .milliseconds(1), scheduler: $0.lane(0), leading: $0.numbers[1] > 0, trailing: $0.numbers[1] == 0
      )
      .eraseToAnyPublisher()
    },
    .init(
      "throttle, reducing", [.lane], .ordered,
      swift: "{0}\n.throttle(for: .milliseconds(1), scheduler: @0, reducing: { $1 })"
    ) {
      $0[0].throttle(for: .milliseconds(1), scheduler: $0.lane(0), reducing: { $1 }).eraseToAnyPublisher()
    },
    .init("timestamp", [.lane], .faithful, swift: "{0}\n.timestamp(using: @0).map(\\.value)") {
      $0[0].timestamp(using: $0.lane(0)).map(\.value).eraseToAnyPublisher()
    },
    .init(
      "tryMap(skippingFailures:)", [], .ordered,
      swift: "{0}\n.tryMap(skippingFailures: { _, _ in }) { if $0.number % 5 == 0 { throw Fault() }; return $0 }"
    ) {
      $0[0].tryMap(skippingFailures: { _, _ in }) { (item: Item) throws -> Item in
        if item.number.isMultiple(of: 5) { throw Fault() }
        return item
      }
      .eraseToAnyPublisher()
    },
    .init("checkpoint", [], .faithful, swift: "{0}\n.checkpoint(\"here\").mapError(\\.underlying)") {
      $0[0].checkpoint("here").mapError(\.underlying).eraseToAnyPublisher()
    },
    .init(
      "retry, deciding", [.lane, .count(0...2)], [],
      swift: "{0}\n.retry(.fixed(#1, delay: .zero), scheduler: @0) { _ in .after(.microseconds(50)) }"
    ) {
      $0[0].retry(.fixed($0.numbers[1], delay: .zero), scheduler: $0.lane(0)) { _ in .after(.microseconds(50)) }
        .eraseToAnyPublisher()
    },
    .init("limitRequests", [.count(1...5)], .ordered, swift: "{0}\n.limitRequests(to: #0)") {
      $0[0].limitRequests(to: $0.numbers[0]).eraseToAnyPublisher()
    },
    .init(
      "buffer(upTo:)", [.count(1...5)], .ordered, swift: "{0}\n.buffer(upTo: #0, resumingAt: #0 - 1)"
    ) {
      $0[0].buffer(upTo: $0.numbers[0], resumingAt: $0.numbers[0] - 1).eraseToAnyPublisher()
    },
    .init(
      "buffer(weight:)", [.count(1...9)], .ordered,
      swift: "{0}\n.buffer(weight: #0) { item in abs(item.number % 7) }"
    ) {
      $0[0].buffer(weight: $0.numbers[0]) { abs($0.number % 7) }.eraseToAnyPublisher()
    },
    .init(
      "pausable", [], .ordered, children: 2...2,
      swift: "{0}\n.pausable(by: {1}.map { $0.number % 2 == 0 }.replaceError(with: true).append(true))"
    ) { b in
      b[0].pausable(
        by: b[1].map { $0.number.isMultiple(of: 2) }.replaceError(with: true).append(true)
      )
      .eraseToAnyPublisher()
    },
    .init(
      "pausable, dropping", [], .ordered, children: 2...2,
      swift: "{0}\n.pausable(by: {1}.map { $0.number % 2 == 0 }.replaceError(with: true), whenClosed: .drop)"
    ) { b in
      b[0].pausable(by: b[1].map { $0.number.isMultiple(of: 2) }.replaceError(with: true), whenClosed: .drop)
        .eraseToAnyPublisher()
    },
    .init(
      "chunked(by:)", [.count(1...4)], .ordered,
      swift: "{0}\n.chunked { _, item in item.number % (#0 + 1) != 0 }.map { $0[0] }"
    ) {
      let count = $0.numbers[0] + 1
      return $0[0].chunked { !$1.number.isMultiple(of: count) }.map { $0[0] }.eraseToAnyPublisher()
    },
    .init(
      "chunked(on:)", [.count(1...4)], .ordered,
      swift: "{0}\n.chunked { item in item.number / (#0 + 1) }.map { $1[0] }"
    ) {
      let count = $0.numbers[0] + 1
      return $0[0].chunked { $0.number / count }.map { $1[0] }.eraseToAnyPublisher()
    },
    .init(
      "collect(while:)", [.count(1...4)], .ordered,
      swift: "{0}\n.collect { item in item.number % #0 != 0 }.map { $0[0] }"
    ) {
      let count = $0.numbers[0]
      return $0[0].collect { !$0.number.isMultiple(of: count) }.map { $0[0] }.eraseToAnyPublisher()
    },
    .init("collect(until:)", [], .ordered, children: 2...2, swift: "{0}\n.collect(until: {1}).map { $0[0] }") {
      $0[0].collect(until: $0[1]).map { $0[0] }.eraseToAnyPublisher()
    },
    .init(
      "flatMapBatches", [.count(1...3)], .ordered, children: 2...2,
      swift: "[{0}.prefix(9).eraseToAnyPublisher(), {1}.prefix(9).eraseToAnyPublisher()].flatMapBatches(of: #0)"
        + ".compactMap { $0.first }"
    ) {
      [$0[0].prefix(9).eraseToAnyPublisher(), $0[1].prefix(9).eraseToAnyPublisher()]
        .flatMapBatches(of: $0.numbers[0]).compactMap { $0.first }.eraseToAnyPublisher()
    },
    .init(
      "window(count:)", [.count(1...4)], .ordered,
      swift: "{0}\n.window(count: #0).flatMap(maxPublishers: .max(1)) { $0 }"
    ) {
      $0[0].window(count: $0.numbers[0]).flatMap(maxPublishers: .max(1)) { $0 }.eraseToAnyPublisher()
    },
    .init(
      "window(until:)", [], .ordered, children: 2...2,
      swift: "{0}\n.window(until: {1}).flatMap(maxPublishers: .max(1)) { $0 }"
    ) {
      $0[0].window(until: $0[1]).flatMap(maxPublishers: .max(1)) { $0 }.eraseToAnyPublisher()
    },
    .init(
      "window(for:)", [.lane], .ordered,
      swift: "{0}\n.window(for: .milliseconds(2), scheduler: @0).flatMap(maxPublishers: .max(1)) { $0 }"
    ) {
      $0[0].window(for: .milliseconds(2), scheduler: $0.lane(0)).flatMap(maxPublishers: .max(1)) { $0 }
        .eraseToAnyPublisher()
    },
    .init(
      "grouped", [.count(1...4), .count(1...3)],
      swift: "{0}\n.grouped(by: { item in item.number % #0 }, buffer: #1).flatMap { $0 }.mapError { $0 as! Fault }"
    ) {
      let count = $0.numbers[0]
      return $0[0].grouped(by: { $0.number % count }, buffer: $0.numbers[1]).flatMap { $0 }
        .mapError { $0 as! Fault }.eraseToAnyPublisher()
    },
    .init(
      "grouped, idle", [.count(1...4), .lane],
      swift:
        "{0}\n.grouped(by: { item in item.number % #0 }, idleAfter: .milliseconds(1), scheduler: @1).flatMap { $0 }"
        + ".mapError { $0 as! Fault }"
    ) {
      let count = $0.numbers[0]
      return $0[0].grouped(by: { $0.number % count }, idleAfter: .milliseconds(1), scheduler: $0.lane(1))
        .flatMap { $0 }.mapError { $0 as! Fault }.eraseToAnyPublisher()
    },
    .init("concatMap", [], children: 2...3, swift: "{0}\n.prefix(12).concatMap { item in [{…}] }") { b in
      b[0].prefix(12).concatMap { b.inner($0) }.eraseToAnyPublisher()
    },
    .init(
      "flatMapSequential", [.count(1...3)], children: 2...3,
      swift: "{0}\n.prefix(12).flatMapSequential(maxPublishers: .max(#0), prefetch: #0) { item in [{…}] }"
    ) { b in
      let count = b.numbers[0]
      return b[0].prefix(12).flatMapSequential(maxPublishers: .max(count), prefetch: count) { b.inner($0) }
        .eraseToAnyPublisher()
    },
    .init(
      "mergeDelayingErrors", [], .ordered, children: 2...2,
      swift: "{0}\n.mergeDelayingErrors(with: {1}).mapError { $0.failures[0] }"
    ) {
      $0[0].mergeDelayingErrors(with: $0[1]).mapError { $0.failures[0] }.eraseToAnyPublisher()
    },
    .init(
      "combineLatestDelayingErrors", [], [], children: 2...2,
      swift: "{0}\n.combineLatestDelayingErrors({1}).map { $0.0 }.mapError { $0.failures[0] }"
    ) {
      $0[0].combineLatestDelayingErrors($0[1]).map { a, _ in a }.mapError { $0.failures[0] }.eraseToAnyPublisher()
    },
    .init(
      "circuitBreaker", [.lane, .count(1...3)], .ordered,
      swift:
        "{0}\n.circuitBreaker(CircuitBreaker(failures: #1, resetAfter: .microseconds(50), scheduler: @0)).mapError { _ in Fault() }"
    ) {
      $0[0].circuitBreaker(
        CircuitBreaker(failures: $0.numbers[1], resetAfter: .microseconds(50), scheduler: $0.lane(0))
      )
      .mapError { _ in Fault() }.eraseToAnyPublisher()
    },
    .init(
      "expand", [.count(1...3)], children: 2...3,
      swift:
        "{0}\n.prefix(6).expand(maxPublishers: .max(#0)) { item in item.number % 3 == 0 ? [{…}] : Empty() }.prefix(60)"
    ) { b in
      // The outputs of a value may lead back to it, so that there is no end.
      b[0].prefix(6)
        .expand(maxPublishers: .max(b.numbers[0])) {
          $0.number.isMultiple(of: 3) ? b.inner($0) : Empty().eraseToAnyPublisher()
        }
        .prefix(60).eraseToAnyPublisher()
    },
    .init("amb", [], .ordered, children: 2...2, swift: "{0}\n.amb({1})") {
      $0[0].amb($0[1]).eraseToAnyPublisher()
    },
    .init("switchIfEmpty", [], .ordered, children: 2...2, swift: "{0}\n.switchIfEmpty({1})") {
      $0[0].switchIfEmpty($0[1]).eraseToAnyPublisher()
    },
    .init(
      "combineLatest of a list", [], .presenting, children: 2...2,
      swift: "[{0}.eraseToAnyPublisher(), {1}.eraseToAnyPublisher()].combineLatest().map { $0[0] }"
    ) {
      [$0[0].eraseToAnyPublisher(), $0[1].eraseToAnyPublisher()].combineLatest().map { $0[0] }.eraseToAnyPublisher()
    },
    .init(
      "zip of a list", [], .presenting, children: 2...2,
      swift: "[{0}.eraseToAnyPublisher(), {1}.eraseToAnyPublisher()].zip().map { $0[0] }"
    ) {
      [$0[0].eraseToAnyPublisher(), $0[1].eraseToAnyPublisher()].zip().map { $0[0] }.eraseToAnyPublisher()
    },
    .init("pairwise", [], .ordered, swift: "{0}\n.pairwise().map { $1 }") {
      $0[0].pairwise().map { $1 }.eraseToAnyPublisher()
    },
    .init("intersperse", [], .faithful, swift: "{0}\n.intersperse(item)") {
      $0[0].intersperse(.loose(0)).eraseToAnyPublisher()
    },
    .init("takeLast", [.count(0...4)], .ordered, swift: "{0}\n.takeLast(#0)") {
      $0[0].takeLast($0.numbers[0]).eraseToAnyPublisher()
    },
    .init("dropLast", [.count(0...4)], .ordered, swift: "{0}\n.dropLast(#0)") {
      $0[0].dropLast($0.numbers[0]).eraseToAnyPublisher()
    },
    .init("drop(duration:)", [.lane], .ordered, swift: "{0}\n.drop(duration: .microseconds(50), on: @0)") {
      $0[0].drop(duration: .microseconds(50), on: $0.lane(0)).eraseToAnyPublisher()
    },
    .init("single", [], .ordered, swift: "{0}\n.prefix(1).single { _ in Fault() }") {
      $0[0].prefix(1).single { _ in Fault() }.eraseToAnyPublisher()
    },
    .init(
      "sequenceEqual", [], [], children: 2...2, swift: "{0}\n.sequenceEqual({1}) { _, _ in true }.map { _ in item }"
    ) {
      $0[0].sequenceEqual($0[1]) { _, _ in true }.map { _ in .loose(0) }.eraseToAnyPublisher()
    },
    .init("onStart, finally", [], .faithful, swift: "{0}\n.finally {}.onStart {}") {
      $0[0].finally {}.onStart {}.eraseToAnyPublisher()
    },
    .init("trackActivity", [], .faithful, swift: "{0}\n.trackActivity(ActivityTracker())") {
      $0[0].trackActivity(ActivityTracker()).eraseToAnyPublisher()
    },
    .init("prefix(untilDeinitOf:)", [], .ordered, swift: "{0}\n.prefix(untilDeinitOf: Lifetime())") {
      $0[0].prefix(untilDeinitOf: Lifetime()).eraseToAnyPublisher()
    },
    .init("materialize, dematerialize", [], .faithful, swift: "{0}\n.materialize().dematerialize()") {
      $0[0].materialize().dematerialize().eraseToAnyPublisher()
    },
    .init("withLatestFrom", [], .ordered, children: 2...2, swift: "{0}\n.withLatestFrom({1}) { a, _ in a }") {
      $0[0].withLatestFrom($0[1]) { a, _ in a }.eraseToAnyPublisher()
    },
    .init("sample", [], .ordered, children: 2...2, swift: "{0}\n.sample({1})") {
      $0[0].sample($0[1]).eraseToAnyPublisher()
    },
    .init("combinePrevious", [], .faithful, swift: "{0}\n.combinePrevious(item).map { $1 }") {
      $0[0].combinePrevious(.loose(0)).map { $1 }.eraseToAnyPublisher()
    },
    .init("nwise", [.count(1...4)], .ordered, swift: "{0}\n.nwise(#0).map { $0.last! }") {
      $0[0].nwise($0.numbers[0]).map { $0.last! }.eraseToAnyPublisher()
    },
    .init("enumerated", [], .faithful, swift: "{0}\n.enumerated().map { $0.element }") {
      $0[0].enumerated().map { $0.element }.eraseToAnyPublisher()
    },
    .init("scan(into:)", [], .faithful, swift: "{0}\n.scan(into: item) { $0 = $1 }") {
      $0[0].scan(into: Item.loose(0)) { $0 = $1 }.eraseToAnyPublisher()
    },
    .init(
      "removeAllDuplicates", [.count(1...9)], .ordered,
      swift: "{0}\n.removeAllDuplicates { $0.number / #0 == $1.number / #0 }"
    ) { b in
      let divisor = b.numbers[0]
      return b[0].removeAllDuplicates { $0.number / divisor == $1.number / divisor }.eraseToAnyPublisher()
    },
    .init(
      "mapToResult", [], .faithful,
      swift: "{0}\n.mapToResult().compactMap { try? $0.get() }.setFailureType(to: Fault.self)"
    ) {
      $0[0].mapToResult().compactMap { try? $0.get() }.setFailureType(to: Fault.self).eraseToAnyPublisher()
    },
    .init("ignoreFailure", [], .faithful, swift: "{0}\n.ignoreFailure(setFailureType: Fault.self)") {
      $0[0].ignoreFailure(setFailureType: Fault.self).eraseToAnyPublisher()
    },
    .init(
      "zip, combineLatest with a list", [], .presenting, children: 2...2,
      swift: "{0}\n.zip(with: [{1}]).map { $0[0] }"
    ) { $0[0].zip(with: [$0[1]]).map { $0[0] }.eraseToAnyPublisher() },
    .init("amb with a list", [], .ordered, children: 2...2, swift: "{0}\n.amb(with: [{1}])") {
      $0[0].amb(with: [$0[1]]).eraseToAnyPublisher()
    },
    .init(
      "ignoreFailure(completeImmediately:)", [], .faithful,
      swift: "{0}\n.ignoreFailure(setFailureType: Fault.self, completeImmediately: true)"
    ) { $0[0].ignoreFailure(setFailureType: Fault.self, completeImmediately: true).eraseToAnyPublisher() },
    .init(
      "prefix(while:behavior:)", [.count(1...20)], .ordered,
      swift: "{0}\n.prefix(while: { $0.number < #0 }, behavior: .inclusive)"
    ) { b in
      let number = b.numbers[0]
      return b[0].prefix(while: { $0.number < number }, behavior: .inclusive).eraseToAnyPublisher()
    },
    .init("prefix(duration:)", [.lane], .ordered, swift: "{0}\n.prefix(duration: .milliseconds(2), on: @0)") {
      $0[0].prefix(duration: .milliseconds(2), on: $0.lane(0)).eraseToAnyPublisher()
    },
    .init("repeat", [.count(0...3)], [], swift: "{0}\n.repeat(#0)") {
      $0[0].repeat($0.numbers[0]).eraseToAnyPublisher()
    },
    .init("retryWhen", [.count(0...2)], [], swift: "{0}\n.retryWhen { $0.prefix(#0) }") { b in
      let count = b.numbers[0]
      return b[0].retryWhen { $0.prefix(count) }.eraseToAnyPublisher()
    },
    .init(
      "create", [], .faithful,
      swift: "AnyPublisher.create { e in {0}\n.sink(receiveCompletion: e.send(completion:), receiveValue: e.send) }"
    ) { b in
      let upstream = b[0].eraseToAnyPublisher()
      return AnyPublisher<Item, Fault>.create { emitter in
        upstream.sink(receiveCompletion: { emitter.send(completion: $0) }, receiveValue: { emitter.send($0) })
      }
    },
    .init("using", [], .faithful, swift: "Publishers.using(resource: {}, cleanup: {}) { {0} }") { b in
      let upstream = b[0].eraseToAnyPublisher()
      return Publishers.using(resource: { 0 }, cleanup: { _ in }, publisher: { _ in upstream }).eraseToAnyPublisher()
    },
    // No guarantee of order: when it is connected again, it takes the values that an upstream replays after those that
    // it has stored itself.
    .init("ReplaySubject", [], swift: "{0}\n.multicast(subject: ReplaySubject()).autoconnect()") {
      $0[0].multicast(subject: ReplaySubject()).autoconnect().eraseToAnyPublisher()
    },
    .init("flatMapFirst", [], children: 2...3, swift: "{0}\n.prefix(12).flatMapFirst { item in [{…}] }") { b in
      b[0].prefix(12).flatMapFirst { b.inner($0) }.eraseToAnyPublisher()
    },
  ]
}
