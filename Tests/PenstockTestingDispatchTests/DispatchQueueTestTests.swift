// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTestingDispatch
import TestSupport
import Testing

@Suite struct DispatchQueueTestTests {
  /// What users of combine-schedulers have.
  private struct Search {
    let scheduler: AnySchedulerOf<DispatchQueue>

    func results(_ text: some Publisher<String, Never>) -> some Publisher<String, Never> {
      text.debounce(for: .milliseconds(300), scheduler: scheduler)
    }
  }

  @Test func `A test scheduler stands in for a queue, and has its time`() {
    let (queue, typed) = (DispatchQueue.test, PassthroughSubject<String, Never>())
    var found: [String] = []
    let cancellable = Search(scheduler: queue.eraseToAnyScheduler()).results(typed).sink { found.append($0) }
    typed.send("ga")
    queue.advance(by: .milliseconds(200))
    typed.send("gate")
    queue.advance(by: .milliseconds(299))
    #expect(found == [])
    queue.advance(by: .milliseconds(1))
    #expect(found == ["gate"])
    cancellable.cancel()
  }

  @Test func `Each access makes a scheduler with a time of its own, which begins at the same date`() {
    let (first, second) = (DispatchQueue.test, DispatchQueue.test)
    #expect(first.now == second.now)
    first.advance(by: 1)
    #expect(second.now.distance(to: first.now) == 1)
  }

  @Test func `Queues, clocks and tasks have one time`() async throws {
    let queue = DispatchQueue.test
    let log = Locked<[String]>([])
    let timer = queue.schedule(after: queue.now.advanced(by: .seconds(1)), interval: .seconds(2)) {
      log.change { $0.append("tick") }
    }
    let task = Task(executorPreference: queue.executor) {
      for _ in 1...2 {
        try await queue.clock.sleep(for: .seconds(2))
        log.change { $0.append("\(queue.clock.now.time)") }
      }
    }
    await queue.advance(by: .seconds(5))
    #expect(log.value == ["tick", "2s", "tick", "4s", "tick"])
    try await task.value
    timer.cancel()
  }

  @Test func `The time of the clock is that of the queue, to the nanosecond`() {
    let queue = DispatchQueue.test
    #expect(queue.clock.now.time == .zero)
    for nanoseconds in [1, 999, 123_456_789, 86_400_000_000_001] {
      let start = queue.clock.now.time
      queue.advance(by: .nanoseconds(nanoseconds))
      #expect(start.distance(to: queue.clock.now.time) == .nanoseconds(nanoseconds))
    }
  }

  @Test func `The immediate scheduler runs at once, and the other must not be used`() async {
    var received: [Int] = []
    let cancellable = [1, 2].publisher.delay(for: 60, scheduler: DispatchQueue.immediate).sink { received.append($0) }
    #expect(received == [1, 2])
    cancellable.cancel()
    let messages = Locked<[String]>([])
    let queue = DispatchQueue.unimplemented("poll") { message in messages.change { $0.append(message) } }
    queue.schedule { Issue.record("must not run") }
    AnySchedulerOf<DispatchQueue>.unimplemented("search") { message in messages.change { $0.append(message) } }.schedule
    {}
    #expect(messages.value.map { $0.contains("poll") } == [true, false])
    #expect(messages.value.last?.contains("search") == true)
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        DispatchQueue.unimplemented().schedule {}
      }, "The unimplemented scheduler DispatchQueue was asked to run an action")
  }
}
