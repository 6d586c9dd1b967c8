// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

/// A service as a client writes it: its pipeline is a constant of an actor, and others may use it.
private actor Ticker {
  let prices = PassthroughSubject<Int, Never>()
  nonisolated let doubled: AnySendablePublisher<Int, Never>
  nonisolated let shared:
    SendablePublisher<Publishers.Share<Publishers.Map<Publishers.Sequence<Range<Int>, Never>, Int>>>

  init() {
    doubled = prices.sendable.map { $0 * 2 }.filter { $0 > 0 }.eraseToAnySendablePublisher()
    shared = (0..<100).publisher.sendable.map { $0 + 1 }.share()
  }

  func tick(_ price: Int) { prices.send(price) }
}

/// A class that is Sendable without an exemption.
private final class Archive: Sendable {
  let numbers = (1...1_000).publisher.sendable.map { $0 * 3 }.filter { $0.isMultiple(of: 2) }
}

/// A pipeline is Sendable: it is stored, handed on and used by several tasks.
@Suite struct SharedPipelineTests {
  private func requireSendable<T: Sendable>(_ value: T) {}

  @Test func `A pipeline, its values and what is left with are Sendable`() {
    let numbers = PassthroughSubject<Int, TestError>().sendable.map { $0 + 1 }.scan(0, +)
    requireSendable(numbers)
    requireSendable(numbers.eraseToAnySendablePublisher())
    requireSendable(numbers.publisher)
    requireSendable(numbers.values)
    requireSendable(numbers.replaceError(with: 0).values)
    requireSendable(numbers.pairwise().materialize())
  }

  @Test func `Tasks share the pipeline of a Sendable class, and each gets every value`() async {
    let archive = Archive()
    let sums = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var sum = 0
          for await number in archive.numbers.values { sum += number }
          return sum
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums == Array(repeating: (1...1_000).map { $0 * 3 }.filter { $0.isMultiple(of: 2) }.reduce(0, +), count: 8))
  }

  @Test func `Threads subscribe to the pipeline of an actor while others send, and none gets a value twice`() async {
    let ticker = Ticker()
    let received = (0..<4).map { _ in Locked<[Int]>([]) }
    let subscribed = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<4 {
        group.addTask {
          let cancellable = ticker.doubled.sink { value in received[index].change { $0.append(value) } }
          subscribed.change { $0 += 1 }
          for price in 1...200 { await ticker.tick(index * 1_000 + price) }
          cancellable.cancel()
        }
      }
    }
    for index in 0..<4 {
      let own = received[index].value.filter { ($0 / 2) / 1_000 == index }
      #expect(own.sorted() == (1...200).map { (index * 1_000 + $0) * 2 })
      #expect(Set(received[index].value).count == received[index].value.count)
    }
    #expect(subscribed.value == 4)
  }

  @Test func `A subscription may be made by one task and cancelled by another`() async {
    let upstream = CountedPublisher<Int, Never>()
    let pipeline = SendablePublisher(unchecked: upstream).map { $0 + 1 }
    let cancellable = await Task { pipeline.sink { _ in } }.value
    #expect(upstream.subscribed.value == 1)
    await Task { cancellable.cancel() }.value
    #expect(upstream.cancelled.value == 1)
  }

  @Test func `Cancelling a task ends the loop over the values, and upstream is cancelled`() async {
    let upstream = CountedPublisher<Int, Never>()
    let values = SendablePublisher(unchecked: upstream).map { $0 + 1 }.values
    let started = Locked(false)
    let task = Task {
      started.change { $0 = true }
      for await _ in values {}
    }
    task.cancel()
    await task.value
    #expect(started.value)
    #expect(upstream.subscribed.value == upstream.cancelled.value)
  }

  @Test func `A shared publisher and a connectable one are checked as well`() async {
    let ticker = Ticker()
    let total = Locked(0)
    let cancellable = ticker.shared.sink { value in total.change { $0 += value } }
    #expect(total.value == 5_050)
    let source = PassthroughSubject<Int, Never>()
    let connectable = source.sendable.map { $0 + 1 }.makeConnectable()
    let seen = Locked<[Int]>([])
    let observer = connectable.sink { value in seen.change { $0.append(value) } }
    source.send(1)
    let connection = connectable.connect()
    source.send(2)
    connection.cancel()
    source.send(3)
    #expect(seen.value == [3])
    withExtendedLifetime((cancellable, observer)) {}
  }

  @Test func `A deferred pipeline is made for each subscriber`() {
    let made = Locked(0)
    let deferred = SendablePublisher(deferred: {
      Just(
        made.change {
          $0 += 1; return $0
        }
      ).sendable
    })
    #expect(made.value == 0)
    let seen = Locked<[Int]>([])
    for _ in 0..<2 { _ = deferred.sink { value in seen.change { $0.append(value) } } }
    #expect(seen.value == [1, 2])
  }

  @Test func `A value that fails reaches the throwing loop`() async {
    let values = Fail<Int, TestError>(error: .oops).sendable.prepend(1, 2).values
    var seen: [Int] = []
    await #expect(throws: TestError.oops) {
      for try await value in values { seen.append(value) }
    }
    #expect(seen == [1, 2])
  }

  @Test func `An inner pipeline may change with every value`() {
    let inner = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let outer = PassthroughSubject<Int, Never>()
    let seen = Locked<[Int]>([])
    let cancellable = outer.sendable.map { inner[$0].sendable }.switchToLatest()
      .sink { value in seen.change { $0.append(value) } }
    outer.send(0)
    inner[0].send(1)
    outer.send(1)
    inner[0].send(2)
    inner[1].send(3)
    cancellable.cancel()
    inner[1].send(4)
    #expect(seen.value == [1, 3])
  }

  @Test func `Properties of Sendable objects and published properties are assigned`() {
    let gauge = Gauge()
    let numbers = PassthroughSubject<Int, Never>()
    let cancellable = numbers.sendable.assign(to: \.level, on: gauge)
    numbers.sendable.map { $0 * 10 }.assign(to: &gauge.$published)
    numbers.send(4)
    #expect(gauge.level == 4)
    #expect(gauge.published == 40)
    cancellable.cancel()
  }
}

/// `@unchecked`: the property is behind a lock.
private final class Gauge: @unchecked Sendable {
  @Published var published = 0
  private let stored = Locked(0)

  var level: Int {
    get { stored.value }
    set { stored.change { $0 = newValue } }
  }
}
