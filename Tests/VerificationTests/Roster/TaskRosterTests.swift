// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Observation
import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// Everything of `PenstockConcurrency`, verified with its tasks run by the check: see ``Turns``.
extension Roster {
  private static func driven<P: Publisher>(_ publisher: @autoclosure () -> P) -> Driven<P> {
    Turns.take()
    return Driven(publisher(), settle: Turns.run)
  }

  static let taskPublishers: [PublisherVerification] = [
    PublisherVerification("AsyncSequence.publisher").finite { count in driven(Numbers(count).publisher) }
      .failing { driven(Numbers(1, thenFailing: TestError.oops).publisher) }
      .waiving("P-07", because: "only the iterator knows that there is no more, and it is asked with demand"),
    PublisherVerification("Publishers.fetching").finite { count in driven(fetched(count)) }
      .failing { driven(fetched(1, thenFailing: true)) }
      .waiving("P-07", because: "only the closure knows that there is no more, and it is called with demand"),
    PublisherVerification("Publishers.fetching, ahead").finite { count in driven(fetched(count, refillAt: 1)) }
      .failing { driven(fetched(1, thenFailing: true, refillAt: 1)) },
    PublisherVerification("Publishers.fetching, 3 at a time").finite { count in
      driven(fetched(count, refillAt: 0, maxCalls: 3))
    }.failing { driven(fetched(1, thenFailing: true, refillAt: 0, maxCalls: 3)) },
    PublisherVerification("FetchedMessages").finite { count in driven(messages(count)) }
      .failing { driven(messages(1, thenFailing: true)) }
      .waiving("P-07", because: "only the source knows that there is no more, and it is asked with demand"),
    // Without a page, nothing shows that there is none.
    PublisherVerification("Publishers.pages").finite(1...10_000) { count in
      driven(
        Publishers.pages(first: 0) { (page: Int) async throws(TestError) -> ([Int], Int?) in
          await Task.yield()
          return (Array(page..<min(page + 3, count)), page + 3 < count ? page + 3 : nil)
        })
    }.failing {
      driven(
        Publishers.pages(first: 0) { (page: Int) async throws(TestError) -> ([Int], Int?) in
          if page > 0 { throw .oops }
          return ([0], 1)
        })
    },
    PublisherVerification("Future, asynchronous").finite(1...1) { count in
      driven(Future { () async throws(TestError) -> Int in await answer(count) })
    }.failing { driven(Future { () async throws(TestError) -> Int in try await refusal() }) },
    PublisherVerification("Deferred, asynchronous").finite(1...1) { count in
      driven(Deferred { () async throws(TestError) -> Int in await answer(count) })
    }.failing { driven(Deferred { () async throws(TestError) -> Int in try await refusal() }) },
    PublisherVerification("Publishers.using, asynchronous").finite { count in
      driven(
        Publishers.using { () async throws(TestError) -> Int in
          await answer(count)
        } releasing: { _ in
          await Task.yield()
        } publisher: {
          (0..<$0).publisher.setFailureType(to: TestError.self)
        })
    }.failing {
      driven(
        Publishers.using { () async throws(TestError) -> Int in
          try await refusal()
        } releasing: { _ in
        } publisher: {
          Just($0).setFailureType(to: TestError.self)
        })
    },
    PublisherVerification("SendablePublisher.Plain").finite { (0..<$0).publisher.sendable.publisher },
    PublisherVerification("AnySendablePublisher").finite {
      (0..<$0).publisher.sendable.eraseToAnySendablePublisher().publisher
    },
    // It never ends, and a change that nobody has requested is lost.
    PublisherVerification("Publishers.Observed").finite(1...1) { _ in
      let level = Level()
      return Driven(Turns.value { await level.readings() }.value) {
        Turns.run()
        Turns.value { await level.rise() }
      }
    }.traits(.hot, .endless),
  ]

  static let taskOperators: [OperatorVerification] = mappingByTasks + flatteningByTasks + settling

  private static let mappingByTasks: [OperatorVerification] = [
    OperatorVerification("mapAsync") { upstream in driven(upstream.mapAsync { await answer($0) }) }.traits(
      .prefetches(1)),
    OperatorVerification("mapAsync, 3 in order") { upstream in
      driven(upstream.mapAsync(maxTasks: .max(3)) { await answer($0) })
    }.traits(.prefetches(3)),
    OperatorVerification("mapAsync, 3 as they come") { upstream in
      driven(upstream.mapAsync(maxTasks: .max(3), inOrder: false) { await answer($0) })
    }.traits(.prefetches(3)),
    OperatorVerification("mapAsync, unlimited") { upstream in
      driven(upstream.mapAsync(maxTasks: .unlimited) { await answer($0) })
    }.traits(.requestsEverything),
    OperatorVerification("mapAsync, of Never", input: { $0 }, failure: Never?.none) {
      (upstream: VerificationUpstream<Int, Never>) in
      driven(upstream.mapAsync { (value: Int) async throws(TestError) -> Int in await answer(value) })
    }.traits(.prefetches(1)),
    OperatorVerification("tryMapAsync") { upstream in driven(upstream.tryMapAsync { await answer($0) }) }
      .traits(.prefetches(1)),
    OperatorVerification("mapAsync by key, 3 of one") { upstream in
      driven(upstream.mapAsync(maxTasks: .max(3), by: { _ in 0 }) { await answer($0) })
    }.traits(.prefetches(3)),
    OperatorVerification("mapAsync by key, 3 of two") { upstream in
      driven(upstream.mapAsync(maxTasks: .max(3), by: { $0 % 2 }) { await answer($0) })
    }.traits(.prefetches(3)),
    OperatorVerification("mapAsync by key, unlimited") { upstream in
      driven(upstream.mapAsync(maxTasks: .unlimited, by: { $0 % 2 }) { await answer($0) })
    }.traits(.requestsEverything),
    OperatorVerification("mapAsync by key, of Never", input: { $0 }, failure: Never?.none) {
      (upstream: VerificationUpstream<Int, Never>) in
      driven(
        upstream.mapAsync(maxTasks: .max(2), by: { $0 % 2 }) { (value: Int) async throws(TestError) -> Int in
          await answer(value)
        })
    }.traits(.prefetches(2)),
    OperatorVerification("tryMapAsync by key") { upstream in
      driven(upstream.tryMapAsync(maxTasks: .max(2), by: { $0 % 2 }) { await answer($0) })
    }.traits(.prefetches(2)),
  ]

  private static let flatteningByTasks: [OperatorVerification] = [
    OperatorVerification("flatMap, asynchronous") { upstream in
      driven(
        upstream.flatMap(maxPublishers: .max(1)) { (value: Int) async throws(VerificationError) in
          await inner(value, VerificationError.self)
        })
    }.traits(.prefetches(1)),
    OperatorVerification("flatMap, asynchronous, unlimited") { upstream in
      driven(
        upstream.flatMap { (value: Int) async throws(VerificationError) in
          await inner(value, VerificationError.self)
        })
    }.traits(.requestsEverything),
    OperatorVerification("flatMap, asynchronous, of Never", input: { $0 }, failure: Never?.none) {
      (upstream: VerificationUpstream<Int, Never>) in
      driven(
        upstream.flatMap(maxPublishers: .max(1)) { (value: Int) async throws(TestError) in
          await inner(value, TestError.self)
        })
    }.traits(.prefetches(1)),
    OperatorVerification("flatMap, asynchronous, that throws nothing", input: { $0 }, failure: Never?.none) {
      (upstream: VerificationUpstream<Int, Never>) in
      driven(upstream.flatMap(maxPublishers: .max(1)) { (value: Int) async in await inner(value, TestError.self) })
    }.traits(.prefetches(1)),
    OperatorVerification("flatMap, asynchronous, of Never to Never", input: { $0 }, failure: Never?.none) {
      (upstream: VerificationUpstream<Int, Never>) in
      driven(upstream.flatMap(maxPublishers: .max(1)) { (value: Int) async in await inner(value, Never.self) })
    }.traits(.prefetches(1)),
  ]

  private static let settling: [OperatorVerification] = [
    OperatorVerification("acknowledged", input: { Parcel(payload: $0) }, failure: TestError.oops) { upstream in
      driven(upstream.acknowledged { await answer($0.payload) })
    }.traits(.prefetches(1)),
    OperatorVerification("acknowledged, 3 in order", input: { Parcel(payload: $0) }, failure: TestError.oops) {
      upstream in
      driven(upstream.acknowledged(maxTasks: .max(3), inOrder: true) { await answer($0.payload) })
    }.traits(.prefetches(3)),
    OperatorVerification("acknowledged, by publishers", input: { Parcel(payload: $0) }, failure: TestError.oops) {
      upstream in
      driven(upstream.acknowledged(maxPublishers: .max(1)) { Just($0.payload) })
    }.traits(.prefetches(1)),
    OperatorVerification("acknowledged, in batches", input: { [Parcel(payload: $0)] }, failure: TestError.oops) {
      upstream in
      driven(upstream.acknowledged { await answer($0[0].payload) })
    }.traits(.prefetches(1)),
    OperatorVerification("deadLetter", input: { Parcel(payload: $0) }, failure: TestError.oops) { upstream in
      driven(upstream.deadLetter(after: 1) { _ in }.map(\.payload))
    },
    OperatorVerification("extendingDeadlines", input: { Parcel(payload: $0) }, failure: TestError.oops) { upstream in
      driven(upstream.extendingDeadlines().map(\.payload))
    },
  ]

  static let taskSchedulers: [any Verification] = [
    SchedulerVerification("LoopScheduler, in virtual time") {
      Looped()
    } advance: {
      $0.advance(by: $1)
    },
    SchedulerVerification("TrampolineScheduler, in virtual time") {
      Trampolined()
    } advance: {
      $0.time.advance(by: .nanoseconds(Int($1.duration / .nanoseconds(1))))
    },
    SchedulerVerification("TaskScheduler, in virtual time") {
      Timed(time: VirtualTimeScheduler())
    } advance: {
      $0.time.advance(by: .nanoseconds(Int($1.duration / .nanoseconds(1))))
    },
  ]
}

// MARK: What the lines use

private func answer(_ number: Int) async -> Int {
  await Task.yield()
  return number
}

private func refusal() async throws(TestError) -> Int {
  await Task.yield()
  throw .oops
}

private func inner<Failure: Error>(_ number: Int, _ failure: Failure.Type) async -> Result<Int, Failure>.Publisher {
  await Task.yield()
  return Result<Int, Failure>.Publisher(number)
}

/// A delivery whose settlement nobody observes.
private struct Parcel: Delivery {
  let payload: Int
  let subject = ""
  let headers: [String: String] = [:]
  let attempt = 1
  let age = Duration.zero
  let deadline: Duration? = nil

  func ack() async throws(DeliveryError) {}
  func nak(after delay: Duration?) async throws(DeliveryError) {}
  func extend() async throws(DeliveryError) {}
  func terminate() async throws(DeliveryError) {}
}

/// Numbers that are fetched in batches.
func fetched(
  _ count: Int, thenFailing fails: Bool = false, refillAt mark: Int? = nil, maxCalls: Int = 1
) -> some Publisher<Int, TestError> {
  Deferred {
    let next = Locked(0)
    return Publishers.fetching(batch: 1...3, refillAt: mark, maxCalls: maxCalls) {
      batch async throws(TestError) -> [Int]? in
      await Task.yield()
      let numbers = next.change { next in
        defer { next = min(next + batch, count) }
        return Array(next..<min(next + batch, count))
      }
      if !numbers.isEmpty { return numbers }
      if fails { throw .oops }
      return nil
    }
  }
}

/// Numbers from a source of messages.
private func messages(_ count: Int, thenFailing fails: Bool = false) -> FetchedMessages<Int, TestError> {
  FetchedMessages(batch: 1...3, refillAt: nil) { _ in Shelf(count: count, fails: fails) }
}

private final class Shelf: MessageSource {
  private let count: Int
  private let fails: Bool
  private let next = Locked(0)

  init(count: Int, fails: Bool) { (self.count, self.fails) = (count, fails) }

  func fetch(_ most: Int) async throws(TestError) -> [Int]? {
    await Task.yield()
    let numbers = next.change { next in
      defer { next = min(next + most, count) }
      return Array(next..<min(next + most, count))
    }
    if numbers.isEmpty, fails { throw .oops }
    return numbers.isEmpty ? nil : numbers
  }

  func drop(_ message: Int) {}
}

/// An asynchronous sequence of numbers.
struct Numbers<Failure: Error>: AsyncSequence, Sendable {
  let count: Int
  let failure: Failure?

  init(_ count: Int, thenFailing failure: Failure) { (self.count, self.failure) = (count, failure) }

  func makeAsyncIterator() -> Iterator { Iterator(count: count, failure: failure) }

  struct Iterator: AsyncIteratorProtocol {
    let count: Int
    let failure: Failure?
    var next = 0

    mutating func next() async throws(Failure) -> Int? { try await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Int? {
      await Task.yield()
      if next < count {
        defer { next += 1 }
        return next
      }
      if let failure { throw failure }
      return nil
    }
  }
}

extension Numbers where Failure == Never {
  init(_ count: Int) { (self.count, failure) = (count, nil) }
}

/// An actor with an observed value, and a way to change it.
private actor Level {
  @Observable final class Model { var value = 0 }

  private let model = Model()

  func readings() -> UncheckedBox<Publishers.Observed<Int>> {
    UncheckedBox(Publishers.Observed(isolation: self) { [model] in model.value })
  }

  func rise() { model.value += 1 }
}

/// A scheduler on a loop that runs whenever the time is moved, and that itself waits for dates.
private struct Looped: Scheduler {
  private let time = VirtualTimeScheduler()
  private let blocks = Locked<[@Sendable () -> Void]>([])
  private let base: LoopScheduler<VirtualClock>

  init() {
    base = LoopScheduler(
      clock: time.clock,
      later: { [time, blocks] delay, block in
        let date = time.now.advanced(by: .nanoseconds(Int(delay / .nanoseconds(1))))
        time.schedule(after: date) { blocks.change { $0.append(block) } }
      },
      post: { [blocks] block in blocks.change { $0.append(block) } })
  }

  func advance(by stride: ClockStride) {
    run()
    let end = time.now.advanced(by: .nanoseconds(Int(stride.duration / .nanoseconds(1))))
    while let next = time.pending.min(), next <= end {
      time.advance(to: next)
      run()
    }
    time.advance(to: end)
    run()
  }

  private func run() {
    while let block = blocks.change({ $0.isEmpty ? nil : $0.removeFirst() }) { block() }
  }

  var now: ClockTime<VirtualClock> { base.now }
  var minimumTolerance: ClockStride { base.minimumTolerance }

  func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(options: options, action) }

  func schedule(
    after date: ClockTime<VirtualClock>, tolerance: ClockStride, options: Never?, _ action: @escaping () -> Void
  ) { base.schedule(after: date, tolerance: tolerance, options: options, action) }

  func schedule(
    after date: ClockTime<VirtualClock>, interval: ClockStride, tolerance: ClockStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    base.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}

/// A trampoline in virtual time.
private struct Trampolined: Scheduler {
  let time = VirtualTimeScheduler()
  private let base: TrampolineScheduler<VirtualClock>

  init() { base = TrampolineScheduler(clock: time.clock) }

  var now: ClockTime<VirtualClock> { base.now }
  var minimumTolerance: ClockStride { base.minimumTolerance }

  func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(options: options, action) }

  func schedule(
    after date: ClockTime<VirtualClock>, tolerance: ClockStride, options: Never?, _ action: @escaping () -> Void
  ) { base.schedule(after: date, tolerance: tolerance, options: options, action) }

  func schedule(
    after date: ClockTime<VirtualClock>, interval: ClockStride, tolerance: ClockStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    base.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}

/// A scheduler of tasks in virtual time.
private struct Timed: Scheduler {
  let time: VirtualTimeScheduler<VirtualTime, Never>
  let base: TaskScheduler<VirtualClock>

  init(time: VirtualTimeScheduler<VirtualTime, Never>) {
    self.time = time
    base = TaskScheduler(on: time.executor, clock: time.clock)
  }

  var now: ClockTime<VirtualClock> { base.now }
  var minimumTolerance: ClockStride { base.minimumTolerance }

  func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(options: options, action) }

  func schedule(
    after date: ClockTime<VirtualClock>, tolerance: ClockStride, options: Never?, _ action: @escaping () -> Void
  ) { base.schedule(after: date, tolerance: tolerance, options: options, action) }

  func schedule(
    after date: ClockTime<VirtualClock>, interval: ClockStride, tolerance: ClockStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    base.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}

@Suite struct TaskRosterTests {
  private static let all: [any Verification] = {
    Turns.prepare()
    return Roster.taskPublishers + Roster.taskOperators + Roster.taskSchedulers as [any Verification]
  }()

  @Test(.hasOwnProcesses, .enabled(if: Turns.isPossible), arguments: all)
  func `Everything that runs tasks keeps the rules`(_ verification: any Verification) async {
    await judge(verification)
  }
}
