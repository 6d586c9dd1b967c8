// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct RetryPolicyTests {
  /// The times of attempts at a publisher that always fails.
  private func attempts(
    _ policy: RetryPolicy, when isTransient: @escaping (TestError) -> Bool = { _ in true }
  ) -> (times: [VirtualTime], completions: [Subscribers.Completion<TestError>]) {
    let scheduler = VirtualTimeScheduler()
    var times: [VirtualTime] = []
    let recorder = Recorder<Int, TestError>()
    Deferred { () -> Fail<Int, TestError> in
      times.append(scheduler.now)
      return Fail(error: TestError("\(times.count)"))
    }.retry(policy, scheduler: scheduler, when: isTransient).subscribe(recorder)
    scheduler.advance(by: 1_000_000)
    return (times, recorder.completions)
  }

  @Test func `Fixed`() {
    let (times, completions) = attempts(.fixed(3, delay: .milliseconds(500)))
    #expect(times == [0, 0.5, 1, 1.5])
    #expect(completions == [.failure(TestError("4"))])
    #expect(attempts(.fixed(0, delay: .seconds(1))).times == [0])
  }

  @Test func `Exponential, up to the ceiling`() {
    let policy = RetryPolicy.exponential(6, initial: .seconds(1), ceiling: .seconds(10))
    #expect(attempts(policy).times == [0, 1, 3, 7, 15, 25, 35])
    let slower = RetryPolicy.exponential(3, initial: .milliseconds(100), factor: 10, ceiling: .seconds(60))
    #expect(attempts(slower).times == [0, 0.1, 1.1, 11.1])
    let low = RetryPolicy.exponential(2, initial: .seconds(5), ceiling: .seconds(2))
    #expect(attempts(low).times == [0, 2, 4])
  }

  @Test func `Delays never overflow`() {
    let policy = RetryPolicy.exponential(.max, initial: .seconds(1), factor: 1e300, ceiling: .seconds(Int64.max))
    #expect(policy.delay(beforeRetry: 1_000_000) == .seconds(Int64.max))
    let never = RetryPolicy.exponential(1, initial: .seconds(Int64.max), ceiling: .seconds(Int64.max))
    #expect(attempts(never).times == [0])
    #expect(RetryPolicy.exponential(1, initial: .zero, ceiling: .seconds(1)).delay(beforeRetry: 100) == .zero)
    // A delay of zero stays zero: it is not multiplied for each retry, and infinity does not trap.
    for factor in [2, .infinity] {
      let policy = RetryPolicy.exponential(.max, initial: .zero, factor: factor, ceiling: .seconds(1))
      #expect(policy.delay(beforeRetry: .max) == .zero)
    }
    let steep = RetryPolicy.exponential(2, initial: .seconds(1), factor: .infinity, ceiling: .seconds(5))
    #expect((0..<2).map { steep.delay(beforeRetry: $0) } == [.seconds(1), .seconds(5)])
  }

  @Test func `Jitter takes a part of each wait, the same with the same seed`() {
    func times(seed: UInt64) -> [VirtualTime] {
      attempts(
        .exponential(
          50, initial: .seconds(8), factor: 1, ceiling: .seconds(8), jitter: 0.5, using: SeededGenerator(seed: seed))
      ).times
    }
    let first = times(seed: 1)
    #expect(first == times(seed: 1))
    #expect(first != times(seed: 2))
    let waits = zip(first, first.dropFirst()).map { $0.distance(to: $1) }
    #expect(waits.count == 50)
    #expect(waits.allSatisfy { $0 >= 4 && $0 <= 8 })
    #expect(Set(waits.map(\.nanoseconds)).count > 40)
    #expect(waits.min()! < 5 && waits.max()! > 7)
  }

  @Test func `Each subscription has chance from the beginning`() {
    let scheduler = VirtualTimeScheduler()
    var times: [[VirtualTime]] = [[], []]
    var index = 0
    let policy = RetryPolicy.exponential(
      5, initial: .seconds(1), ceiling: .seconds(9), jitter: 1, using: SeededGenerator(seed: 7))
    let publisher = Deferred { () -> Fail<Int, TestError> in
      times[index].append(scheduler.now)
      return Fail(error: .oops)
    }.retry(policy, scheduler: scheduler)
    publisher.subscribe(Recorder())
    scheduler.advance(by: 100)
    index = 1
    publisher.subscribe(Recorder())
    scheduler.advance(by: 100)
    #expect(times[0].count == 6)
    #expect(times[1] == times[0].map { $0.advanced(by: 100) })
  }

  @Test func `Only after some failures`() {
    let (times, completions) = attempts(.fixed(5, delay: .seconds(1)), when: { $0.text != "3" })
    #expect(times == [0, 1, 2])
    #expect(completions == [.failure(TestError("3"))])
    let recorder = Recorder<Int, TestError>()
    Fail<Int, TestError>(error: .oops).retry(5, delay: 1, scheduler: ImmediateScheduler.shared, when: { _ in false })
      .subscribe(recorder)
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `What makes no sense traps`() async {
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RetryPolicy.fixed(-1, delay: .seconds(1))
    }
    expectMessage(negative, "RetryPolicy takes a count of 0 or more")
    let delay = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RetryPolicy.fixed(1, delay: .seconds(-1))
    }
    expectMessage(delay, "A retry policy takes waits of 0 or more")
    let number = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RetryPolicy.fixed(1, delay: .seconds(1)).delay(beforeRetry: -1)
    }
    expectMessage(number, "delay(beforeRetry:) takes a count of 0 or more")
    let factor = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RetryPolicy.exponential(1, initial: .seconds(1), factor: .nan, ceiling: .seconds(1))
    }
    expectMessage(factor, "A retry policy takes a factor of 1 or more, but was given nan")
    let jitter = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RetryPolicy.exponential(1, initial: .seconds(1), ceiling: .seconds(1), jitter: 1.5)
    }
    expectMessage(jitter, "A retry policy takes a jitter from 0 to 1, but was given 1.5")
  }
}
