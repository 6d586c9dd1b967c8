// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct CircuitBreakerTests {
  private typealias Breaker = CircuitBreaker<VirtualTimeScheduler<VirtualTime, Never>>
  private typealias Outcome = Subscribers.Completion<CircuitBreakerFailure<TestError>>

  private let clock = VirtualTimeScheduler()

  private func breaker(_ failures: Int = 2) -> Breaker {
    CircuitBreaker(failures: failures, resetAfter: 30, scheduler: clock)
  }

  /// Subscribes once to a publisher with a breaker.
  @discardableResult
  private func call<P: Publisher<Int, TestError>>(
    _ publisher: P, _ breaker: Breaker, demand: Subscribers.Demand? = .unlimited
  ) -> Recorder<Int, CircuitBreakerFailure<TestError>> {
    let recorder = Recorder<Int, CircuitBreakerFailure<TestError>>(demand: demand)
    publisher.circuitBreaker(breaker).subscribe(recorder)
    return recorder
  }

  private let failing = Fail<Int, TestError>(error: .oops)
  private let working = Just(1).setFailureType(to: TestError.self)
  private let empty = Empty<Int, TestError>()

  @Test func `It opens after the failures, refuses without reaching upstream, and is half-open after its time`() {
    let (breaker, source) = (breaker(), ManualPublisher<Int, TestError>())
    #expect(breaker.state == .closed)
    #expect(call(failing, breaker).completions == [.failure(.failed(.oops))])
    #expect(breaker.state == .closed)
    call(failing, breaker)
    #expect(breaker.state == .open)
    let refused = call(source, breaker, demand: nil)
    #expect(refused.completions == [.failure(.open)])
    #expect(source.subscribers.isEmpty)
    clock.advance(by: 29)
    #expect(breaker.state == .open)
    clock.advance(by: 1)
    #expect(breaker.state == .halfOpen)
    #expect(clock.pending.isEmpty)
  }

  @Test func `A success between failures starts the count again`() {
    let breaker = breaker()
    for _ in 0..<3 {
      call(failing, breaker)
      call(working, breaker)
    }
    call(failing, breaker)
    call(empty, breaker)
    call(failing, breaker)
    #expect(breaker.state == .closed)
  }

  @Test func `Values before a failure do not make it a success`() {
    let breaker = breaker()
    for _ in 0..<2 { call(working.append(failing), breaker) }
    #expect(breaker.state == .open)
  }

  @Test func `When half-open it lets one through, and its first value closes it`() {
    let (breaker, source) = (breaker(1), ManualPublisher<Int, TestError>())
    call(failing, breaker)
    clock.advance(by: 30)
    let trial = call(source, breaker)
    #expect(breaker.state == .halfOpen)
    #expect(call(working, breaker).completions == [.failure(.open)])
    source.send(1)
    #expect(breaker.state == .closed)
    #expect(call(working, breaker).isFinished)
    // It has been counted.
    source.send(completion: .failure(.oops))
    #expect(trial.completions == [.failure(.failed(.oops))])
    #expect(breaker.state == .closed)
  }

  @Test func `A trial that fails opens it once more, for the whole time`() {
    let breaker = breaker(3)
    for _ in 0..<3 { call(failing, breaker) }
    clock.advance(by: 30)
    call(failing, breaker)
    #expect(breaker.state == .open)
    clock.advance(by: 29)
    #expect(call(working, breaker).completions == [.failure(.open)])
    clock.advance(by: 1)
    #expect(call(working, breaker).isFinished)
    #expect(breaker.state == .closed)
  }

  @Test(arguments: [true, false])
  func `A trial that is cancelled, or dropped, before a value makes place for another`(_ isCancelled: Bool) {
    let breaker = breaker(1)
    call(failing, breaker)
    clock.advance(by: 30)
    do {
      let trial = call(Empty<Int, TestError>(completeImmediately: false), breaker)
      #expect(call(working, breaker).completions == [.failure(.open)])
      if isCancelled { trial.cancel() }
      trial.releaseSubscriptions()
    }
    #expect(breaker.state == .halfOpen)
    #expect(call(working, breaker).isFinished)
  }

  @Test func `The place of a trial is free when the cancel has reached its upstream`() {
    let breaker = breaker(1)
    call(failing, breaker)
    clock.advance(by: 30)
    let during = Locked<[Outcome]>([])
    let trial = call(
      Empty<Int, TestError>(completeImmediately: false)
        .handleEvents(receiveCancel: { during.change { $0 += call(working, breaker).completions } }), breaker)
    trial.cancel()
    #expect(during.value == [.failure(.open)])
    #expect(call(working, breaker).isFinished)
  }

  @Test func `A cancel counts as a success after a value, and for nothing before one`() {
    let breaker = breaker()
    call(failing, breaker)
    call(ManualPublisher<Int, TestError>(), breaker).cancel()
    let source = ManualPublisher<Int, TestError>()
    let recorder = call(source, breaker)
    source.send(1)
    recorder.cancel()
    call(failing, breaker)
    #expect(breaker.state == .closed)
    call(failing, breaker)
    #expect(breaker.state == .open)
  }

  @Test func `A call that began before it opened does not count afterwards`() {
    let breaker = breaker(1)
    let (slow, other) = (ManualPublisher<Int, TestError>(), ManualPublisher<Int, TestError>())
    call(slow, breaker)
    call(other, breaker)
    call(failing, breaker)
    slow.send(completion: .finished)
    #expect(breaker.state == .open)
    clock.advance(by: 30)
    #expect(call(working, breaker).isFinished)
    other.send(completion: .failure(.oops))
    #expect(breaker.state == .closed)
  }

  @Test func `Demand, values and the end pass`() {
    let (breaker, source) = (breaker(), ManualPublisher<Int, TestError>())
    let recorder = Recorder<Int, CircuitBreakerFailure<TestError>>(demand: .max(2), answering: .max(3))
    source.circuitBreaker(breaker).subscribe(recorder)
    #expect(source.calls == [.requested(.max(2))])
    #expect(source.send(1) == .max(3))
    source.send(completion: .finished)
    #expect(recorder.values == [1] && recorder.isFinished)
  }

  @Test func `With retry it is tried again when its time has passed`() {
    let breaker = breaker(1)
    var attempts = 0
    let recorder = Recorder<Int, CircuitBreakerFailure<TestError>>()
    Deferred { () -> AnyPublisher<Int, TestError> in
      attempts += 1
      return attempts < 3 ? failing.eraseToAnyPublisher() : working.eraseToAnyPublisher()
    }
    .circuitBreaker(breaker)
    .retry(.fixed(5, delay: .seconds(30)), scheduler: clock)
    .subscribe(recorder)
    clock.advance(by: 100)
    #expect(recorder.values == [1] && recorder.isFinished)
    #expect(attempts == 3)
  }

  @Test func `Of many threads one is let through when half-open`() {
    for _ in 0..<100 {
      let breaker = breaker(1)
      call(failing, breaker)
      clock.advance(by: 30)
      let subscriptions = Locked(0)
      let recorders = (0..<4).map { _ in Recorder<Int, CircuitBreakerFailure<TestError>>() }
      onThreads(4) { thread in
        Deferred { () -> PassthroughSubject<Int, TestError> in
          subscriptions.change { $0 += 1 }
          return PassthroughSubject()
        }
        .circuitBreaker(breaker).subscribe(recorders[thread])
      }
      #expect(subscriptions.value == 1)
      #expect(recorders.filter { $0.completions == [.failure(.open)] }.count == 3)
    }
  }

  @Test func `A call that asks for the time while another trial succeeds is a call like any other`() {
    let scheduler = InterruptedScheduler()
    let breaker = CircuitBreaker(failures: 2, resetAfter: 30, scheduler: scheduler)
    func call(_ publisher: some Publisher<Int, TestError>) -> Recorder<Int, CircuitBreakerFailure<TestError>> {
      let recorder = Recorder<Int, CircuitBreakerFailure<TestError>>()
      publisher.circuitBreaker(breaker).subscribe(recorder)
      return recorder
    }
    for _ in 0..<2 { #expect(call(failing).completions == [.failure(.failed(.oops))]) }
    scheduler.base.advance(by: 30)
    scheduler.onNow = { #expect(call(self.working).isFinished) }
    #expect(call(working).isFinished)
    #expect(breaker.state == .closed)
    // It did not count as a trial: otherwise one failure would open the breaker again.
    #expect(call(failing).completions == [.failure(.failed(.oops))])
    #expect(breaker.state == .closed)
  }

  @Test func `Numbers that do not fit trap`() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CircuitBreaker(failures: 0, resetAfter: 1, scheduler: VirtualTimeScheduler())
    }
    expectMessage(result, "CircuitBreaker(failures:) takes a count of 1 or more, but was given 0. Clamp the value")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CircuitBreaker(failures: 1, resetAfter: -1, scheduler: VirtualTimeScheduler())
    }
    expectMessage(result, "CircuitBreaker(resetAfter:) takes an interval of 0 or more, but was given -1s. Clamp")
  }
}
