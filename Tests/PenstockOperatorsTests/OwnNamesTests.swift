// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockDispatch
import PenstockOperators
import Testing

// Operators that clients define themselves, under names that this module uses, too.
extension Publisher {
  fileprivate func shareReplay(capacity: Int = .max) -> String { "own shareReplay" }
  fileprivate func share(replay: Int) -> String { "own share" }
  fileprivate func share(buffering: ShareBufferingPolicy) -> String { "own buffering share" }
  fileprivate func share<S: Scheduler>(keepingFor: S.SchedulerTimeType.Stride, scheduler: S) -> String {
    "own keeping share"
  }
  fileprivate func share<S: Scheduler>(
    replay: Int, keepingFor: S.SchedulerTimeType.Stride, scheduler: S
  ) -> String { "own replaying share" }
  fileprivate func multicast<P: Publisher>(
    buffering: ShareBufferingPolicy = .bounded(1), in: @escaping (AnyPublisher<Output, Failure>) -> P
  ) -> String { "own multicast" }
  fileprivate func retry<S: Scheduler>(_ retries: Int, delay: S.SchedulerTimeType.Stride, scheduler: S) -> String {
    "own retry"
  }
  fileprivate func throttle<Condition: Publisher, S: Scheduler>(
    while: Condition, initialThrottle: Bool, on: S
  ) -> String {
    "own throttle"
  }
  fileprivate func pausableSink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Bool
  ) -> String {
    "own sink"
  }
  fileprivate func withLatestFrom<Other: Publisher, Result>(
    _ other: Other, _ transform: @escaping (Output, Other.Output) -> Result
  ) -> String {
    "own withLatestFrom"
  }
  fileprivate func sample<Signal: Publisher>(_ signal: Signal) -> String { "own sample" }
  fileprivate func collect<S: Scheduler>(
    upTo count: Int, weight: Int, within interval: S.SchedulerTimeType.Stride, scheduler: S,
    weightOf: @escaping (Output) -> Int
  ) -> String {
    "own collect"
  }
  fileprivate func pace<S: Scheduler>(_ count: Int, per interval: Duration, burst: Int, scheduler: S) -> String {
    "own pace"
  }
  fileprivate func coalesce(_ merge: @escaping (Output, Output) -> Output) -> String { "own coalesce" }
  fileprivate func pausable<Valve: Publisher>(by valve: Valve) -> String { "own pausable" }
  fileprivate func delaySubscription<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S) -> String {
    "own delaySubscription"
  }
  fileprivate func tryMap<T>(
    skippingFailures report: @escaping (any Error, Output) -> Void, _ transform: @escaping (Output) throws -> T
  ) -> String {
    "own tryMap"
  }
  fileprivate func timeout<S: Scheduler>(first interval: S.SchedulerTimeType.Stride, scheduler: S) -> String {
    "own timeout"
  }
  fileprivate func stalled<S: Scheduler>(after interval: S.SchedulerTimeType.Stride, scheduler: S) -> String {
    "own stalled"
  }
  fileprivate func timestamp<S: Scheduler>(using scheduler: S) -> String { "own timestamp" }
  fileprivate func debounce<S: Scheduler>(
    for dueTime: @escaping (Output) -> S.SchedulerTimeType.Stride, scheduler: S
  ) -> String {
    "own debounce"
  }
  fileprivate func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, leading: Bool, trailing: Bool
  ) -> String {
    "own throttle with edges"
  }
  fileprivate func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, reducing: @escaping (Output, Output) -> Output
  ) -> String {
    "own reducing throttle"
  }
  fileprivate func checkpoint(_ name: String) -> String { "own checkpoint" }
  fileprivate func mergeDelayingErrors<Other: Publisher>(with other: Other) -> String { "own mergeDelayingErrors" }
  fileprivate func combineLatestDelayingErrors<Other: Publisher>(_ other: Other) -> String {
    "own combineLatestDelayingErrors"
  }
  fileprivate func circuitBreaker<Breaker>(_ breaker: Breaker) -> String { "own circuitBreaker" }
  fileprivate func limitRequests(to count: Int) -> String { "own limitRequests" }
  fileprivate func buffer(upTo high: Int) -> String { "own buffer" }
  fileprivate func buffer(weight high: Int, weightOf: @escaping (Output) -> Int) -> String { "own weighted buffer" }
  fileprivate func receive<S: Scheduler>(on scheduler: S, upTo count: Int) -> String { "own receive" }
  fileprivate func flatMapFirst<P: Publisher>(_ transform: @escaping (Output) -> P) -> String { "own flatMapFirst" }
  fileprivate func unwrap<Wrapped>() -> String where Output == Wrapped? { "own unwrap" }
  fileprivate func amb<Other: Publisher>(_ other: Other) -> String { "own amb" }
  fileprivate func concatMap<P: Publisher>(_ transform: @escaping (Output) -> P) -> String { "own concatMap" }
  fileprivate func expand<P: Publisher>(_ transform: @escaping (Output) -> P) -> String { "own expand" }
  fileprivate func flatMapLatest<P: Publisher>(_ transform: @escaping (Output) -> P) -> String { "own flatMapLatest" }
  fileprivate func partition(_ isIncluded: @escaping (Output) -> Bool) -> String { "own partition" }
  fileprivate func chunked(by belongInSameChunk: @escaping (Output, Output) -> Bool) -> String { "own chunked by" }
  fileprivate func chunked<Key: Equatable>(on projection: @escaping (Output) -> Key) -> String { "own chunked on" }
  fileprivate func collect(while predicate: @escaping (Output) -> Bool) -> String { "own collect while" }
  fileprivate func collect<Trigger: Publisher>(until trigger: Trigger) -> String { "own collect until" }
  fileprivate func grouped<Key: Hashable>(by key: @escaping (Output) -> Key) -> String { "own grouped" }
  fileprivate func window(count: Int) -> String { "own window of values" }
  fileprivate func window<Boundary: Publisher>(until boundary: Boundary) -> String { "own window until" }
  fileprivate func window<S: Scheduler>(for interval: S.SchedulerTimeType.Stride, scheduler: S) -> String {
    "own window of time"
  }
  fileprivate func pairwise() -> String { "own pairwise" }
  fileprivate func materialize() -> String { "own materialize" }
  fileprivate func takeLast(_ count: Int) -> String { "own takeLast" }
  fileprivate func mapToResult() -> String { "own mapToResult" }
  fileprivate func ignoreFailure() -> String { "own ignoreFailure" }
  fileprivate func mapToVoid() -> String { "own mapToVoid" }
  fileprivate func enumerated() -> String { "own enumerated" }
  fileprivate func nwise(_ size: Int) -> String { "own nwise" }
  fileprivate func combinePrevious(_ initial: Output) -> String { "own combinePrevious" }
  fileprivate func removeAllDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> String {
    "own removeAllDuplicates"
  }
  fileprivate func scan<Result>(into initial: Result, _ update: @escaping (inout Result, Output) -> Void) -> String {
    "own scan"
  }
  fileprivate func amb<Others: Collection>(with others: Others) -> String { "own amb" }
  fileprivate func zip<Others: Collection>(with others: Others) -> String { "own zip" }
  fileprivate func combineLatest<Others: Collection>(with others: Others) -> String { "own combineLatest" }
  fileprivate func ignoreFailure(completeImmediately: Bool) -> String { "own ignoreFailure" }
  fileprivate func dropLast(_ count: Int) -> String { "own dropLast" }
  fileprivate func single() -> String { "own single" }
  fileprivate func drop<S: Scheduler>(duration: S.SchedulerTimeType.Stride, on scheduler: S) -> String { "own drop" }
  fileprivate func prefix<Object: AnyObject>(untilDeinitOf object: Object) -> String { "own prefix" }
  fileprivate func compactMap<T>(as type: T.Type) -> String { "own compactMap" }
  fileprivate func apply<P: Publisher>(_ transform: (Self) -> P) -> String { "own apply" }
  fileprivate func sequenceEqual<Other: Publisher>(_ other: Other) -> String { "own sequenceEqual" }
  fileprivate func onStart(_ action: () -> Void) -> String { "own onStart" }
  fileprivate func finally(_ action: () -> Void) -> String { "own finally" }
  fileprivate func trackActivity(_ tracker: ActivityTracker) -> String { "own trackActivity" }
  fileprivate func withUnretained<Object: AnyObject>(_ object: Object) -> String { "own withUnretained" }
  fileprivate func `repeat`(_ times: Int) -> String { "own repeat" }
  fileprivate func retryWhen<Trigger: Publisher>(
    _ makeTrigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger
  ) -> String {
    "own retryWhen"
  }
}

extension AnyPublisher {
  fileprivate static func create(_ attach: @escaping (Int) -> any Cancellable) -> String { "own create" }
}

extension Publishers {
  fileprivate static func generate<State, Value>(state: State, next: @escaping (inout State) -> Value?) -> String {
    "own generate"
  }
  fileprivate static func interval<S: Scheduler>(_ interval: S.SchedulerTimeType.Stride, scheduler: S) -> String {
    "own interval"
  }
}

// A top-level type hides the one of an import.
private final class ReplaySubject<Output, Failure: Error> {
  init(bufferSize: Int) {}
}

// A nested type does not shadow a type of another module: code that names it has to name the module as well.
extension Publishers {
  fileprivate struct ShareReplay<Upstream: Publisher> {}
}

extension ConnectablePublisher {
  fileprivate func autoconnect(atLeast: Int) -> String { "own autoconnect" }
}

@Suite struct OwnNamesTests {
  let numbers = PassthroughSubject<Int?, Never>()

  @Test func `A client's own operators win over those of the same name`() {
    let names = [
      numbers.shareReplay(capacity: 1),
      numbers.share(replay: 1),
      numbers.share(buffering: .unbounded),
      numbers.share(keepingFor: .seconds(1), scheduler: ImmediateScheduler.shared),
      numbers.share(replay: 1, keepingFor: .seconds(1), scheduler: ImmediateScheduler.shared),
      numbers.multicast { $0 },
      numbers.makeConnectable().autoconnect(atLeast: 1),
      numbers.retry(1, delay: .seconds(1), scheduler: ImmediateScheduler.shared),
      numbers.throttle(while: Just(true), initialThrottle: false, on: ImmediateScheduler.shared),
      numbers.pausableSink(receiveCompletion: { _ in }, receiveValue: { _ in true }),
      numbers.withLatestFrom(Just(1)) { $1 },
      numbers.sample(Just(1)),
      numbers.collect(upTo: 1, weight: 1, within: 1, scheduler: ImmediateScheduler.shared) { _ in 1 },
      numbers.pace(1, per: .seconds(1), burst: 1, scheduler: ImmediateScheduler.shared),
      numbers.coalesce { $1 },
      numbers.pausable(by: Just(true)),
      numbers.delaySubscription(for: 1, scheduler: ImmediateScheduler.shared),
      numbers.tryMap(skippingFailures: { _, _ in }) { $0 },
      numbers.timeout(first: 1, scheduler: ImmediateScheduler.shared),
      numbers.stalled(after: 1, scheduler: ImmediateScheduler.shared),
      numbers.timestamp(using: ImmediateScheduler.shared),
      numbers.debounce(for: { _ in 1 }, scheduler: ImmediateScheduler.shared),
      numbers.throttle(for: 1, scheduler: ImmediateScheduler.shared, leading: true, trailing: true),
      numbers.throttle(for: 1, scheduler: ImmediateScheduler.shared, reducing: { $1 }),
      numbers.checkpoint("here"),
      numbers.mergeDelayingErrors(with: numbers),
      numbers.combineLatestDelayingErrors(numbers),
      numbers.circuitBreaker(CircuitBreaker(failures: 1, resetAfter: 1, scheduler: ImmediateScheduler.shared)),
      numbers.limitRequests(to: 1),
      numbers.buffer(upTo: 1),
      numbers.buffer(weight: 1) { _ in 1 },
      numbers.receive(on: ImmediateScheduler.shared, upTo: 1),
      numbers.flatMapFirst { Just($0) },
      numbers.unwrap(),
      numbers.amb(numbers),
      numbers.concatMap { _ in Just(1) },
      numbers.expand { _ in Empty<Int?, Never>() },
      numbers.flatMapLatest { _ in Just(1) },
      numbers.partition { _ in true },
      numbers.chunked(by: { $0 == $1 }),
      numbers.chunked(on: { $0 }),
      numbers.collect(while: { $0 != nil }),
      numbers.collect(until: numbers),
      numbers.grouped(by: { $0 }),
      numbers.window(count: 1),
      numbers.window(until: numbers),
      numbers.window(for: 1, scheduler: ImmediateScheduler.shared),
      numbers.pairwise(),
      numbers.materialize(),
      numbers.takeLast(1),
      numbers.mapToResult(),
      numbers.ignoreFailure(),
      numbers.mapToVoid(),
      numbers.enumerated(),
      numbers.nwise(2),
      numbers.combinePrevious(0),
      numbers.removeAllDuplicates { $0 == $1 },
      numbers.scan(into: 0) { $0 += $1 ?? 0 },
      numbers.amb(with: [numbers]),
      numbers.zip(with: [numbers]),
      numbers.combineLatest(with: [numbers]),
      numbers.ignoreFailure(completeImmediately: true),
      numbers.dropLast(1),
      numbers.single(),
      numbers.drop(duration: 1, on: ImmediateScheduler.shared),
      numbers.prefix(untilDeinitOf: numbers),
      numbers.compactMap(as: Int.self),
      numbers.apply { $0.map { $0 } },
      numbers.sequenceEqual(numbers),
      numbers.onStart {},
      numbers.finally {},
      numbers.trackActivity(ActivityTracker()),
      numbers.withUnretained(numbers),
      numbers.repeat(2),
      numbers.retryWhen { _ in Just(1) },
      AnyPublisher<Int, Never>.create { _ in AnyCancellable {} },
      Publishers.generate(state: 1) { $0 },
      Publishers.interval(1, scheduler: ImmediateScheduler.shared),
    ]
    let own = [
      "shareReplay", "share", "buffering share", "keeping share", "replaying share", "multicast", "autoconnect",
      "retry", "throttle", "sink", "withLatestFrom", "sample", "collect", "pace", "coalesce", "pausable",
      "delaySubscription", "tryMap", "timeout", "stalled", "timestamp", "debounce", "throttle with edges",
      "reducing throttle", "checkpoint", "mergeDelayingErrors", "combineLatestDelayingErrors", "circuitBreaker",
      "limitRequests", "buffer", "weighted buffer", "receive", "flatMapFirst", "unwrap", "amb", "concatMap", "expand",
      "flatMapLatest", "partition",
      "chunked by", "chunked on", "collect while", "collect until",
      "grouped", "window of values", "window until", "window of time",
      "pairwise", "materialize", "takeLast", "mapToResult", "ignoreFailure", "mapToVoid", "enumerated", "nwise",
      "combinePrevious", "removeAllDuplicates", "scan",
      "amb", "zip", "combineLatest", "ignoreFailure", "dropLast", "single", "drop", "prefix",
      "compactMap", "apply", "sequenceEqual", "onStart", "finally",
      "trackActivity", "withUnretained", "repeat", "retryWhen",
      "create", "generate", "interval",
    ]
    #expect(names == own.map { "own \($0)" })
  }

  @Test func `The name of the module leads to each of the two`() {
    let own = Publishers.PenstockOperatorsTests::ShareReplay<PassthroughSubject<Int?, Never>>.self
    let shared: Publishers.PenstockOperators::ShareReplay = numbers.PenstockOperators::shareReplay(capacity: 1)
    #expect(ObjectIdentifier(own) != ObjectIdentifier(type(of: shared)))
    let (ownSubject, subject) = (
      ReplaySubject<Int, Never>(bufferSize: 1), PenstockOperators::ReplaySubject<Int, Never>(capacity: 1)
    )
    #expect(ObjectIdentifier(type(of: ownSubject)) != ObjectIdentifier(type(of: subject)))
  }
}
