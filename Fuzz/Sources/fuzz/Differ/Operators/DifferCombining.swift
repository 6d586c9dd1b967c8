// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension DifferOperator {
  static let combining: [DifferOperator] = [
    .init("merge", ".merge(with: {1})", children: [.same], weight: 6),
    .init("merge of three", ".merge(with: {1}, {2})", children: [.same, .same], weight: 2),
    .init(
      "zip", ".zip({1}) { (a: Int, b: Int) -> Int in w.at(#s, a); return a &* 1000 &+ b }", children: [.same], weight: 4
    ),
    .init(
      "zip, tuples",
      ".zip({1})§.map { (p: (Int, Int)) -> Int in w.at(#s, p.0); return p.0 &* 1000 &+ p.1 }", children: [.same]),
    .init(
      "combineLatest",
      ".combineLatest({1}) { (a: Int, b: Int) -> Int in w.at(#s, a); return a &* 1000 &+ b }", children: [.same],
      weight: 5),
    .init(
      "combineLatest, tuples",
      ".combineLatest({1})§.map { (p: (Int, Int)) -> Int in w.at(#s, p.0); return p.0 &* 1000 &+ p.1 }",
      children: [.same], weight: 2),
    .init(
      "combineLatest of three",
      ".combineLatest({1}, {2}) { (a: Int, b: Int, c: Int) -> Int in w.at(#s, a); return (a &* 1000 &+ b) &* 1000 &+ c }",
      children: [.same, .same]),
    .init(
      "withLatestFrom",
      ".withLatestFrom({1}) { (a: Int, b: Int) -> Int in w.at(#s, a); return a &* 1000 &+ b }", children: [.same],
      weight: 3),
    .init("amb", ".amb({1})", children: [.same]),
    .init(
      "mergeDelayingErrors", ".mergeDelayingErrors(with: {1})§.mapError { (f) in f.failures[0] }", takes: .fault,
      children: [.same]),
    .init(
      "combineLatestDelayingErrors",
      ".combineLatestDelayingErrors({1})§.map { (a: Int, b: Int) -> Int in w.at(#s, a); return a &* 1000 &+ b }"
        + ".mapError { (f) in f.failures[0] }", takes: .fault, children: [.same]),
    .init(
      "circuitBreaker",
      ".circuitBreaker(CircuitBreaker(failures: #n, resetAfter: .seconds(1), scheduler: w.clock))"
        + "§.mapError { (_) -> E in E() }", 1...2, takes: .fault),
    .init("sample", ".sample({1})", children: [.same]),
    .init("window(until:)", ".window(until: {1})§.flatMap(maxPublishers: .max(1)) { (p) in p }", children: [.same]),
    .init("collect(until:)", ".collect(until: {1})§.map { (l: [Int]) -> Int in joined(l) }", children: [.same]),
    .init("switchIfEmpty", ".switchIfEmpty({1})", children: [.same]),
  ]

  static let flattening: [DifferOperator] = [
    .init("flatMap", ".flatMap { (v: Int) in w.at(#s, v, {1}) }", children: [.same], weight: 7),
    .init(
      "flatMap, Just",
      ".flatMap { (v: Int) -> Result<Int, #F>.Publisher in w.at(#s, v); return Result<Int, #F>.Publisher(v &+ #n) }",
      0...9, weight: 4),
    .init(
      "flatMap, sequence",
      ".flatMap { (v: Int) -> Publishers.Sequence<[Int], #F> in w.at(#s, v); return Publishers.Sequence<[Int], #F>(sequence: [v, v &+ #n]) }",
      0...9, weight: 2),
    .init(
      "flatMap, failing", ".flatMap { (v: Int) -> Fail<Int, E> in w.at(#s, v); return Fail<Int, E>(error: E()) }",
      takes: .fault),
    .init(
      "flatMap, maximum", ".flatMap(maxPublishers: .max(#n)) { (v: Int) in w.at(#s, v, {1}) }", 1...2,
      children: [.same], weight: 3),
    .init(
      "switchToLatest", ".map { (v: Int) in w.at(#s, v, {1}) }§.switchToLatest()", children: [.same],
      isEager: true, weight: 6),
    .init(
      "switchToLatest, Just",
      ".map { (v: Int) -> Result<Int, #F>.Publisher in w.at(#s, v); return Result<Int, #F>.Publisher(v &+ #n) }§.switchToLatest()",
      0...9, isEager: true, weight: 3),
    .init("flatMapLatest", ".flatMapLatest { (v: Int) in w.at(#s, v, {1}) }", children: [.same]),
    .init("flatMapFirst", ".flatMapFirst { (v: Int) in w.at(#s, v, {1}) }", children: [.same]),
    .init("concatMap", ".concatMap { (v: Int) in w.at(#s, v, {1}) }", children: [.same]),
    .init(
      "expand",
      ".expand(maxPublishers: .max(#n)) { (v: Int) -> Optional<Int>.Publisher in w.at(#s, v); return .init(v > 0 && v < 99 ? -v : nil) }",
      1...2),
    .init("flatMapSequential", ".flatMapSequential { (v: Int) in w.at(#s, v, {1}) }", children: [.same]),
  ]

  static let sharing: [DifferOperator] = [
    .init("share", ".share()", weight: 6),
    .init("multicast", ".multicast { PassthroughSubject<Int, #F>() }.autoconnect()", weight: 3),
    .init("multicast, value", ".multicast { CurrentValueSubject<Int, #F>(#n) }.autoconnect()", 0...9, weight: 3),
    .init("multicast, one subject", ".multicast(subject: PassthroughSubject<Int, #F>()).autoconnect()"),
    .init("shareReplay", ".shareReplay(capacity: #n)", 1...2, weight: 2),
    .init("share(buffering:)", ".share(buffering: .bounded(#n))", 1...3, weight: 2),
    .init("share(buffering:), newest", ".share(buffering: .newest(#n))", 0...2),
    .init("share(buffering:), oldest", ".share(buffering: .oldest(#n))", 0...2),
    .init("multicast(in:)", ".multicast(buffering: .bounded(#n)) { $0.merge(with: $0.filter { _ in false }) }", 1...3),
    .init("buffer", ".buffer(size: #n, prefetch: .byRequest, whenFull: .dropOldest)", 1...3, weight: 2),
    .init("buffer, full", ".buffer(size: #n, prefetch: .keepFull, whenFull: .dropNewest)", 1...3),
    .init("coalesce", ".coalesce { (a: Int, b: Int) -> Int in w.at(#s, a); return a &* 10 &+ b }"),
    .init(
      "coalesce(into:)",
      ".coalesce(into: 0) { (r: inout Int, v: Int) -> Void in w.at(#s, v); r = r &* 10 &+ v }"),
    .init("buffer(upTo:)", ".buffer(upTo: #n, resumingAt: 0)", 1...3),
    .init("buffer(weight:)", ".buffer(weight: #n) { (v: Int) -> Int in w.at(#s, v); return v & 3 }", 1...6),
    .init("limitRequests", ".limitRequests(to: #n)", 1...4),
    .init(
      "pausable", ".pausable(by: {1}.map { (v: Int) -> Bool in v % 2 == 0 }.replaceError(with: true))",
      children: [.same]),
    .init(
      "buffer, error",
      ".buffer(size: #n, prefetch: .byRequest, whenFull: .customError { () -> E in w.at(#s, 0); return E() })",
      1...2, takes: .fault),
  ]

  static let timing: [DifferOperator] = [
    .init("receive(on:)", ".receive(on: w.clock)", weight: 2),
    .init("receive(on:), at once", ".receive(on: ImmediateScheduler.shared)", weight: 2),
    .init("receive(on:upTo:)", ".receive(on: w.clock, upTo: #n)", 1...3),
    .init("delaySubscription", ".delaySubscription(for: .seconds(#n), scheduler: w.clock)", 0...2),
    .init("timeout(first:)", ".timeout(first: .seconds(#n), scheduler: w.clock)", 1...3),
    .init(
      "timeout(first:), error",
      ".timeout(first: .seconds(#n), scheduler: w.clock, customError: { () -> E in w.at(#s, 0); return E() })", 1...3,
      takes: .fault),
    .init("stalled", ".stalled(after: .seconds(#n), scheduler: w.clock)", 1...3),
    .init(
      "stalled, error",
      ".stalled(after: .seconds(#n), scheduler: w.clock, customError: { () -> E in w.at(#s, 0); return E() })", 1...3,
      takes: .fault),
    .init(
      "debounce, by value",
      ".debounce(for: { (v: Int) -> VirtualTime.Stride in w.at(#s, v); return .seconds(v & #n) }, scheduler: w.clock)",
      1...3),
    .init(
      "throttle, leading", ".throttle(for: .seconds(#n), scheduler: w.clock, leading: true, trailing: false)", 1...2),
    .init(
      "throttle, trailing", ".throttle(for: .seconds(#n), scheduler: w.clock, leading: false, trailing: true)", 1...2),
    .init(
      "throttle, reducing",
      ".throttle(for: .seconds(#n), scheduler: w.clock, reducing: { (a: Int, b: Int) -> Int in w.at(#s, a); return a &* 10 &+ b })",
      1...2),
    .init("timestamp", ".timestamp(using: w.clock)§.map { (p) -> Int in p.value }"),
    .init("pace", ".pace(#n, per: .seconds(1), burst: #n, scheduler: w.clock)", 1...3),
    .init(
      "pace, by cost",
      ".pace(#n, per: .seconds(1), burst: #n, scheduler: w.clock) { (v: Int) -> Int in w.at(#s, v); return v & 3 }",
      1...3),
    .init("subscribe(on:)", ".subscribe(on: w.clock)"),
    .init("subscribe(on:), at once", ".subscribe(on: ImmediateScheduler.shared)"),
    .init("delay", ".delay(for: .seconds(#n), scheduler: w.clock)", 0...2),
    .init("debounce", ".debounce(for: .seconds(#n), scheduler: w.clock)", 1...2),
    .init("throttle", ".throttle(for: .seconds(#n), scheduler: w.clock, latest: true)", 1...2),
    .init("throttle, first", ".throttle(for: .seconds(#n), scheduler: w.clock, latest: false)", 1...2),
    .init("timeout", ".timeout(.seconds(#n), scheduler: w.clock)", 1...3),
    .init(
      "timeout, error",
      ".timeout(.seconds(#n), scheduler: w.clock, customError: { () -> E in w.at(#s, 0); return E() })", 1...3,
      takes: .fault),
    .init("collect by time", ".collect(.byTime(w.clock, .seconds(#n)))§.map { (l: [Int]) -> Int in joined(l) }", 1...2),
    .init(
      "collect by time or count",
      ".collect(.byTimeOrCount(w.clock, .seconds(2), #n))§.map { (l: [Int]) -> Int in joined(l) }", 1...2),
    .init(
      "measureInterval", ".measureInterval(using: w.clock)§.map { (t: VirtualTime.Stride) -> Int in t.nanoseconds }"),
  ]

  /// Operators that Combine does not have.
  static let beyond: [DifferOperator] = [
    .init("pairwise", ".pairwise()§.map { (p: (Int, Int)) -> Int in p.0 &* 1000 &+ p.1 }"),
    .init("nwise", ".nwise(#n)§.map { (l: [Int]) -> Int in joined(l) }", 1...3),
    .init("intersperse", ".intersperse(#n)", 0...9),
    .init("takeLast", ".takeLast(#n)", 0...3),
    .init("window(count:)", ".window(count: #n)§.flatMap(maxPublishers: .max(1)) { (p) in p }", 1...3),
    .init(
      "window(for:)", ".window(for: .seconds(#n), scheduler: w.clock)§.flatMap(maxPublishers: .max(1)) { (p) in p }",
      1...2),
    .init(
      "grouped", ".grouped(by: { (v: Int) -> Int in w.at(#s, v); return v % (#n + 1) })§.flatMap { (g) in g }", 0...3,
      gives: .any),
    .init(
      "chunked(by:)",
      ".chunked(by: { (a: Int, b: Int) -> Bool in w.at(#s, b); return b % 4 != #n })§.map { (l: [Int]) -> Int in joined(l) }",
      0...3),
    .init(
      "chunked(on:)",
      ".chunked(on: { (v: Int) -> Int in w.at(#s, v); return v / (#n + 2) })§.map { (c: (Int, [Int])) -> Int in joined(c.1) }",
      0...3),
    .init(
      "collect(while:)",
      ".collect(while: { (v: Int) -> Bool in w.at(#s, v); return v % 4 != #n })§.map { (l: [Int]) -> Int in joined(l) }",
      0...3),
    .init("dropLast", ".dropLast(#n)", 0...3),
    .init("drop(duration:)", ".drop(duration: .seconds(#n), on: w.clock)", 1...3),
    .init("single", ".prefix(#n)§.single { (_) in E() }", 1...2, takes: .fault),
    .init(
      "sequenceEqual", ".sequenceEqual({1})§.map { (b: Bool) -> Int in w.at(#s, b ? 1 : 0); return b ? 1 : 0 }",
      children: [.same]),
    .init("onStart", ".onStart { w.at(#s, 0) }"),
    .init("finally", ".finally { w.at(#s, 0) }"),
    .init("trackActivity", ".trackActivity(ActivityTracker())"),
    .init("materialize", ".materialize()§.dematerialize()", weight: 2),
    .init("enumerated", ".enumerated()§.map { (p) -> Int in p.index &* 1000 &+ p.element }"),
    .init("scan(into:)", ".scan(into: #n) { (a: inout Int, v: Int) -> Void in w.at(#s, v); a = a &+ v }", 0...9),
    .init("removeAllDuplicates", ".removeAllDuplicates()"),
    .init(
      "mapToResult",
      ".mapToResult()§.compactMap { (r: Result<Int, E>) -> Int? in try? r.get() }", takes: .fault, gives: .never),
    .init(
      "ignoreFailure(completeImmediately:)", ".ignoreFailure(setFailureType: (#F).self, completeImmediately: #n == 0)",
      0...1, takes: .fault),
    .init("ignoreFailure", ".ignoreFailure(setFailureType: (#F).self)", takes: .fault),
    .init(
      "prefix(while:behavior:)",
      ".prefix(while: { (v: Int) -> Bool in w.at(#s, v); return v % 7 != #n }, behavior: .inclusive)", 0...6),
    .init("prefix(duration:)", ".prefix(duration: .seconds(#n), on: w.clock)", 1...3),
    .init(
      "collect by weight",
      ".collect(upTo: 3, weight: 9, within: .seconds(#n), scheduler: w.clock) { (v: Int) -> Int in w.at(#s, v); return v & 7 }"
        + "§.map { (l: [Int]) -> Int in joined(l) }", 1...2),
    .init("repeat", ".repeat(#n)", 0...2),
    .init(
      "retryWhen", ".retryWhen { (e) in e.handleEvents(receiveOutput: { (_) in w.at(#s, 0) }).prefix(#n) }", 0...2,
      takes: .fault),
    .init(
      "retry, deciding",
      ".retry(RetryPolicy.fixed(#n, delay: .seconds(1)), scheduler: w.clock, "
        + "decide: { (e) -> RetryDecision<VirtualTime.Stride> in w.at(#s, 0); return .after(.seconds(2)) })", 0...2,
      takes: .fault),
    .init(
      "tryMap(skippingFailures:)",
      ".tryMap(skippingFailures: { (e: any Error, v: Int) -> Void in w.at(#s, v) }) "
        + "{ (v: Int) throws -> Int in if v % 5 == #n { throw E() }; return v }", 0...4),
    .init("checkpoint", ".checkpoint(\"here\").mapError(\\.underlying)", takes: .fault),
    .init("retry, later", ".retry(#n, delay: .seconds(1), scheduler: w.clock)", 0...2, takes: .fault),
  ]
}
