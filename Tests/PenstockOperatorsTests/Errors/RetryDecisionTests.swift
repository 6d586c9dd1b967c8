// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct RetryDecisionTests {
  /// Returns the times of attempts, each of which delivers values before it fails with its number.
  private func attempts(
    _ policy: RetryPolicy, values: @escaping (_ attempt: Int) -> Int = { _ in 0 },
    lasting duration: VirtualTime.Stride = 0,
    decide: @escaping (Int) -> RetryDecision<VirtualTime.Stride> = { _ in .byPolicy }
  ) -> (times: [VirtualTime], completions: [Subscribers.Completion<TestError>]) {
    let clock = VirtualTimeScheduler()
    var times: [VirtualTime] = []
    let recorder = Recorder<Int, TestError>()
    Deferred { () -> AnyPublisher<Int, TestError> in
      times.append(clock.now)
      let failure = Fail<Int, TestError>(error: TestError("\(times.count)"))
      let stream = (0..<values(times.count)).publisher.setFailureType(to: TestError.self)
      guard duration > 0 else { return stream.append(failure).eraseToAnyPublisher() }
      return stream.append(failure.delaySubscription(for: duration, scheduler: clock)).eraseToAnyPublisher()
    }
    .retry(policy, scheduler: clock) { error in decide(Int(error.text)!) }
    .subscribe(recorder)
    clock.advance(by: 1_000)
    return (times, recorder.completions)
  }

  private let growing = RetryPolicy.exponential(3, initial: .seconds(1), ceiling: .seconds(60))

  // MARK: The failure decides

  @Test func `A wait that the failure names takes the place of the policy's, and counts as one retry`() {
    let (times, completions) = attempts(growing, decide: { $0 == 2 ? .after(10) : .byPolicy })
    #expect(times == [0, 1, 11, 15])
    #expect(completions == [.failure(TestError("4"))])
  }

  @Test func `Giving up delivers the failure at once`() {
    let (times, completions) = attempts(growing, decide: { $0 == 2 ? .giveUp : .byPolicy })
    #expect(times == [0, 1])
    #expect(completions == [.failure(TestError("2"))])
  }

  @Test func `A policy without retries has none, whatever wait is named`() {
    #expect(attempts(.fixed(0, delay: .zero), decide: { _ in .after(1) }).times == [0])
  }

  @Test func `A closure of several statements is either of the two`() {
    let scheduler = ImmediateScheduler.shared
    let failing = Fail<Int, TestError>(error: .oops)
    var asked = 0
    let recorder = Recorder<Int, TestError>()
    failing.retry(.fixed(2, delay: .zero), scheduler: scheduler) { error in
      asked += 1
      return error == .oops
    }.subscribe(recorder)
    failing.retry(.fixed(2, delay: .zero), scheduler: scheduler) { error in
      asked += 10
      return error == .oops ? .byPolicy : .giveUp
    }.subscribe(Recorder<Int, TestError>())
    failing.retry(.fixed(1, delay: .zero), scheduler: scheduler).subscribe(Recorder<Int, TestError>())
    #expect(asked == 33)
  }

  @Test func `A negative wait traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let cancellable = Fail<Int, TestError>(error: .oops)
        .retry(.fixed(1, delay: .zero), scheduler: VirtualTimeScheduler()) { _ in .after(-1) }
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      withExtendedLifetime(cancellable) {}
    }
    expectMessage(result, "retry(_:scheduler:decide:) takes an interval of 0 or more, but was given -1s. Clamp")
  }

  // MARK: A value resets

  @Test func `After a value the count and the delays begin anew`() {
    let (times, completions) = attempts(growing.resetsOnValue(), values: { $0 == 3 ? 1 : 0 })
    // The third attempt delivers a value, and three retries follow.
    #expect(times == [0, 1, 3, 4, 6, 10])
    #expect(completions == [.failure(TestError("6"))])
  }

  @Test func `Without that they do not`() {
    #expect(attempts(growing, values: { $0 == 3 ? 1 : 0 }).times == [0, 1, 3, 7])
  }

  @Test func `The delays stay with a stream that works: a thousand failures after a value each`() {
    let clock = VirtualTimeScheduler()
    let recorder = Recorder<Int, TestError>()
    var left = 1_000
    Deferred { () -> AnyPublisher<Int, TestError> in
      left -= 1
      return Just(left).setFailureType(to: TestError.self)
        .append(left > 0 ? Fail<Int, TestError>(error: .oops).eraseToAnyPublisher() : Empty().eraseToAnyPublisher())
        .eraseToAnyPublisher()
    }
    .retry(.exponential(1, initial: .seconds(1), ceiling: .seconds(60)).resetsOnValue(), scheduler: clock)
    .subscribe(recorder)
    clock.advance(by: 999)
    #expect(recorder.values.count == 1_000 && recorder.isFinished)
  }

  // MARK: A total time

  @Test func `No retry begins later than the total time after the first failure`() {
    let policy = RetryPolicy.fixed(.max, delay: .seconds(2)).giveUp(after: .seconds(5))
    let (times, completions) = attempts(policy)
    #expect(times == [0, 2, 4])
    #expect(completions == [.failure(TestError("3"))])
    #expect(attempts(.fixed(.max, delay: .seconds(2)).giveUp(after: .seconds(4))).times == [0, 2, 4])
    #expect(attempts(.fixed(9, delay: .seconds(2)).giveUp(after: .zero)).times == [0])
    #expect(attempts(.fixed(1, delay: .seconds(2)).giveUp(after: .seconds(9))).times == [0, 2])
  }

  @Test func `The time runs from the first failure, so an attempt before it may take long`() {
    let policy = RetryPolicy.fixed(.max, delay: .seconds(2)).giveUp(after: .seconds(5))
    // Each attempt takes ten seconds: after the second one the time has passed.
    #expect(attempts(policy, lasting: 10).times == [0, 12])
  }

  @Test func `With a reset it runs from the first failure after a value`() {
    let policy = RetryPolicy.fixed(.max, delay: .seconds(2)).giveUp(after: .seconds(3)).resetsOnValue()
    #expect(attempts(policy, values: { $0 <= 3 ? 1 : 0 }).times == [0, 2, 4, 6])
  }

  @Test func `A wait that the failure names counts`() {
    let policy = RetryPolicy.fixed(.max, delay: .seconds(1)).giveUp(after: .seconds(5))
    #expect(attempts(policy, decide: { $0 == 2 ? .after(4.5) : .byPolicy }).times == [0, 1])
  }

  @Test func `A negative total time traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RetryPolicy.fixed(1, delay: .zero).giveUp(after: .seconds(-1))
    }
    expectMessage(result, "A retry policy takes a total time of 0 or more, but was given a negative one")
  }
}
