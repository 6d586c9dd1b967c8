// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

@Suite struct ForEachTests {
  let work = Work()

  @Test(arguments: [1, 2, 7])
  func `Each value is a call, and it returns when all have ended`(_ count: Int) async throws {
    let seen = Locked<[Int]>([])
    try await (1...100).publisher.setFailureType(to: TestError.self).forEach(maxConcurrent: count) { number in
      for _ in 0..<number % 5 { await Task.yield() }
      seen.change { $0.append(number) }
    }
    #expect(count == 1 ? seen.value == Array(1...100) : seen.value.sorted() == Array(1...100))
  }

  @Test func `As many values are requested as calls may run, and one more for each that has ended`() async throws {
    let upstream = ManualPublisher<Int, Never>()
    let isOver = Locked(false)
    let returned = Locked(Subscribers.Demand.none)
    let stream = UncheckedBox(upstream)
    let task = Task { [work] in
      await stream.value.forEach(maxConcurrent: 2) { await work.run($0) }
      isOver.change { $0 = true }
    }
    #expect(await reached { upstream.subscribers.count == 1 })
    func granted() -> Subscribers.Demand { upstream.subscription!.requests.reduce(returned.value, +) }
    #expect(await reached { granted() == .max(2) })
    for number in 1...2 {
      let more = upstream.send(number)
      returned.change { $0 += more }
    }
    #expect(await reached { work.started.count == 2 })
    #expect(granted() == .max(2))
    work.open(2)
    #expect(await reached { granted() == .max(3) })
    upstream.send(completion: .finished)
    #expect(await reached { work.ended == [2] })
    #expect(!isOver.value)
    work.open(1)
    await task.value
    #expect(isOver.value)
    #expect(work.most == 2)
  }

  @Test func `What a call throws cancels upstream and the others, and is thrown when they have ended`() async {
    let upstream = CountedPublisher<Int, Never>()
    let task = Task { [work] in
      try await upstream.forEach(maxConcurrent: 3) { number in
        await work.run(number)
        if number == 2 { throw TestError("two") }
      }
    }
    #expect(await reached { upstream.subscribed.value == 1 })
    for number in 1...3 { upstream.subject.send(number) }
    #expect(await reached { work.started.count == 3 })
    work.open(2)
    let result = await task.result
    #expect(throws: TestError("two")) { try result.get() }
    #expect(Set(work.ended) == [1, 2, 3])
    #expect(Set(work.cancelled).isSuperset(of: [1, 3]))
    #expect(upstream.cancelled.value == 1)
  }

  @Test func `A failure of upstream cancels the calls, and is thrown when they have ended`() async {
    let upstream = CountedPublisher<Int, TestError>()
    let task = Task { [work] in try await upstream.forEach(maxConcurrent: 3) { await work.run($0) } }
    #expect(await reached { upstream.subscribed.value == 1 })
    upstream.subject.send(1)
    #expect(await reached { work.started == [1] })
    upstream.subject.send(completion: .failure(.oops))
    let result = await task.result
    #expect(throws: TestError.oops) { try result.get() }
    #expect(work.ended == [1])
    #expect(work.cancelled == [1])
  }

  @Test func `A cancel reaches upstream and the calls, and it returns when they have ended`() async {
    let upstream = CountedPublisher<Int, Never>()
    let ends = Locked<[String]>([])
    let throwing = Task { [work] in
      do {
        try await upstream.forEach(maxConcurrent: 2) { number in
          await work.run(number)
          try Task.checkCancellation()
        }
      } catch {
        ends.change { $0.append("\(type(of: error))") }
      }
    }
    #expect(await reached { upstream.subscribed.value == 1 })
    upstream.subject.send(1)
    #expect(await reached { work.started == [1] })
    throwing.cancel()
    await throwing.value
    #expect(ends.value == ["CancellationError"])
    #expect(work.ended == [1])
    #expect(upstream.cancelled.value == 1)
    let other = Task { [work] in await upstream.forEach(maxConcurrent: 2) { await work.run($0) } }
    #expect(await reached { upstream.subscribed.value == 2 })
    upstream.subject.send(2)
    #expect(await reached { work.started == [1, 2] })
    other.cancel()
    await other.value
    #expect(work.ended == [1, 2])
    #expect(upstream.cancelled.value == 2)
  }

  @Test func `A cancel has reached upstream before who waits for the end goes on`() async {
    let (clock, upstream) = (VirtualTimeScheduler(), PassthroughSubject<Int, Never>())
    let ready = Locked<[[String]]>([])
    let task = Task(executorPreference: clock.executor) {
      await upstream.handleEvents(receiveCancel: { ready.change { $0.append(clock.pendingDescriptions) } })
        .forEach(maxConcurrent: 1) { _ in }
    }
    await clock.advance()
    task.cancel()
    #expect(ready.value == [[]])
    #expect(clock.pendingDescriptions == ["1 task is ready"])
    await clock.advance()
    await task.value
    #expect(ready.value == [[]])
  }

  @Test func `A task that has been cancelled before makes no call, and does not subscribe`() async {
    let (calls, upstream) = (Locked(0), CountedPublisher<Int, Never>())
    let (isCancelled, mayBegin) = (Locked(false), Locked(false))
    let task = Task {
      _ = await reached { mayBegin.value }
      isCancelled.change { $0 = Task.isCancelled }
      await (1...5).publisher.forEach(maxConcurrent: 2) { _ in calls.change { $0 += 1 } }
      await upstream.forEach(maxConcurrent: 2) { _ in calls.change { $0 += 1 } }
      await #expect(throws: CancellationError.self) {
        try await upstream.setFailureType(to: TestError.self).forEach(maxConcurrent: 2) { _ in }
      }
    }
    task.cancel()
    mayBegin.change { $0 = true }
    await task.value
    #expect(isCancelled.value)
    #expect(calls.value == 0)
    #expect(upstream.subscribed.value == 0)
  }

  @Test func `An empty stream makes no call, and one that fails at once throws`() async {
    await Empty<Int, Never>().forEach(maxConcurrent: 1) { _ in Issue.record("called") }
    await #expect(throws: TestError.oops) {
      try await Fail<Int, TestError>(error: .oops).forEach(maxConcurrent: 1) { _ in Issue.record("called") }
    }
  }

  @Test func `Many rounds beside a cancel leave nothing running`() async {
    for round in 0..<200 {
      let running = Locked(0)
      let task = Task {
        await (1...20).publisher.forEach(maxConcurrent: 3) { _ in
          running.change { $0 += 1 }
          await Task.yield()
          running.change { $0 -= 1 }
        }
      }
      for _ in 0..<round % 10 { await Task.yield() }
      task.cancel()
      await task.value
      #expect(running.value == 0)
    }
  }

  // MARK: The subscriber

  @Test func `A sink is told of the end when all calls have ended`() async {
    let upstream = PassthroughSubject<Int, TestError>()
    let ends = Locked<[String]>([])
    let cancellable = upstream.sink(maxConcurrent: 2) { completion in
      ends.change { $0.append("\(completion)") }
    } receiveValue: { [work] number in
      await work.run(number)
    }
    for number in 1...3 { upstream.send(number) }
    upstream.send(completion: .finished)
    #expect(await reached { work.started.count == 2 })
    #expect(ends.value.isEmpty)
    work.open(1)
    work.open(2)
    #expect(await reached { !ends.value.isEmpty })
    #expect(ends.value == ["finished"])
    #expect(Set(work.started) == [1, 2])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `What a call of a sink throws cancels upstream and the others`() async {
    let upstream = CountedPublisher<Int, Never>()
    let ends = Locked<[String]>([])
    let cancellable = upstream.sink(maxConcurrent: 2) { completion in
      ends.change { $0.append("\(completion)") }
    } receiveValue: { [work] number in
      await work.run(number)
      if number == 1 { throw TestError("one") }
    }
    for number in 1...2 { upstream.subject.send(number) }
    #expect(await reached { work.started.count == 2 })
    work.open(1)
    #expect(await reached { work.cancelled.contains(2) && !ends.value.isEmpty })
    #expect(ends.value.count == 1 && ends.value[0].contains("one"))
    #expect(upstream.cancelled.value == 1)
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: [true, false])
  func `A cancel of a sink reaches upstream and the calls`(_ isDeallocated: Bool) async {
    let upstream = CountedPublisher<Int, Never>()
    var cancellable: AnyCancellable? = upstream.sink(maxConcurrent: 2) { [work] in await work.run($0) }
    for number in 1...2 { upstream.subject.send(number) }
    #expect(await reached { work.started.count == 2 })
    if !isDeallocated { cancellable?.cancel() }
    cancellable = nil
    #expect(await reached { Set(work.ended) == [1, 2] })
    #expect(Set(work.cancelled) == [1, 2])
    #expect(upstream.cancelled.value == 1)
  }

  @Test func `The checked ones do the same`() async throws {
    let seen = Locked<[Int]>([])
    await (1...3).publisher.sendable.forEach(maxConcurrent: 1) { number in seen.change { $0.append(number) } }
    try await (4...5).publisher.setFailureType(to: TestError.self).sendable.forEach(maxConcurrent: 1) { number in
      seen.change { $0.append(number) }
    }
    let ends = Locked(0)
    let cancellables = [
      (6...7).publisher.sendable.sink(maxConcurrent: 1) { number in seen.change { $0.append(number) } },
      Fail<Int, TestError>(error: .oops).sendable.sink(maxConcurrent: 1) { _ in
        ends.change { $0 += 1 }
      } receiveValue: { _ in
      },
    ]
    #expect(await reached { seen.value.count == 7 && ends.value == 1 })
    #expect(seen.value == Array(1...7))
    withExtendedLifetime(cancellables) {}
  }
}
