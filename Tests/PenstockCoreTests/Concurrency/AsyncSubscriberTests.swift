// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A subscriber and tasks that wait on it, with a count of those that have begun to wait.
private final class Waiting: Sendable {
  let subscriber = AsyncSubscriber<Int, TestError>()
  let upstream = ManualSubscription()
  private let requests: AsyncStream<Subscribers.Demand>

  init(subscribed: Bool = true) {
    let (requests, continuation) = AsyncStream.makeStream(of: Subscribers.Demand.self)
    self.requests = requests
    upstream.onRequest = { continuation.yield($0) }
    if subscribed { subscriber.receive(subscription: upstream) }
  }

  /// Starts a task that waits for a value, and returns once it waits.
  func wait() async -> Task<String, Never> {
    let task = start()
    var iterator = requests.makeAsyncIterator()
    #expect(await iterator.next() == .max(1))
    return task
  }

  func start() -> Task<String, Never> {
    Task {
      switch await subscriber.next(isolation: nil) {
      case .value(let value): "\(value)"
      case .failure(let error): "\(error)"
      case .end: "end"
      }
    }
  }
}

@Suite struct AsyncSubscriberTests {
  @Test func `Calls that wait are served in the order they came`() async {
    let waiting = Waiting()
    var tasks: [Task<String, Never>] = []
    for _ in 0..<3 { tasks.append(await waiting.wait()) }
    for value in 1...3 { #expect(waiting.subscriber.receive(value) == .none) }
    for (place, task) in tasks.enumerated() { #expect(await task.value == "\(place + 1)") }
    #expect(waiting.upstream.requests == [.max(1), .max(1), .max(1)])
  }

  @Test func `Calls that came before the subscription are asked for together`() async {
    let waiting = Waiting(subscribed: false)
    let tasks = (0..<3).map { _ in waiting.start() }
    while waiting.subscriber.waiting < 3 { await Task.yield() }
    waiting.subscriber.receive(subscription: waiting.upstream)
    #expect(waiting.upstream.calls == [.requested(.max(3))])
    for value in 1...3 { _ = waiting.subscriber.receive(value) }
    var results: Set<String> = []
    for task in tasks { results.insert(await task.value) }
    #expect(results == ["1", "2", "3"])
  }

  @Test func `A subscription that comes behind an early value is asked for what was waited for before it, too`() async {
    let waiting = Waiting(subscribed: false)
    let first = waiting.start()
    while waiting.subscriber.waiting < 1 { await Task.yield() }
    #expect(waiting.subscriber.receive(1) == .none)
    #expect(await first.value == "end")
    let second = waiting.start()
    while waiting.subscriber.waiting < 1 { await Task.yield() }
    waiting.subscriber.receive(subscription: waiting.upstream)
    #expect(waiting.upstream.calls == [.requested(.max(2))])
    _ = waiting.subscriber.receive(2)
    #expect(await second.value == "2")
  }

  @Test func `The subscriber of values can be cancelled by its publisher`() async throws {
    let source = KeepingPublisher<Int, Never>()
    var iterator = source.values.makeAsyncIterator()
    let subscriber = try #require(source.subscriber as? any Cancellable)
    subscriber.cancel()
    #expect(await iterator.next() == nil)
  }

  @Test func `A failure is thrown by the first call that waits, and is the end for the others`() async {
    let waiting = Waiting()
    let (first, second) = (await waiting.wait(), await waiting.wait())
    waiting.subscriber.receive(completion: .failure(.oops))
    #expect(await first.value == "oops")
    #expect(await second.value == "end")
    #expect(await waiting.start().value == "end")
    #expect(waiting.upstream.cancellations == 0)
  }

  @Test func `The end is the end for all calls`() async {
    let waiting = Waiting()
    let (first, second) = (await waiting.wait(), await waiting.wait())
    waiting.subscriber.receive(completion: .finished)
    waiting.subscriber.receive(completion: .failure(.oops))
    #expect(await first.value == "end")
    #expect(await second.value == "end")
    #expect(await waiting.start().value == "end")
  }

  @Test func `A task that is cancelled while it waits cancels upstream, and ends every call`() async {
    let waiting = Waiting()
    let (first, second) = (await waiting.wait(), await waiting.wait())
    first.cancel()
    #expect(await first.value == "end")
    #expect(await second.value == "end")
    #expect(waiting.upstream.cancellations == 1)
    #expect(await waiting.start().value == "end")
    _ = waiting.subscriber.receive(1)
    #expect(waiting.upstream.requests.count == 2)
  }

  @Test func `A task that is cancelled before the subscription comes cancels that`() async {
    let waiting = Waiting(subscribed: false)
    let task = waiting.start()
    while waiting.subscriber.waiting < 1 { await Task.yield() }
    task.cancel()
    #expect(await task.value == "end")
    waiting.subscriber.receive(subscription: waiting.upstream)
    #expect(waiting.upstream.calls == [.cancelled])
  }

  @Test func `A value before the subscription ends the calls that wait, and nothing else`() async {
    let waiting = Waiting(subscribed: false)
    let early = waiting.start()
    while waiting.subscriber.waiting < 1 { await Task.yield() }
    _ = waiting.subscriber.receive(1)
    #expect(await early.value == "end")
    waiting.subscriber.receive(subscription: waiting.upstream)
    // That call had requested a value, and the value is lost.
    #expect(waiting.upstream.calls == [.requested(.max(1))])
    _ = waiting.subscriber.receive(2)
    let late = waiting.start()
    while waiting.subscriber.waiting < 1 { await Task.yield() }
    _ = waiting.subscriber.receive(3)
    #expect(await late.value == "3")
  }

  @Test func `No lock is held while upstream is asked or cancelled`() async {
    let waiting = Waiting()
    let isDone = Locked(false)
    waiting.upstream.onRequest = { [subscriber = waiting.subscriber] _ in
      // The cancel takes the same lock, on another thread, before the request has returned.
      elsewhere { subscriber.cancel() }
      isDone.change { $0 = true }
    }
    waiting.upstream.onCancel = { [subscriber = waiting.subscriber] in
      elsewhere { _ = subscriber.receive(9) }
    }
    #expect(await waiting.start().value == "end")
    while !isDone.value { await Task.yield() }
    #expect(waiting.upstream.calls == [.requested(.max(1)), .cancelled])
  }

  @Test func `A sender on another thread and a task that is cancelled at any moment do no harm`() async {
    for _ in 0..<100 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let task = Task {
        var last = -1
        for await value in subject.values {
          #expect(value > last)
          last = value
        }
      }
      let sender = Task {
        for value in 1...50 { subject.send(value) }
        task.cancel()
      }
      await sender.value
      await task.value
    }
  }
}
