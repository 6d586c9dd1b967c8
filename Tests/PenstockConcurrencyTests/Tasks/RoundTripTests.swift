// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

/// Values through each bridge and back: none is lost, and none changes its place.
@Suite struct RoundTripTests {
  /// A million, and fewer in a build without optimisation, where a million would take minutes.
  static let count = _isDebugAssertConfiguration() ? 20_000.sampled(oneIn: 4) : 1_000_000

  /// The sum of the places at which a value is not greater than the one before it.
  private struct Order {
    var count = 0
    var last = 0
    var isKept = true

    mutating func take(_ value: Int) {
      isKept = isKept && value > last
      last = value
      count += 1
    }
  }

  @Test func `Values`() async {
    var order = Order()
    for await value in AsyncNumbers(Self.count).publisher.values { order.take(value) }
    #expect(order.count == Self.count && order.isKept)
  }

  @Test(arguments: [AsyncBufferingPolicy.unbounded, .suspending(1), .suspending(2), .suspending(64)])
  func `Policies that lose nothing`(_ policy: AsyncBufferingPolicy) async {
    var order = Order()
    for await value in AsyncNumbers(Self.count).publisher.values(buffering: policy) { order.take(value) }
    #expect(order.count == Self.count && order.isKept)
  }

  @Test(arguments: [AsyncBufferingPolicy.unbounded, .oldest(10), .newest(10), .latest])
  func `What a policy drops is counted`(_ policy: AsyncBufferingPolicy) async {
    let subject = PassthroughSubject<Int, Never>()
    let drops = Locked(0)
    var iterator = subject.values(buffering: policy) { _ in drops.change { $0 += 1 } }.makeAsyncIterator()
    let sender = Task.detached {
      for value in 1...Self.count { subject.send(value) }
      subject.send(completion: .finished)
    }
    var order = Order()
    while let value = await iterator.next() { order.take(value) }
    await sender.value
    #expect(order.count + drops.value == Self.count)
    #expect(order.isKept)
    #expect(policy != .unbounded || order.count == Self.count)
    // The last value is never dropped in favour of another.
    if case .newest = policy { #expect(order.last == Self.count) }
  }

  @Test(arguments: [1, 4, 64], [true, false])
  func `mapAsync`(_ width: Int, _ inOrder: Bool) async {
    var order = Order()
    var sum = 0
    let mapped = (1...Self.count).publisher.mapAsync(maxTasks: .max(width), inOrder: inOrder) { $0 }
    for await value in mapped.values(buffering: .suspending(16)) {
      order.take(value)
      sum += value
    }
    #expect(order.count == Self.count)
    #expect(sum == Self.count * (Self.count + 1) / 2)
    #expect(order.isKept || (!inOrder && width > 1))
  }

  @Test func `flatMap with an asynchronous closure, and deferred tasks`() async {
    var order = Order()
    let pairs = (1...Self.count / 4).publisher
      .flatMap(maxPublishers: .max(1)) { number async in
        let first = number * 4 - 3
        return Deferred { () async in first }.append([first + 1, first + 2, first + 3])
      }
    for await value in pairs.values { order.take(value) }
    #expect(order.count == Self.count && order.isKept)
  }
}

/// Numbers that come at once.
private struct AsyncNumbers: AsyncSequence, Sendable {
  let end: Int

  init(_ end: Int) { self.end = end }

  func makeAsyncIterator() -> Iterator { Iterator(end: end) }

  struct Iterator: AsyncIteratorProtocol {
    let end: Int
    var last = 0

    mutating func next() async -> Int? { await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      if last == end { return nil }
      last += 1
      return last
    }
  }
}
