// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

/// An operator with an argument at the edge of its range, or beyond.
struct Argument: CustomTestStringConvertible, Sendable {
  let name: String
  /// The trap's message; `nil` if the argument is accepted.
  let message: String?
  /// Uses the operator.
  ///
  /// - Returns: The values that it should deliver out of 1, 2 and 3; it takes no longer than they do.
  let run: @Sendable () async -> [Int]

  var testDescription: String { name }

  static func takes(_ name: String, _ run: @escaping @Sendable () async -> [Int]) -> Argument {
    Argument(name: name, message: nil, run: run)
  }

  static func traps(_ name: String, _ message: String, _ run: @escaping @Sendable () async -> Void) -> Argument {
    Argument(name: name, message: message) {
      await run()
      return []
    }
  }

  static let all: [Argument] = limits + flattening + counts + fetching + deliveries
  static let taken = all.filter { $0.message == nil }
  static let refused = all.filter { $0.message != nil }
}

/// Returns what a publisher delivers, sorted.
private func delivered<P: Publisher>(_ publisher: P) async -> [Int] where P.Output == Int {
  let probe = Probe<Int, P.Failure>()
  publisher.subscribe(probe.recorder)
  _ = await probe.completion()
  return probe.recorder.values.sorted()
}

private let numbers = (1...3).publisher
private let fallible = numbers.setFailureType(to: TestError.self)
private let most: [(name: String, demand: Subscribers.Demand)] = [
  ("1", .max(1)), ("Int.max", .max(.max)), ("unlimited", .unlimited),
]

private actor Listener {}

// MARK: How many run at a time

extension Argument {
  private static let limits: [Argument] =
    most.flatMap { name, demand in
      [
        takes("mapAsync(maxTasks: \(name))") { await delivered(numbers.mapAsync(maxTasks: demand) { $0 }) },
        takes("mapAsync(maxTasks: \(name), inOrder: false)") {
          await delivered(numbers.mapAsync(maxTasks: demand, inOrder: false) { $0 })
        },
        takes("mapAsync(maxTasks: \(name), by:)") {
          await delivered(numbers.mapAsync(maxTasks: demand, by: { $0 % 2 }, { $0 }))
        },
      ]
    } + [
      traps("mapAsync(maxTasks: .none)", "mapAsync(maxTasks:) takes a demand of 1 or more, but was given none") {
        _ = numbers.mapAsync(maxTasks: .none) { $0 }
      },
      traps("mapAsync(maxTasks: .none), throwing", "mapAsync(maxTasks:) takes a demand of 1 or more") {
        _ = numbers.mapAsync(maxTasks: .none, inOrder: false) { (_: Int) async throws(TestError) -> Int in throw .oops }
      },
      traps("tryMapAsync(maxTasks: .none)", "tryMapAsync(maxTasks:) takes a demand of 1 or more") {
        _ = fallible.tryMapAsync(maxTasks: .none) { $0 }
      },
      traps("mapAsync(maxTasks: .none, by:)", "mapAsync(maxTasks:by:) takes a demand of 1 or more") {
        _ = numbers.mapAsync(maxTasks: .none, by: { $0 }, { $0 })
      },
      traps("mapAsync(maxTasks: .none, by:), throwing", "mapAsync(maxTasks:by:) takes a demand of 1 or more") {
        _ = numbers.mapAsync(maxTasks: .none, by: { $0 }, { (_: Int) async throws(TestError) -> Int in throw .oops })
      },
      traps("tryMapAsync(maxTasks: .none, by:)", "tryMapAsync(maxTasks:by:) takes a demand of 1 or more") {
        _ = fallible.tryMapAsync(maxTasks: .none, by: { $0 }, { $0 })
      },
    ]

  private static let flattening: [Argument] =
    most.map { name, demand in
      takes("flatMap(maxPublishers: \(name))") {
        await delivered(numbers.flatMap(maxPublishers: demand) { number async in Just(number) })
      }
    } + [
      traps("flatMap(maxPublishers: .none)", "flatMap(maxPublishers:) takes a demand of 1 or more, but was given none")
      {
        _ = fallible.flatMap(maxPublishers: .none) { (number) async throws(TestError) in
          Just(number).setFailureType(to: TestError.self)
        }
      },
      traps("flatMap(maxPublishers: .none), of failures", "flatMap(maxPublishers:) takes a demand of 1 or more") {
        _ = numbers.flatMap(maxPublishers: .none) { (_: Int) async throws(TestError) in
          Fail<Int, TestError>(error: .oops)
        }
      },
      traps("flatMap(maxPublishers: .none), not throwing", "flatMap(maxPublishers:) takes a demand of 1 or more") {
        _ = numbers.flatMap(maxPublishers: .none) { (_: Int) async in Fail<Int, TestError>(error: .oops) }
      },
      traps("flatMap(maxPublishers: .none), infallible", "flatMap(maxPublishers:) takes a demand of 1 or more") {
        _ = numbers.flatMap(maxPublishers: .none) { number async in Just(number) }
      },
    ]
}

// MARK: Counts

extension Argument {
  private static func forEach(_ count: Int) async -> [Int] {
    let seen = Locked<[Int]>([])
    await numbers.forEach(maxConcurrent: count) { number in seen.change { $0.append(number) } }
    return seen.value.sorted()
  }

  private static func sink(_ count: Int) async -> [Int] {
    let seen = Locked<[Int]>([])
    let cancellable = numbers.sink(maxConcurrent: count) { number in seen.change { $0.append(number) } }
    _ = await reached { seen.value.count == 3 }
    cancellable.cancel()
    return seen.value.sorted()
  }

  private static func isolatedSink(_ limit: Int?) async -> [Int] {
    let seen = Locked<[Int]>([])
    let main = numbers.sink(on: .shared, limit: limit) { number in seen.change { $0.append(number) } }
    _ = await reached { seen.value.count == 3 }
    let other = numbers.sink(on: Listener(), limit: limit) { _, number in seen.change { $0.append(number - 3) } }
    _ = await reached { seen.value.count == 6 }
    for cancellable in [main, other] { cancellable.cancel() }
    return seen.value == [1, 2, 3, -2, -1, 0] ? [1, 2, 3] : seen.value
  }

  private static func values(_ policy: AsyncBufferingPolicy) async -> [Int] {
    var seen: [Int] = []
    for await number in numbers.values(buffering: policy) { seen.append(number) }
    return seen
  }

  private static let counts: [Argument] =
    [1, .max].flatMap { count in
      [
        takes("forEach(maxConcurrent: \(count))") { await forEach(count) },
        takes("sink(maxConcurrent: \(count))") { await sink(count) },
        takes("sink(on:limit: \(count))") { await isolatedSink(count) },
        takes("values(buffering: .suspending(\(count)))") { await values(.suspending(count)) },
      ]
    } + [
      takes("values(buffering: .oldest(.max))") { await values(.oldest(.max)) },
      takes("values(buffering: .newest(.max))") { await values(.newest(.max)) },
      // No value that arrives before the loop is kept.
      takes("values(buffering: .oldest(0))") { await values(.oldest(0)) + [1, 2, 3] },
      takes("values(buffering: .newest(0))") { await values(.newest(0)) + [1, 2, 3] },
      traps("values(buffering: .oldest(-1))", "values(buffering:) takes a count of 0 or more") {
        _ = numbers.values(buffering: .oldest(-1))
      },
      traps("values(buffering: .newest(.min))", "values(buffering:) takes a count of 0 or more") {
        _ = numbers.values(buffering: .newest(.min))
      },
      traps("values(buffering: .suspending(0))", "values(buffering: .suspending) takes a count of 1 or more") {
        _ = numbers.values(buffering: .suspending(0))
      },
      traps("forEach(maxConcurrent: 0)", "forEach(maxConcurrent:) takes a number of 1 or more, but was given 0") {
        await numbers.forEach(maxConcurrent: 0) { _ in }
      },
      traps("forEach(maxConcurrent: .min)", "forEach(maxConcurrent:) takes a number of 1 or more, but was given -9") {
        try? await fallible.forEach(maxConcurrent: .min) { _ in }
      },
      traps("sink(maxConcurrent: -1)", "sink(maxConcurrent:) takes a number of 1 or more, but was given -1") {
        _ = numbers.sink(maxConcurrent: -1) { _ in }
      },
      traps("sink(on:limit: 0)", "sink(on:limit:) takes a count of 1 or more") {
        _ = numbers.sink(on: .shared, limit: 0) { _ in }
      },
    ]
}

// MARK: What is fetched

extension Argument {
  private static func fetch(_ batch: ClosedRange<Int>, _ lowMark: Int?, _ maxCalls: Int = 1) async -> [Int] {
    let rest = Locked([1, 2, 3])
    return await delivered(
      Publishers.fetching(batch: batch, refillAt: lowMark, maxCalls: maxCalls) { count -> [Int]? in
        rest.change { rest in
          if rest.isEmpty { return nil }
          defer { rest.removeFirst(min(count, rest.count)) }
          return Array(rest.prefix(count))
        }
      })
  }

  private static func refuses(
    _ argument: String, _ message: String, _ batch: ClosedRange<Int>, _ lowMark: Int? = nil, _ maxCalls: Int = 1
  ) -> Argument {
    traps("fetching(\(argument))", "fetching(\(message)") {
      _ = Publishers.fetching(batch: batch, refillAt: lowMark, maxCalls: maxCalls) { _ -> [Int]? in nil }
    }
  }

  private static let fetching: [Argument] = [
    takes("fetching(batch: 1...1)") { await fetch(1...1, nil) },
    takes("fetching(batch: 1...1, refillAt: 0)") { await fetch(1...1, 0) },
    takes("fetching(batch: 1...Int.max)") { await fetch(1...Int.max, nil) },
    takes("fetching(batch: Int.max...Int.max)") { await fetch(Int.max...Int.max, nil) },
    takes("fetching(batch: 1...Int.max, refillAt: Int.max - 1)") { await fetch(1...Int.max, .max - 1) },
    takes("fetching(batch: 1...Int.max, maxCalls: 3)") { await fetch(1...Int.max, nil, 3) },
    takes("fetching(batch: 1...Int.max, refillAt: 0, maxCalls: 2)") { await fetch(1...Int.max, 0, 2) },
    refuses("batch: 0...3", "batch:) takes batches of at least one value, but was given 0...3", 0...3),
    refuses("batch: -1...3", "batch:) takes batches of at least one value", -1...3),
    refuses(
      "refillAt: 3", "refillAt:) takes a mark from 0 to less than a batch, which is 3, but was given 3", 1...3, 3),
    refuses("refillAt: -1", "refillAt:) takes a mark from 0", 1...3, -1),
    refuses("maxCalls: 0", "maxCalls:) takes at least one call, but was given 0", 1...3, nil, 0),
    refuses("maxCalls: .min", "maxCalls:) takes at least one call", 1...3, nil, .min),
  ]
}

// MARK: Deliveries

extension Argument {
  private static func queue() async -> DeliveryQueue<Int> {
    // All tests run beside this one: what is delivered may wait for a thread for longer than the usual deadline.
    let queue = DeliveryQueue<Int>(capacity: .max, deadline: .seconds(3_600))
    for number in 1...3 { try? await queue.publish(number) }
    queue.finish()
    return queue
  }

  private static let deliveries: [Argument] =
    most.flatMap { name, demand in
      [
        takes("acknowledged(maxTasks: \(name))") {
          await delivered(await queue().deliveries().acknowledged(maxTasks: demand) { $0.payload })
        },
        takes("acknowledged(maxPublishers: \(name))") {
          await delivered(await queue().deliveries().acknowledged(maxPublishers: demand) { Just($0.payload) })
        },
      ]
    } + [
      takes("acknowledged(extendingEvery: .nanoseconds(1))") {
        await delivered(await queue().deliveries().acknowledged(extendingEvery: .nanoseconds(1)) { $0.payload })
      },
      takes("deadLetter(after: .max)") {
        await delivered(await queue().deliveries().deadLetter(after: .max) { _ in }.acknowledged { $0.payload })
      },
      traps("acknowledged(maxTasks: .none)", "acknowledged(maxTasks:) takes a demand of 1 or more") {
        _ = await queue().deliveries().acknowledged(maxTasks: .none) { $0.payload }
      },
      traps("acknowledged(maxTasks: .none), batches", "acknowledged(maxTasks:) takes a demand of 1 or more") {
        _ = await queue().deliveries().collect(2).acknowledged(maxTasks: .none) { $0.count }
      },
      traps("acknowledged(maxPublishers: .none)", "acknowledged(maxPublishers:) takes a demand of 1 or more") {
        _ = await queue().deliveries().acknowledged(maxPublishers: .none) { Just($0.payload) }
      },
      traps("acknowledged(extendingEvery: .zero)", "acknowledged(extendingEvery:) takes an interval above zero") {
        _ = await queue().deliveries().acknowledged(extendingEvery: .zero) { $0.payload }
      },
      traps("acknowledged(extendingEvery: .seconds(-1))", "acknowledged(extendingEvery:) takes an interval above zero")
      {
        _ = await queue().deliveries().acknowledged(maxPublishers: .max(1), extendingEvery: .seconds(-1)) {
          Just($0.payload)
        }
      },
      traps(
        "deadLetter(after: 3), of a broker that delivers once",
        "deadLetter(after:) takes deliveries that their broker repeats, so a limit of at least two there"
      ) {
        let letter = Letter(Post(), 1, maxAttempts: 1)
        _ = await delivered(Just(letter).deadLetter(after: 3) { _ in }.map(\.payload))
      },
      traps(
        "extendingDeadlines(every: .zero)", "extendingDeadlines(every:) takes an interval above zero"
      ) {
        _ = await queue().deliveries().extendingDeadlines(every: .zero)
      },
      traps("backoff(initial: .seconds(-1))", "backoff(initial:) takes a time of 0 or more") {
        _ = DeliveryDisposition.backoff(attempt: 1, initial: .seconds(-1))
      },
      traps("backoff(ceiling: .seconds(-1))", "backoff(ceiling:) takes a time of 0 or more") {
        _ = DeliveryDisposition.backoff(attempt: 1, ceiling: .seconds(-1))
      },
      traps("deadLetter(after: 0)", "deadLetter(after:) takes a count of at least one, but was given 0") {
        _ = await queue().deliveries().deadLetter(after: 0) { _ in }
      },
      traps("DeliveryQueue(capacity: 0)", "DeliveryQueue(capacity:) takes a capacity of at least one") {
        _ = DeliveryQueue<Int>(capacity: 0)
      },
      traps("DeliveryQueue(deadline: .zero)", "DeliveryQueue(deadline:) takes a deadline above zero") {
        _ = DeliveryQueue<Int>(capacity: 1, deadline: .zero)
      },
    ]
}

@Suite struct ArgumentTests {
  @Test(arguments: Argument.taken)
  func `An argument at the edge of its range is taken, and nothing is lost`(_ argument: Argument) async {
    let values = await argument.run()
    #expect(values == [1, 2, 3])
  }

  @Test(arguments: Argument.refused)
  func `An argument that makes no sense traps with the rule and the fix`(_ argument: Argument) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = argument.name as String] in
      _ = await Argument.all.first { $0.name == name }?.run()
    }
    expectMessage(result, argument.message ?? "")
    expectMessage(result, "before you pass it.")
  }
}
