// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// A scheduler whose time is a date that may be set back, like that of a run loop or an operation queue.
///
/// Waits are counted from when they were scheduled, as with the system's timers.
private final class SettableScheduler: Scheduler, @unchecked Sendable {
  // `@unchecked`: each test uses one thread.

  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  private let base = VirtualTimeScheduler(now: 10_000)
  private var offset = VirtualTime.Stride.seconds(0)

  var now: VirtualTime { base.now.advanced(by: offset) }
  var minimumTolerance: VirtualTime.Stride { 0 }

  func set(back interval: VirtualTime.Stride) { offset = offset - interval }
  func advance(by interval: VirtualTime.Stride) { base.advance(by: interval) }

  private func realDate(of date: VirtualTime) -> VirtualTime {
    base.now.advanced(by: Swift.max(0, now.distance(to: date)))
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(action) }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) { base.schedule(after: realDate(of: date), action) }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable { base.schedule(after: realDate(of: date), interval: interval, action) }
}

extension Publisher {
  /// Publishes that there is a result, whatever it is.
  fileprivate var results: AnyPublisher<Void, any Error> { map { _ in }.mapError { $0 }.eraseToAnyPublisher() }
}

/// A clock that is set back by an hour: times that were counted with it start again, and no operator stalls for that
/// hour.
@Suite struct ClockSetBackTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The minimum and maximum number of results in 20 seconds with ten values a second.
    let expected: ClosedRange<Int>
    fileprivate let make: @Sendable (AnyPublisher<Int, Never>, SettableScheduler) -> AnyPublisher<Void, any Error>

    fileprivate init(
      _ name: String, _ expected: ClosedRange<Int>,
      _ make: @escaping @Sendable (AnyPublisher<Int, Never>, SettableScheduler) -> AnyPublisher<Void, any Error>
    ) {
      testDescription = name
      self.expected = expected
      self.make = make
    }
  }

  static let cases: [Case] = [
    Case("throttle, latest", 19...22) { $0.throttle(for: 1, scheduler: $1, latest: true).results },
    Case("throttle, first", 19...22) { $0.throttle(for: 1, scheduler: $1, latest: false).results },
    Case("throttle, both edges", 18...22) { $0.throttle(for: 1, scheduler: $1, leading: true, trailing: true).results },
    Case("throttle, leading edge", 17...22) {
      $0.throttle(for: 1, scheduler: $1, leading: true, trailing: false).results
    },
    Case("throttle, trailing edge", 17...22) {
      $0.throttle(for: 1, scheduler: $1, leading: false, trailing: true).results
    },
    Case("throttle, reducing", 17...22) { $0.throttle(for: 1, scheduler: $1, reducing: +).results },
    Case("pace", 95...103) { $0.pace(5, per: .seconds(1), burst: 2, scheduler: $1).results },
    Case("pace, in long intervals", 19...23) { $0.pace(10, per: .seconds(10), burst: 3, scheduler: $1).results },
    Case("pace, by cost", 45...52) { $0.pace(5, per: .seconds(1), burst: 2, scheduler: $1) { _ in 2 }.results },
    Case("debounce", 200...200) { $0.debounce(for: 0.05, scheduler: $1).results },
    Case("debounce, each", 200...200) { $0.debounce(for: { _ in 0.05 }, scheduler: $1).results },
    Case("delay", 199...202) { $0.delay(for: 0.05, scheduler: $1).results },
    Case("collect", 19...21) { $0.collect(.byTime($1, 1)).results },
    Case("collect, by weight", 17...21) {
      $0.collect(upTo: 100, weight: 1_000, within: 1, scheduler: $1) { _ in 1 }.results
    },
    Case("window", 17...22) { $0.window(for: 1, scheduler: $1).flatMap { $0.collect() }.results },
    Case("interval", 20...20) { _, scheduler in Publishers.interval(1, scheduler: scheduler).results },
  ]

  @Test(arguments: cases, [0.05, 3_600])
  func `Values come at the same rate`(_ candidate: Case, _ setBack: Double) {
    let (scheduler, source) = (SettableScheduler(), PassthroughSubject<Int, Never>())
    var count = 0
    let values = source.buffer(size: 1_000, prefetch: .keepFull, whenFull: .dropOldest).eraseToAnyPublisher()
    let cancellable = candidate.make(values, scheduler).sink(receiveCompletion: { _ in }, receiveValue: { count += 1 })
    func run(_ steps: Int) {
      for step in 0..<steps {
        source.send(step)
        scheduler.advance(by: 0.1)
      }
    }
    run(25)
    count = 0
    scheduler.set(back: .seconds(setBack))
    run(200)
    #expect(candidate.expected.contains(count))
    cancellable.cancel()
  }

  @Test(arguments: cases)
  func `It may be set back again and again`(_ candidate: Case) {
    let (scheduler, source) = (SettableScheduler(), PassthroughSubject<Int, Never>())
    var count = 0
    let values = source.buffer(size: 1_000, prefetch: .keepFull, whenFull: .dropOldest).eraseToAnyPublisher()
    let cancellable = candidate.make(values, scheduler).sink(receiveCompletion: { _ in }, receiveValue: { count += 1 })
    for step in 0..<500 {
      source.send(step)
      scheduler.advance(by: 0.1)
      if step % 50 == 49 { scheduler.set(back: 3_600) }
    }
    #expect(count >= candidate.expected.lowerBound * 5 / 4)
    cancellable.cancel()
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let make: @Sendable (PassthroughSubject<Int, Never>, SettableScheduler) -> AnyPublisher<Int, Never>
  }

  /// The operators that do something ten seconds after the last value.
  static let endings: [Ending] = [
    Ending(testDescription: "timeout") { $0.timeout(10, scheduler: $1).eraseToAnyPublisher() },
    Ending(testDescription: "timeout(first:)") {
      $0.filter { $0 < 0 }.timeout(first: 10, scheduler: $1).eraseToAnyPublisher()
    },
    Ending(testDescription: "stalled") { $0.stalled(after: 10, scheduler: $1).eraseToAnyPublisher() },
    Ending(testDescription: "debounce") { $0.debounce(for: 10, scheduler: $1).first().eraseToAnyPublisher() },
    Ending(testDescription: "debounce, each") {
      $0.debounce(for: { _ in 10 }, scheduler: $1).first().eraseToAnyPublisher()
    },
    Ending(testDescription: "window") {
      $0.window(for: 10, scheduler: $1).flatMap { $0.last() }.first().eraseToAnyPublisher()
    },
    Ending(testDescription: "grouped, when idle") {
      $0.grouped(by: { $0 % 2 }, idleAfter: 10, scheduler: $1).flatMap { $0.last() }.collect(2).map { $0[1] }
        .replaceError(with: 0).first().eraseToAnyPublisher()
    },
    Ending(testDescription: "prefix, for a time") { $0.prefix(duration: 10, on: $1).eraseToAnyPublisher() },
  ]

  @Test(arguments: endings, [1, 3_600])
  func `What waits for time to pass is not an hour late`(_ ending: Ending, _ setBack: Double) {
    let (scheduler, source) = (SettableScheduler(), PassthroughSubject<Int, Never>())
    let recorder = Recorder<Int, Never>()
    ending.make(source, scheduler).subscribe(recorder)
    for step in 0..<5 {
      source.send(step)
      scheduler.advance(by: 1)
    }
    scheduler.set(back: .seconds(setBack))
    scheduler.advance(by: 4)
    #expect(recorder.completions.isEmpty)
    scheduler.advance(by: 17)
    #expect(recorder.isFinished)
  }

  @Test func `An open breaker is half-open after its time, though the clock has been set back`() {
    let scheduler = SettableScheduler()
    let breaker = CircuitBreaker(failures: 1, resetAfter: 10, scheduler: scheduler)
    Fail<Int, TestError>(error: .oops).circuitBreaker(breaker).subscribe(Recorder())
    #expect(breaker.state == .open)
    scheduler.set(back: 3_600)
    scheduler.advance(by: 20)
    #expect(breaker.state == .halfOpen)
    let recorder = Recorder<Int, CircuitBreakerFailure<TestError>>()
    Just(1).setFailureType(to: TestError.self).circuitBreaker(breaker).subscribe(recorder)
    #expect(recorder.values == [1] && breaker.state == .closed)
  }

  @Test func `A group that is used stays, whatever the clock does`() {
    let (scheduler, source) = (SettableScheduler(), PassthroughSubject<Int, Never>())
    var ended: [Int] = []
    let cancellable = source.grouped(by: { $0 }, idleAfter: 10, scheduler: scheduler)
      .flatMap { group in group.collect().map { _ in group.key } }
      .sink(receiveCompletion: { _ in }, receiveValue: { ended.append($0) })
    source.send(1)
    scheduler.advance(by: 5)
    scheduler.set(back: 3_600)
    for _ in 0..<30 {
      source.send(2)
      scheduler.advance(by: 1)
    }
    #expect(ended == [1])
    cancellable.cancel()
  }

  @Test func `Values are replayed up to their age, counted anew`() {
    let scheduler = SettableScheduler()
    let subject = ReplaySubject<Int, Never>(maximumAge: 10, scheduler: scheduler)
    subject.send(1)
    scheduler.advance(by: 5)
    scheduler.set(back: 3_600)
    subject.send(2)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    subject.subscribe(first)
    #expect(first.values == [1, 2])
    scheduler.advance(by: 11)
    subject.subscribe(second)
    #expect(second.values.isEmpty)
  }
}
