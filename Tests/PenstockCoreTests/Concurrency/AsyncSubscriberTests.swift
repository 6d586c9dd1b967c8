// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// A subscriber and tasks that wait for its values, which run when the test lets them.
private final class Waiting: Sendable {
  let subscriber = AsyncSubscriber<Int, TestError>()
  let upstream = ManualSubscription()
  private let time = VirtualTimeScheduler()

  init(subscribed: Bool = true) {
    if subscribed { subscriber.receive(subscription: upstream) }
  }

  /// Starts a task that asks for a value, and returns once it waits or has its result.
  func start() async -> Task<String, Never> {
    let task = Task(executorPreference: time.executor) { [subscriber] in
      switch await subscriber.next(isolation: nil) {
      case .value(let value): "\(value)"
      case .failure(let error): "\(error)"
      case .end: "end"
      }
    }
    await time.advance()
    return task
  }

  /// Starts a task that asks upstream for a value, and returns once it waits.
  func wait() async -> Task<String, Never> {
    let count = upstream.requests.count
    let task = await start()
    #expect(upstream.requests.dropFirst(count) == [.max(1)])
    return task
  }

  func result(of task: Task<String, Never>) async -> String {
    await time.advance()
    return await task.value
  }
}

@Suite struct AsyncSubscriberTests {
  @Test func `Calls that wait are served in the order they came`() async {
    let waiting = Waiting()
    var tasks: [Task<String, Never>] = []
    for _ in 0..<3 { tasks.append(await waiting.wait()) }
    for value in 1...3 { #expect(waiting.subscriber.receive(value) == .none) }
    for (place, task) in tasks.enumerated() { #expect(await waiting.result(of: task) == "\(place + 1)") }
    #expect(waiting.upstream.requests == [.max(1), .max(1), .max(1)])
  }

  @Test func `Calls that came before the subscription are asked for together`() async {
    let waiting = Waiting(subscribed: false)
    let tasks = [await waiting.start(), await waiting.start(), await waiting.start()]
    #expect(waiting.subscriber.waiting == 3)
    waiting.subscriber.receive(subscription: waiting.upstream)
    #expect(waiting.upstream.calls == [.requested(.max(3))])
    for value in 1...3 { _ = waiting.subscriber.receive(value) }
    var results: Set<String> = []
    for task in tasks { results.insert(await waiting.result(of: task)) }
    #expect(results == ["1", "2", "3"])
  }

  @Test func `A subscription that comes behind an early value is asked for what was waited for before it, too`() async {
    let waiting = Waiting(subscribed: false)
    let first = await waiting.start()
    #expect(waiting.subscriber.receive(1) == .none)
    #expect(await waiting.result(of: first) == "end")
    let second = await waiting.start()
    waiting.subscriber.receive(subscription: waiting.upstream)
    #expect(waiting.upstream.calls == [.requested(.max(2))])
    _ = waiting.subscriber.receive(2)
    #expect(await waiting.result(of: second) == "2")
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
    #expect(await waiting.result(of: first) == "oops")
    #expect(await waiting.result(of: second) == "end")
    #expect(await waiting.result(of: waiting.start()) == "end")
    #expect(waiting.upstream.cancellations == 0)
  }

  @Test func `The end is the end for all calls`() async {
    let waiting = Waiting()
    let (first, second) = (await waiting.wait(), await waiting.wait())
    waiting.subscriber.receive(completion: .finished)
    waiting.subscriber.receive(completion: .failure(.oops))
    #expect(await waiting.result(of: first) == "end")
    #expect(await waiting.result(of: second) == "end")
    #expect(await waiting.result(of: waiting.start()) == "end")
  }

  @Test func `A task that is cancelled while it waits cancels upstream, and ends every call`() async {
    let waiting = Waiting()
    let (first, second) = (await waiting.wait(), await waiting.wait())
    first.cancel()
    #expect(await waiting.result(of: first) == "end")
    #expect(await waiting.result(of: second) == "end")
    #expect(waiting.upstream.cancellations == 1)
    #expect(await waiting.result(of: waiting.start()) == "end")
    _ = waiting.subscriber.receive(1)
    #expect(waiting.upstream.requests.count == 2)
  }

  @Test func `A task that is cancelled before the subscription comes cancels that`() async {
    let waiting = Waiting(subscribed: false)
    let task = await waiting.start()
    task.cancel()
    #expect(await waiting.result(of: task) == "end")
    waiting.subscriber.receive(subscription: waiting.upstream)
    #expect(waiting.upstream.calls == [.cancelled])
  }

  @Test func `A value before the subscription ends the calls that wait, and nothing else`() async {
    let waiting = Waiting(subscribed: false)
    let early = await waiting.start()
    _ = waiting.subscriber.receive(1)
    #expect(await waiting.result(of: early) == "end")
    waiting.subscriber.receive(subscription: waiting.upstream)
    // The cancelled call had requested a value, and the value is lost.
    #expect(waiting.upstream.calls == [.requested(.max(1))])
    _ = waiting.subscriber.receive(2)
    let late = await waiting.start()
    _ = waiting.subscriber.receive(3)
    #expect(await waiting.result(of: late) == "3")
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
    #expect(await waiting.result(of: waiting.start()) == "end")
    #expect(isDone.value)
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
