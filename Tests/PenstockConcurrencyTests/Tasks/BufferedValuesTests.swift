// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockConcurrency
import TestSupport
import Testing

/// Takes everything up to the end or the failure.
private func drain<P: Publisher>(
  _ iterator: inout AsyncBufferedPublisher<P>.Iterator
) async -> ([P.Output], P.Failure?) {
  var values: [P.Output] = []
  do throws(P.Failure) {
    while let value = try await iterator.next() { values.append(value) }
  } catch {
    return (values, error)
  }
  return (values, nil)
}

/// A subscriber and tasks that wait on it.
private final class Waiting: Sendable {
  let subscriber: BufferingSubscriber<Int, TestError>
  let upstream = ManualSubscription()

  init(_ policy: AsyncBufferingPolicy = .unbounded) {
    subscriber = BufferingSubscriber(policy)
    subscriber.receive(subscription: upstream)
  }

  /// Starts tasks that wait for a value, one after the other.
  func wait(_ count: Int) async -> [Task<String, Never>] {
    var tasks: [Task<String, Never>] = []
    for number in 1...count {
      tasks.append(
        Task {
          switch await subscriber.next(isolation: nil) {
          case .value(let value): "\(value)"
          case .failure(let error): "\(error)"
          case .end: "end"
          }
        })
      #expect(await reached { self.subscriber.waiting == number })
    }
    return tasks
  }
}

/// Runs tasks on a queue of its own, so that a blocked task occupies none of the few threads for tasks.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tasks that block")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}

@Suite struct BufferedValuesTests {
  @Test(arguments: [
    (AsyncBufferingPolicy.unbounded, [1, 2, 3, 4, 5], [Int]()),
    (.oldest(2), [1, 2], [3, 4, 5]),
    (.newest(2), [4, 5], [1, 2, 3]),
    (.latest, [5], [1, 2, 3, 4]),
    (.oldest(0), [], [1, 2, 3, 4, 5]),
    (.newest(0), [], [1, 2, 3, 4, 5]),
  ])
  func `What comes between two calls is kept or dropped by the policy`(
    _ policy: AsyncBufferingPolicy, _ kept: [Int], _ dropped: [Int]
  ) async {
    let subject = PassthroughSubject<Int, Never>()
    let drops = Locked<[Int]>([])
    var iterator = subject.values(buffering: policy) { value in drops.change { $0.append(value) } }
      .makeAsyncIterator()
    for value in 1...5 { subject.send(value) }
    #expect(drops.value == dropped)
    subject.send(completion: .finished)
    #expect(await drain(&iterator).0 == kept)
    #expect(await iterator.next() == nil)
  }

  @Test(arguments: [AsyncBufferingPolicy.unbounded, .oldest(0), .newest(0), .latest, .suspending(1)])
  func `A value for which a call waits is given to it`(_ policy: AsyncBufferingPolicy) async {
    let waiting = Waiting(policy)
    for value in 1...5 {
      let task = await waiting.wait(1)[0]
      _ = waiting.subscriber.receive(value)
      #expect(await task.value == "\(value)")
    }
  }

  @Test func `Policies that do not suspend request everything once`() {
    for policy in [AsyncBufferingPolicy.unbounded, .oldest(1), .newest(1), .latest] {
      let upstream = ManualPublisher<Int, Never>()
      let iterator = upstream.values(buffering: policy).makeAsyncIterator()
      #expect(upstream.calls == [.requested(.unlimited)])
      withExtendedLifetime(iterator) {}
    }
  }

  @Test(arguments: [1, 2, 3, 7, 64])
  func `The policy that suspends requests what fits, and half of that whenever it has been taken`(
    _ count: Int
  ) async {
    let upstream = ManualPublisher<Int, Never>()
    var iterator = upstream.values(buffering: .suspending(count)).makeAsyncIterator()
    #expect(upstream.calls == [.requested(.max(count))])
    let batch = count - count / 2
    var sent = 0
    upstream.subscription?.onRequest = { demand in
      #expect(demand == .max(batch))
      for _ in 0..<batch {
        sent += 1
        #expect(upstream.send(sent) == .none)
      }
    }
    for _ in 0..<count {
      sent += 1
      #expect(upstream.send(sent) == .none)
    }
    for value in 1...count * 5 {
      #expect(await iterator.next() == value)
      #expect(upstream.calls.count == 1 + value / batch)
      #expect(sent - value <= count)
    }
  }

  @Test func `Values that calls wait for are counted as taken`() async {
    let waiting = Waiting(.suspending(2))
    for value in 1...6 {
      let task = await waiting.wait(1)[0]
      #expect(waiting.subscriber.receive(value) == .max(1))
      #expect(await task.value == "\(value)")
    }
    #expect(waiting.upstream.requests == [.max(2)])
  }

  @Test func `A failure follows the values that are buffered, and is thrown once`() async throws {
    let upstream = ManualPublisher<Int, TestError>()
    var iterator = upstream.values(buffering: .unbounded).makeAsyncIterator()
    for value in 1...3 { upstream.send(value) }
    upstream.send(completion: .failure(.oops))
    let (values, failure) = await drain(&iterator)
    #expect(values == [1, 2, 3])
    #expect(failure == .oops)
    #expect(try await iterator.next() == nil)
    #expect(upstream.subscription?.cancellations == 0)
  }

  @Test func `Calls that wait are served in the order they came`() async {
    let waiting = Waiting()
    let tasks = await waiting.wait(3)
    for value in 1...4 { _ = waiting.subscriber.receive(value) }
    for (place, task) in tasks.enumerated() { #expect(await task.value == "\(place + 1)") }
    guard case .value(4) = await waiting.subscriber.next(isolation: nil) else {
      Issue.record("the value that nobody waited for is lost")
      return
    }
  }

  @Test func `A failure is thrown by the first call that waits, and is the end for the others`() async {
    let waiting = Waiting()
    let tasks = await waiting.wait(3)
    waiting.subscriber.receive(completion: .failure(.oops))
    var results: [String] = []
    for task in tasks { results.append(await task.value) }
    #expect(results == ["oops", "end", "end"])
    guard case .end = await waiting.subscriber.next(isolation: nil) else {
      Issue.record("a call after the failure does not find the end")
      return
    }
  }

  @Test func `A task that is cancelled while it waits cancels upstream, and ends every call`() async {
    let waiting = Waiting()
    let tasks = await waiting.wait(2)
    tasks[0].cancel()
    for task in tasks { #expect(await task.value == "end") }
    #expect(waiting.upstream.cancellations == 1)
    _ = waiting.subscriber.receive(1)
    guard case .end = await waiting.subscriber.next(isolation: nil) else {
      Issue.record("a value after the cancel")
      return
    }
  }

  @Test func `A task that is cancelled gets none of the values that are buffered`() async {
    var graveyard = Graveyard()
    let upstream = ManualPublisher<Canary, Never>()
    let sequence = UncheckedBox(upstream.values(buffering: .unbounded))
    let canary = graveyard.watch(Canary(), "value")
    let task = Task {
      var iterator = sequence.value.makeAsyncIterator()
      upstream.send(canary)
      withUnsafeCurrentTask { $0?.cancel() }
      return await iterator.next() == nil
    }
    #expect(await task.value)
    #expect(upstream.subscription?.cancellations == 1)
  }

  @Test func `A cancel reaches upstream while it serves a request that does not end`() async {
    let (entered, isCancelled) = (Locked(false), Gate())
    let upstream = ManualPublisher<Int, Never>()
    upstream.subscription?.onCancel = { isCancelled.open() }
    let sequence = UncheckedBox(upstream.values(buffering: .suspending(1)))
    let task = Task(executorPreference: QueueExecutor()) {
      var iterator = sequence.value.makeAsyncIterator()
      upstream.send(1)
      upstream.subscription?.onRequest = { _ in
        entered.change { $0 = true }
        isCancelled.wait()
      }
      return await iterator.next()
    }
    #expect(await reached { entered.value })
    task.cancel()
    #expect(await task.value == 1)
  }

  @Test(arguments: [AsyncBufferingPolicy.unbounded, .oldest(4), .newest(4), .suspending(4)])
  func `A loop may be left at any point`(_ policy: AsyncBufferingPolicy) async {
    for last in 1...10 {
      var graveyard = Graveyard()
      do {
        let subject = graveyard.watch(PassthroughSubject<Canary, Never>(), "subject")
        let values = (0..<12).map { graveyard.watch(Canary(), "value \($0)") }
        var count = 0
        var iterator = subject.buffer(size: 99, prefetch: .keepFull, whenFull: .dropNewest)
          .values(buffering: policy).makeAsyncIterator()
        for value in values { subject.send(value) }
        while count < last, await iterator.next() != nil {
          count += 1
          subject.send(values[0])
        }
        #expect(count == last)
      }
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `The subscriber may be cancelled by its publisher, and a second subscription is cancelled`() async throws {
    let source = KeepingPublisher<Int, Never>()
    var iterator = source.values(buffering: .latest).makeAsyncIterator()
    let subscriber = try #require(source.subscriber)
    (subscriber as? any Cancellable)?.cancel()
    #expect(await iterator.next() == nil)
    let late = ManualSubscription()
    subscriber.receive(subscription: late)
    #expect(late.calls == [.cancelled])
  }

  @Test func `More than was requested traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let upstream = ManualPublisher<Int, Never>()
      let iterator = upstream.values(buffering: .suspending(2)).makeAsyncIterator()
      for value in 1...3 { upstream.send(value) }
      withExtendedLifetime(iterator) {}
    }
    expectMessage(result, "values(buffering:) received a value that was not requested")
  }

  @Test func `The sequence of a Sendable publisher is Sendable, and needs no try if it cannot fail`() async {
    let values = CurrentValueSubject<Int, Never>(5).values(buffering: .unbounded)
    let task = Task {
      for await value in values { return value }
      return 0
    }
    #expect(await task.value == 5)
  }

  @Test(arguments: [AsyncBufferingPolicy.unbounded, .oldest(3), .newest(3), .suspending(3)])
  func `A sender on another thread and a task that is cancelled at any moment do no harm`(
    _ policy: AsyncBufferingPolicy
  ) async {
    for round in 0..<100 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let stream = UncheckedBox(subject.buffer(size: 99, prefetch: .keepFull, whenFull: .dropOldest))
      let task = Task {
        var last = -1
        for await value in stream.value.values(buffering: policy) {
          #expect(value > last)
          last = value
        }
      }
      let sender = Task {
        for value in 1...50 { subject.send(value) }
        for _ in 0..<round % 7 { await Task.yield() }
        task.cancel()
      }
      await sender.value
      await task.value
    }
  }
}
