// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Collects all elements, up to the end or the error.
private func drain<S: AsyncSequence>(_ sequence: S) async -> ([S.Element], (any Error)?) {
  var elements: [S.Element] = []
  do {
    for try await element in sequence { elements.append(element) }
  } catch {
    return (elements, error)
  }
  return (elements, nil)
}

/// The elements that the tests' loops on the main actor have received.
@MainActor private final class Screen {
  var shown: [Int] = []

  func show(_ publisher: some Publisher<Int, Never>) async {
    for await value in publisher.values { shown.append(value) }
  }

  func showFirst(_ publisher: some Publisher<Int, TestError>) async throws {
    var iterator = publisher.values.makeAsyncIterator()
    if let value = try await iterator.next() { shown.append(value) }
  }
}

@Suite struct AsyncPublisherTests {
  @Test func `A loop gets every value, and ends with the stream`() async {
    let (values, error) = await drain([1, 2, 3].publisher.values)
    #expect(values == [1, 2, 3])
    #expect(error == nil)
  }

  @Test func `A loop that may throw gets every value, and then the failure`() async {
    let failing = [1, 2, 3].publisher.tryMap { (value: Int) throws -> Int in
      if value == 3 { throw TestError.oops }
      return value
    }
    let (values, error) = await drain(failing.values)
    #expect(values == [1, 2])
    #expect(error as? TestError == .oops)
  }

  @Test func `An iterator subscribes when it is made, and asks for nothing by itself`() {
    let upstream = ManualPublisher<Int, Never>()
    let sequence = upstream.values
    #expect(upstream.subscribers.isEmpty)
    let first = sequence.makeAsyncIterator()
    let second = sequence.makeAsyncIterator()
    #expect(upstream.subscribers.count == 2)
    #expect(upstream.calls.isEmpty)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `Each call asks for one value`() async {
    let upstream = ManualPublisher<Int, Never>()
    var iterator = upstream.values.makeAsyncIterator()
    for value in 1...3 {
      upstream.subscription?.onRequest = { _ in #expect(upstream.send(value) == .none) }
      #expect(await iterator.next() == value)
    }
    #expect(upstream.calls == Array(repeating: .requested(.max(1)), count: 3))
  }

  @Test func `A passthrough subject loses what it sends between two calls, a current value subject all but the latest`()
    async
  {
    let (passthrough, current) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0))
    var (first, second) = (passthrough.values.makeAsyncIterator(), current.values.makeAsyncIterator())
    for value in 1...3 {
      passthrough.send(value)
      current.send(value)
    }
    passthrough.send(completion: .finished)
    #expect(await first.next() == nil)
    #expect(await second.next() == 3)
    current.send(completion: .finished)
    #expect(await second.next() == nil)
  }

  @Test func `After the end every call gives nil`() async {
    let upstream = ManualPublisher<Int, Never>()
    var iterator = upstream.values.makeAsyncIterator()
    upstream.send(completion: .finished)
    for _ in 0..<3 { #expect(await iterator.next() == nil) }
    #expect(upstream.calls.isEmpty)
  }

  @Test func `A failure between two calls is thrown by the next call, once`() async throws {
    let upstream = ManualPublisher<Int, TestError>()
    var iterator = upstream.values.makeAsyncIterator()
    upstream.send(completion: .failure(.oops))
    await #expect(throws: TestError.oops) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func `A failure that a call waits for is thrown by it, once`() async throws {
    let upstream = ManualPublisher<Int, TestError>()
    var iterator = upstream.values.makeAsyncIterator()
    upstream.subscription?.onRequest = { _ in upstream.send(completion: .failure(.oops)) }
    await #expect(throws: TestError.oops) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    #expect(upstream.calls == [.requested(.max(1))])
  }

  @Test func `A value without a waiting call traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let upstream = ManualPublisher<Int, Never>()
      let iterator = upstream.values.makeAsyncIterator()
      upstream.send(1)
      withExtendedLifetime(iterator) {}
    }
    expectMessage(result, "values received a value that was not requested")
  }

  @Test func `A second subscription is cancelled`() {
    let upstream = ManualPublisher<Int, Never>()
    let iterator = upstream.values.makeAsyncIterator()
    let second = ManualSubscription()
    upstream.send(subscription: second)
    #expect(second.calls == [.cancelled])
    #expect(upstream.calls.isEmpty)
    withExtendedLifetime(iterator) {}
  }

  @Test func `A loop that is left ends the subscription, and leaves nothing in memory`() async {
    var graveyard = Graveyard()
    let upstream = ManualSubscription()
    do {
      let publisher = graveyard.watch(ManualPublisher<Canary, Never>(subscription: upstream), "publisher")
      upstream.onRequest = { [unowned publisher, canary = graveyard.watch(Canary(), "value")] _ in
        publisher.send(canary)
      }
      for await _ in publisher.values { break }
      #expect(upstream.calls == [.requested(.max(1)), .cancelled])
      publisher.releaseSubscribers()
      upstream.onRequest = nil
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A subject whose iterator is freed has no subscriber left`() async {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(CurrentValueSubject<Int, Never>(1), "subject")
      var iterator = subject.values.makeAsyncIterator()
      #expect(await iterator.next() == 1)
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A task that is cancelled before it waits gets nil, and cancels`() async {
    let upstream = ManualPublisher<Int, Never>()
    let task = Task {
      var iterator = upstream.values.makeAsyncIterator()
      withUnsafeCurrentTask { $0?.cancel() }
      let (first, second) = (await iterator.next(), await iterator.next())
      #expect(upstream.cancellations == 1)
      return [first, second]
    }
    #expect(await task.value == [nil, nil])
    #expect(upstream.calls.filter { $0 == .cancelled }.count == 1)
  }

  @Test @MainActor func `A loop may run on an actor, whose state it changes`() async throws {
    let screen = Screen()
    await screen.show([1, 2].publisher)
    try await screen.showFirst([3].publisher.setFailureType(to: TestError.self))
    #expect(screen.shown == [1, 2, 3])
  }

  @Test func `The sequence of a Sendable publisher is Sendable`() async {
    let values = CurrentValueSubject<Int, Never>(5).values
    let throwing = CurrentValueSubject<Int, TestError>(6).values
    let first = Task {
      var iterator = values.makeAsyncIterator()
      return await iterator.next()
    }
    let second = Task {
      var iterator = throwing.makeAsyncIterator()
      return try await iterator.next()
    }
    #expect(await first.value == 5)
    #expect(await (try? second.value) == 6)
  }
}

extension ManualPublisher {
  fileprivate var cancellations: Int { subscription?.cancellations ?? 0 }
}
