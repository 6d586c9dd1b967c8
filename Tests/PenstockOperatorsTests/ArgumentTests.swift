// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// The upstream of an operator, and the clock for operators that need one.
private struct TimedStream: Publisher {
  typealias Output = Int
  typealias Failure = any Error

  let clock: OperatorSpec.Clock
  private let publisher: AnyPublisher<Int, any Error>

  init(_ publisher: AnyPublisher<Int, any Error>, _ clock: OperatorSpec.Clock) {
    self.publisher = publisher
    self.clock = clock
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == any Error {
    publisher.receive(subscriber: subscriber)
  }
}

/// A parameter of an operator that is a number or an interval, and the arguments that it accepts.
///
/// `@unchecked`: what a parameter creates is used on one thread.
private struct Parameter<Argument: Sendable>: @unchecked Sendable, CustomTestStringConvertible {
  typealias Clock = OperatorSpec.Clock
  typealias Stream = TimedStream

  let name: String
  /// The arguments that it refuses, with its message.
  let refused: [Argument]
  let message: String
  let taken: [Argument]
  let build: (Argument, Stream) -> AnyPublisher<Int, any Error>

  var testDescription: String { name }

  init<P: Publisher>(
    _ name: String, refuses refused: [Argument], saying message: String, takes taken: [Argument],
    _ build: @escaping (Argument, Stream) -> P
  ) {
    self.name = name
    self.refused = refused
    self.message = message
    self.taken = taken
    self.build = { argument, stream in
      build(argument, stream).map { _ in 0 }.mapError { $0 as any Error }.eraseToAnyPublisher()
    }
  }

  /// Runs the operator with an argument, for a while.
  ///
  /// - Returns: What is wrong.
  func run(_ argument: Argument) -> [String] {
    var faults: [String] = []
    for demand in [Subscribers.Demand.unlimited, .max(1)] {
      let (subject, clock) = (PassthroughSubject<Int, any Error>(), Clock())
      let recorder = Recorder<Int, any Error>(demand: demand, answering: .max(1))
      build(argument, TimedStream(subject.prepend(1, 2, 3).eraseToAnyPublisher(), clock)).subscribe(recorder)
      for value in 4...9 {
        subject.send(value)
        clock.advance(by: .milliseconds(700))
      }
      subject.send(completion: .finished)
      clock.advance(by: 20)
      faults += recorder.complaints
      recorder.dismiss()
    }
    return faults
  }
}

extension Parameter where Argument == Int {
  static var counting: [Int] { [1, 2, .max - 1, .max] }

  /// A count that has to be positive.
  init<P: Publisher>(
    positive name: String, _ message: String, _ build: @escaping (Int, Stream) -> P
  ) {
    self.init(
      name, refuses: [0, -1, .min], saying: "\(message) a count of 1 or more", takes: Self.counting, build)
  }

  /// A count that must not be negative.
  init<P: Publisher>(
    unsigned name: String, _ message: String, _ build: @escaping (Int, Stream) -> P
  ) {
    self.init(
      name, refuses: [-1, .min], saying: "\(message) a count of 0 or more", takes: [0] + Self.counting, build)
  }

  static let all = ofCombine + beyond + splitting

  static func named(_ name: String) -> Self { all.first { $0.name == name }! }

  static let ofCombine: [Self] = [
    .init(unsigned: "prefix", "prefix takes") { $1.prefix($0) },
    .init(unsigned: "dropFirst", "dropFirst takes") { $1.dropFirst($0) },
    .init(
      "output(at:)", refuses: [-1, .min, .max], saying: "output(at:) takes positions from 0", takes: [0, 1, .max - 1]
    ) {
      $1.output(at: $0)
    },
    .init(unsigned: "collect", "takes") { $1.collect($0) },
    .init(unsigned: "collect by time or count", "collect(_:options:) takes") {
      $1.collect(.byTimeOrCount($1.clock, 1, $0))
    },
    .init("buffer", refuses: [-1], saying: "takes 0 or more", takes: [0] + counting) {
      $1.buffer(size: $0, prefetch: .keepFull, whenFull: .dropNewest)
    },
    // As in Combine, a buffer with a negative size has no room, like one of size zero.
    .init("buffer, by request", refuses: [], saying: "", takes: [-1, 0] + counting) {
      $1.buffer(size: $0, prefetch: .byRequest, whenFull: .dropOldest)
    },
    .init("flatMap(maxPublishers:)", refuses: [], saying: "", takes: counting) { count, stream in
      stream.flatMap(maxPublishers: .max(count)) { Just($0) }
    },
    // As in Combine, a negative number means no limit.
    .init("retry", refuses: [], saying: "", takes: [-1, 0] + counting) { $1.retry($0) },
  ]

  static let beyond: [Self] = [
    .init(positive: "nwise", "nwise(_:) takes") { $1.nwise($0) },
    .init(unsigned: "dropLast", "dropLast(_:) takes") { $1.dropLast($0) },
    .init(unsigned: "takeLast", "takeLast(_:) takes") { $1.takeLast($0) },
    .init(unsigned: "repeat", "repeat(_:) takes") { $1.prefix(1).repeat(Swift.min($0, 3)) },
    .init(unsigned: "shareReplay", "shareReplay takes") { $1.shareReplay(capacity: $0) },
    .init(unsigned: "share(replay:)", "share(replay:) takes") { $1.share(replay: $0) },
    .init(positive: "share(buffering:), a bound", "share(buffering: .bounded) takes") {
      $1.share(buffering: .bounded($0))
    },
    .init(unsigned: "share(buffering:), the newest", "share(buffering:) takes") { $1.share(buffering: .newest($0)) },
    .init(unsigned: "share(buffering:), the oldest", "share(buffering:) takes") { $1.share(buffering: .oldest($0)) },
    .init(positive: "multicast(buffering:)", "share(buffering: .bounded) takes") { count, stream in
      stream.multicast(buffering: .bounded(count)) { $0.map { $0 } }
    },
    .init(positive: "autoconnect(atLeast:)", "autoconnect(atLeast:) takes") {
      $1.multicast { PassthroughSubject<Int, any Error>() }.autoconnect(atLeast: $0)
    },
    .init("buffer(upTo:)", refuses: [0, -1, .min], saying: "buffer(upTo:) takes a high mark of 1", takes: counting) {
      $1.buffer(upTo: $0, resumingAt: 0)
    },
    .init(
      "buffer(resumingAt:)", refuses: [-1, .min, 4, .max], saying: "resumingAt:) takes", takes: [0, 1, 3]
    ) {
      $1.buffer(upTo: 4, resumingAt: $0)
    },
    .init("buffer(weight:)", refuses: [0, -1], saying: "buffer(weight:) takes a high mark of 1", takes: counting) {
      $1.buffer(weight: $0, resumingAt: 0) { _ in 1 }
    },
    .init("weights of buffer", refuses: [], saying: "", takes: [0, 1, .max]) { weight, stream in
      stream.buffer(weight: 4, resumingAt: 0) { _ in weight }
    },
    .init(positive: "limitRequests(to:)", "limitRequests(to:) takes") { $1.limitRequests(to: $0, refillAt: 0) },
    .init(
      "limitRequests(refillAt:)", refuses: [-1, .min, 4, .max], saying: "limitRequests(to:refillAt:)", takes: [0, 1, 3]
    ) {
      $1.limitRequests(to: 4, refillAt: $0)
    },
    .init(positive: "flatMapSequential(maxPublishers:)", "flatMapSequential(maxPublishers:prefetch:_:) takes") {
      count, stream in
      stream.flatMapSequential(maxPublishers: .max(Swift.max(count, 0))) { Just($0) }
    },
    .init(positive: "flatMapSequential(prefetch:)", "flatMapSequential(maxPublishers:prefetch:_:) takes") {
      count, stream in
      stream.flatMapSequential(prefetch: count) { Just($0) }
    },
    .init(positive: "expand(maxPublishers:)", "expand(maxPublishers:_:) takes") { count, stream in
      stream.expand(maxPublishers: .max(Swift.max(count, 0))) { _ in Empty<Int, any Error>() }
    },
    .init(positive: "pace", "pace(_:per:) takes") { $1.pace($0, per: .seconds(1), scheduler: $1.clock) },
    .init("pace(burst:)", refuses: [0, -1], saying: "pace(burst:) takes a burst of 1 or more", takes: counting) {
      $1.pace(1, per: .seconds(1), burst: $0, scheduler: $1.clock)
    },
    .init("pace(burst:), by cost", refuses: [0, .min], saying: "pace(burst:) takes a burst of 1", takes: counting) {
      $1.pace(1, per: .seconds(1), burst: $0, scheduler: $1.clock) { _ in 1 }
    },
    .init("costs of pace", refuses: [-1], saying: "pace(cost:) takes a cost of 0 or more", takes: [0, 1, .max]) {
      cost, stream in
      stream.pace(1, per: .seconds(1), burst: 2, scheduler: stream.clock) { _ in cost }
    },
    .init(positive: "collect(upTo:)", "collect(upTo:) takes") {
      $1.collect(upTo: $0, weight: .max, within: 1, scheduler: $1.clock) { _ in 1 }
    },
    .init(
      "collect(weight:)", refuses: [0, -1], saying: "collect(upTo:weight:) takes a weight of 1 or more", takes: counting
    ) {
      $1.collect(upTo: .max, weight: $0, within: 1, scheduler: $1.clock) { _ in 1 }
    },
    .init("weights of collect", refuses: [-1], saying: "a weight of 0 or more", takes: [0, 1, .max]) {
      weight, stream in
      stream.collect(upTo: 4, weight: 5, within: 1, scheduler: stream.clock) { _ in weight }
    },
    .init(positive: "receive(on:upTo:)", "receive(on:upTo:) takes") { $1.receive(on: $1.clock, upTo: $0) },
    .init(unsigned: "retry(_:delay:)", "retry(_:delay:scheduler:) takes") { count, stream in
      stream.prefix(2).append(Fail<Int, any Error>(error: TestError.oops)).retry(
        count, delay: 1, scheduler: stream.clock)
    },
    .init(unsigned: "RetryPolicy", "RetryPolicy takes") { count, stream in
      stream.prefix(2).append(Fail<Int, any Error>(error: TestError.oops))
        .retry(.fixed(count, delay: .seconds(1)), scheduler: stream.clock)
    },
    .init(positive: "CircuitBreaker(failures:)", "CircuitBreaker(failures:) takes") {
      $1.circuitBreaker(CircuitBreaker(failures: $0, resetAfter: 1, scheduler: $1.clock))
    },
    .init(unsigned: "ReplaySubject", "ReplaySubject takes") { count, stream in
      stream.multicast(subject: ReplaySubject<Int, any Error>(capacity: count)).autoconnect()
    },
    .init(unsigned: "create(bufferSize:)", "create takes") { count, stream in
      AnyPublisher<Int, any Error>.create(bufferSize: count) { emitter in
        stream.sink(receiveCompletion: { emitter.send(completion: $0) }, receiveValue: { emitter.send($0) })
      }
    },
  ]

  static let splitting: [Self] = [
    .init(positive: "window(count:)", "window(count:) takes") { $1.window(count: $0).flatMap { $0 } },
    .init(positive: "grouped(maxGroups:)", "grouped(by:maxGroups:buffer:) takes") { count, stream in
      stream.grouped(by: { _ in 0 }, maxGroups: count).flatMap { $0 }
    },
    .init(positive: "grouped(buffer:)", "grouped(by:maxGroups:buffer:) takes") { count, stream in
      stream.grouped(by: { $0 % 3 }, buffer: count).flatMap { $0 }
    },
    .init(positive: "flatMapBatches(of:)", "flatMapBatches(of:) takes") { count, stream in
      [stream.prefix(2), stream.prefix(3)].flatMapBatches(of: count)
    },
  ]
}

extension Parameter where Argument == VirtualTime.Stride {
  static var forward: [VirtualTime.Stride] {
    [0, .nanoseconds(1), 1, .nanoseconds(.max), .seconds(.max), .seconds(.infinity), .seconds(.nan)]
  }

  static var backward: [VirtualTime.Stride] {
    [.nanoseconds(-1), -1, .nanoseconds(.min), .seconds(-Double.infinity)]
  }

  /// An interval that must not be negative.
  init<P: Publisher>(
    unsigned name: String, _ message: String, _ build: @escaping (VirtualTime.Stride, Stream) -> P
  ) {
    self.init(
      name, refuses: [.nanoseconds(-1), .nanoseconds(.min)], saying: "\(message) an interval of 0 or more",
      takes: Self.forward, build)
  }

  /// An interval that may be negative, which counts as zero.
  init<P: Publisher>(any name: String, _ build: @escaping (VirtualTime.Stride, Stream) -> P) {
    self.init(name, refuses: [], saying: "", takes: Self.forward + Self.backward, build)
  }

  static let all = ofCombine + beyond

  static func named(_ name: String) -> Self { all.first { $0.name == name }! }

  static let ofCombine: [Self] = [
    .init(any: "debounce") { $1.debounce(for: $0, scheduler: $1.clock) },
    .init(any: "throttle") { $1.throttle(for: $0, scheduler: $1.clock, latest: true) },
    .init(any: "delay") { $1.delay(for: $0, scheduler: $1.clock) },
    .init(any: "delay, tolerance") { $1.delay(for: 1, tolerance: $0, scheduler: $1.clock) },
    .init(any: "timeout") { $1.timeout($0, scheduler: $1.clock) },
    // Without a nanosecond: a timer that repeats has no end in virtual time.
    .init(
      "collect(.byTime)", refuses: [], saying: "", takes: forward.filter { $0 != .nanoseconds(1) } + backward
    ) {
      $1.collect(.byTime($1.clock, $0)).prefix(2)
    },
  ]

  static let beyond: [Self] = [
    .init(unsigned: "delaySubscription", "delaySubscription(for:) takes") {
      $1.delaySubscription(for: $0, scheduler: $1.clock)
    },
    .init(unsigned: "stalled", "stalled(after:) takes") { $1.stalled(after: $0, scheduler: $1.clock).map { _ in 1 } },
    .init(unsigned: "timeout(first:)", "timeout(first:) takes") { $1.timeout(first: $0, scheduler: $1.clock) },
    .init(unsigned: "throttle(leading:)", "throttle(for:) takes") {
      $1.throttle(for: $0, scheduler: $1.clock, leading: true, trailing: true)
    },
    .init(unsigned: "throttle(reducing:)", "throttle(for:) takes") {
      $1.throttle(for: $0, scheduler: $1.clock, reducing: &+)
    },
    .init(unsigned: "CircuitBreaker(resetAfter:)", "CircuitBreaker(resetAfter:) takes") {
      $1.circuitBreaker(CircuitBreaker(failures: 1, resetAfter: $0, scheduler: $1.clock))
    },
    .init(
      "debounce, by value", refuses: backward, saying: "debounce(for:) takes a time of 0 or more", takes: forward
    ) { interval, stream in
      stream.debounce(for: { _ in interval }, scheduler: stream.clock)
    },
    .init(any: "interval") { interval, stream in
      stream.zip(
        Publishers.interval(interval, scheduler: stream.clock).prefix(3).setFailureType(to: (any Error).self))
    },
    .init(any: "interval, tolerance") { tolerance, stream in
      stream.zip(
        Publishers.interval(1, tolerance: tolerance, scheduler: stream.clock).prefix(3)
          .setFailureType(to: (any Error).self))
    },
    .init(any: "window(for:)") { $1.window(for: $0, scheduler: $1.clock).flatMap { $0 } },
    .init(any: "grouped(idleAfter:)") { interval, stream in
      stream.grouped(by: { $0 }, idleAfter: interval, scheduler: stream.clock).flatMap { $0 }
    },
    .init(any: "collect(within:)") {
      $1.collect(upTo: 4, weight: 5, within: $0, scheduler: $1.clock) { _ in 1 }
    },
    .init(any: "drop(duration:)") { $1.drop(duration: $0, on: $1.clock) },
    .init(any: "prefix(duration:)") { $1.prefix(duration: $0, on: $1.clock) },
    .init(any: "retry(delay:)") { interval, stream in
      stream.prefix(2).append(Fail<Int, any Error>(error: TestError.oops)).retry(
        2, delay: interval, scheduler: stream.clock)
    },
    .init(any: "ReplaySubject(maximumAge:)") { interval, stream in
      stream.multicast(subject: ReplaySubject<Int, any Error>(maximumAge: interval, scheduler: stream.clock))
        .autoconnect()
    },
    .init(
      "share(keepingFor:)", refuses: [-1], saying: "share(keepingFor:) takes a duration of zero or more", takes: forward
    ) {
      $1.share(keepingFor: $0, scheduler: $1.clock)
    },
    .init(
      "share(replay:keepingFor:)", refuses: [-1], saying: "share(replay:keepingFor:) takes a duration of zero or more",
      takes: forward
    ) {
      $1.share(replay: 1, keepingFor: $0, scheduler: $1.clock)
    },
  ]
}

/// For every number and every interval that an operator takes, it works with it, or says what it accepts.
@Suite struct ArgumentTests {
  @Test(arguments: Parameter<Int>.all)
  private func `A count works, up to the largest one`(_ parameter: Parameter<Int>) {
    for count in parameter.taken { #expect(parameter.run(count).isEmpty, "\(count)") }
  }

  @Test(arguments: Parameter<VirtualTime.Stride>.all)
  private func `An interval works, also none, and one without an end`(_ parameter: Parameter<VirtualTime.Stride>) {
    for interval in parameter.taken { #expect(parameter.run(interval).isEmpty, "\(interval)") }
  }

  @Test(arguments: Parameter<Int>.all.flatMap { parameter in parameter.refused.map { (parameter.name, $0) } })
  func `A count that makes no sense is refused, with the rule`(_ name: String, _ count: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = name as String, count = count as Int] in
      _ = Parameter<Int>.named(name).run(count)
    }
    expectMessage(result, Parameter<Int>.named(name).message)
  }

  @Test(arguments: Parameter<VirtualTime.Stride>.all.filter { !$0.refused.isEmpty }.map(\.name))
  func `An interval that makes no sense is refused, with the rule`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = name as String] in
      let parameter = Parameter<VirtualTime.Stride>.named(name)
      _ = parameter.run(parameter.refused[0])
    }
    expectMessage(result, Parameter<VirtualTime.Stride>.named(name).message)
  }

  @Test(arguments: [Duration.nanoseconds(1), .seconds(3), .seconds(Int64.max)])
  func `The interval of a pace may be as long as there are`(_ interval: Duration) {
    let (recorder, clock) = (Recorder<Int, Never>(), VirtualTimeScheduler())
    (1...3).publisher.pace(1, per: interval, scheduler: clock).subscribe(recorder)
    clock.advance(by: 1)
    #expect(recorder.values.count == (interval == .nanoseconds(1) ? 3 : 1))
    recorder.dismiss()
  }

  @Test(arguments: [0, -1, .min] as [Int64])
  func `The interval of a pace is positive`(_ seconds: Int64) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [seconds = seconds as Int64] in
      _ = Just(1).pace(1, per: .seconds(seconds), scheduler: ImmediateScheduler.shared)
    }
    expectMessage(result, "pace(per:) takes an interval of a nanosecond or more")
  }

  @Test(arguments: [1, 1.5, .greatestFiniteMagnitude, .infinity])
  func `A factor of a retry policy may be any number from one on`(_ factor: Double) {
    for jitter in [0, 0.5, 1] {
      let policy = RetryPolicy.exponential(
        .max, initial: .seconds(1), factor: factor, ceiling: .seconds(Int64.max), jitter: jitter)
      for number in [0, 1, 2, 1_000, .max] {
        let delay = policy.delay(beforeRetry: number)
        #expect(delay >= .zero && delay <= .seconds(Int64.max))
      }
    }
  }

  // As text, since arguments for another process are encoded, and NaN cannot be.
  @Test(
    arguments: [("0.5", "0"), ("-1", "0"), ("nan", "0"), ("2", "-0.1"), ("2", "1.1"), ("2", "nan"), ("2", "inf")])
  func `A factor below one, and a jitter that is no part of one, are refused`(_ factor: String, _ jitter: String) async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [factor = factor as String, jitter = jitter as String] in
      let numbers = (factor: Double(factor)!, jitter: Double(jitter)!)
      _ = RetryPolicy.exponential(
        3, initial: .seconds(1), factor: numbers.factor, ceiling: .seconds(9), jitter: numbers.jitter)
    }
    expectMessage(result, factor == "2" ? "a jitter from 0 to 1" : "a factor of 1 or more")
  }
}
