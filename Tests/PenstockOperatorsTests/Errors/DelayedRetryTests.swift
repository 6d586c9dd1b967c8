// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct DelayedRetryTests {
  /// Fails a given number of times, after some values, and then delivers one more and finishes.
  private final class Server: Publisher {
    typealias Output = Int
    typealias Failure = TestError

    private let scheduler: VirtualTimeScheduler<VirtualTime, Never>?
    private var failures: Int
    private(set) var attempts: [VirtualTime] = []

    init(failing failures: Int, scheduler: VirtualTimeScheduler<VirtualTime, Never>? = nil) {
      self.failures = failures
      self.scheduler = scheduler
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
      attempts.append(scheduler?.now ?? .zero)
      if failures > 0 {
        failures -= 1
        Fail<Int, TestError>(error: .oops).subscribe(subscriber)
      } else {
        Just(attempts.count).setFailureType(to: TestError.self).subscribe(subscriber)
      }
    }
  }

  @Test func `Each attempt comes its delay after the failure, and the last failure is delivered`() {
    let scheduler = VirtualTimeScheduler()
    let server = Server(failing: 10, scheduler: scheduler)
    let recorder = Recorder<Int, TestError>()
    server.retry(3, delay: 1.5, scheduler: scheduler).subscribe(recorder)
    scheduler.advance(by: 100)
    #expect(server.attempts == [0, 1.5, 3, 4.5])
    #expect(recorder.events == [.subscription("DelayedRetry"), .completion(.failure(.oops))])
  }

  @Test func `An attempt that succeeds ends it`() {
    let scheduler = VirtualTimeScheduler()
    let server = Server(failing: 2, scheduler: scheduler)
    let recorder = Recorder<Int, TestError>()
    server.retry(5, delay: 1, scheduler: scheduler).subscribe(recorder)
    #expect(server.attempts == [0])
    scheduler.advance(by: 1)
    #expect(server.attempts == [0, 1])
    scheduler.advance(by: 1)
    #expect(server.attempts == [0, 1, 2])
    #expect(recorder.events == [.subscription("DelayedRetry"), .value(3), .completion(.finished)])
    scheduler.advance(by: 100)
    #expect(server.attempts.count == 3)
    #expect(scheduler.pending.isEmpty)
  }

  // MARK: The published mistakes

  @Test func `One retry is one further attempt: nothing nests another retry`() {
    let scheduler = VirtualTimeScheduler()
    let server = Server(failing: 10, scheduler: scheduler)
    let recorder = Recorder<Int, TestError>()
    server.retry(1, delay: 1, scheduler: scheduler).subscribe(recorder)
    scheduler.advance(by: 100)
    #expect(server.attempts == [0, 1])
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `No retry is none`() {
    let scheduler = VirtualTimeScheduler()
    let server = Server(failing: 10, scheduler: scheduler)
    let recorder = Recorder<Int, TestError>()
    server.retry(0, delay: 1, scheduler: scheduler).subscribe(recorder)
    #expect(recorder.completions == [.failure(.oops)])
    scheduler.advance(by: 100)
    #expect(server.attempts == [0])
  }

  @Test func `A negative number, and a request for nothing, trap`() async {
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Fail<Int, TestError>(error: .oops).retry(-1, delay: 1, scheduler: ImmediateScheduler.shared)
    }
    expectMessage(negative, "retry(_:delay:scheduler:) takes a count of 0 or more, but was given a negative one")
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<Int, TestError>(demand: nil)
      PassthroughSubject<Int, TestError>().retry(1, delay: 1, scheduler: ImmediateScheduler.shared).subscribe(recorder)
      recorder.request(.none)
    }
    expectMessage(nothing, "request(.none)")
  }

  // MARK: Demand

  @Test func `What is outstanding is carried over, and what is asked for during the wait`() {
    let scheduler = VirtualTimeScheduler()
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(3))
    publisher.retry(5, delay: 1, scheduler: scheduler).subscribe(recorder)
    publisher.send(1)
    let first = publisher.subscription
    publisher.subscription = ManualSubscription()
    publisher.send(completion: .failure(.oops))
    recorder.request(.max(2))
    #expect(first?.calls == [.requested(.max(3))])
    #expect(publisher.subscribers.count == 1)
    scheduler.advance(by: 1)
    #expect(publisher.calls == [.requested(.max(4))])
    recorder.request(.max(1))
    #expect(publisher.calls == [.requested(.max(4)), .requested(.max(1))])
    recorder.onValue = { _ in .max(7) }
    publisher.send(2)
    publisher.subscription = ManualSubscription()
    publisher.send(completion: .failure(.oops))
    scheduler.advance(by: 1)
    #expect(publisher.calls == [.requested(.max(11))])
    #expect(recorder.values == [1, 2])
  }

  @Test func `Values of every attempt are delivered`() {
    let scheduler = VirtualTimeScheduler()
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    publisher.retry(1, delay: 1, scheduler: scheduler).subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    scheduler.advance(by: 1)
    publisher.send(2)
    publisher.send(completion: .finished)
    #expect(recorder.values == [1, 2])
    #expect(recorder.isFinished)
    #expect(publisher.calls.filter { $0 == .cancelled }.isEmpty)
  }

  // MARK: Cancels and memory

  @Test func `A cancel during the wait subscribes no more, and frees everything though the scheduler waits on`() {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    let attempts = Locked(0)
    do {
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      let canary = graveyard.watch(Canary(), "upstream")
      Deferred { () -> Fail<Int, TestError> in
        withExtendedLifetime(canary) {}
        attempts.change { $0 += 1 }
        return Fail(error: .oops)
      }.retry(5, delay: 1, scheduler: scheduler).subscribe(recorder)
      scheduler.advance(by: 1.5)
      #expect(attempts.value == 2)
      recorder.dismiss()
      #expect(recorder.completions.isEmpty)
    }
    #expect(scheduler.pending == [2])
    #expect(graveyard.survivors.isEmpty)
    scheduler.advance(by: 100)
    #expect(attempts.value == 2)
  }

  @Test func `A subscriber that keeps nothing still gets its retries, and nothing is left`() {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    let server = Server(failing: 2, scheduler: scheduler)
    let values = Locked<[Int]>([])
    do {
      let canary = graveyard.watch(Canary())
      server.retry(5, delay: 1, scheduler: scheduler).subscribe(
        AnySubscriber(
          receiveSubscription: { $0.request(.unlimited) },
          receiveValue: { value in
            withExtendedLifetime(canary) {}
            values.change { $0.append(value) }
            return .none
          }))
    }
    scheduler.advance(by: 5)
    #expect(values.value == [3])
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A cancel while an attempt is being made reaches it`() {
    let scheduler = VirtualTimeScheduler()
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    publisher.retry(5, delay: 1, scheduler: scheduler).subscribe(recorder)
    publisher.send(completion: .failure(.oops))
    publisher.subscription = ManualSubscription()
    publisher.onSubscribe = { recorder.cancel() }
    scheduler.advance(by: 1)
    #expect(publisher.calls == [.cancelled])
    publisher.send(completion: .failure(.oops))
    scheduler.advance(by: 10)
    #expect(publisher.subscribers.count == 2)
    #expect(recorder.events == [.subscription("DelayedRetry")])
  }

  // MARK: The stack, threads

  @Test func `A hundred thousand failures at once do not grow the stack`() {
    onSmallStack {
      let server = Server(failing: 100_000)
      let recorder = Recorder<Int, TestError>()
      server.retry(100_000, delay: 0, scheduler: ImmediateScheduler.shared).subscribe(recorder)
      #expect(server.attempts.count == 100_001)
      #expect(recorder.values == [100_001])
      #expect(recorder.isFinished)
    }
  }

  @Test func `Cancels race with attempts, and win`() {
    for _ in 0..<100 {
      let attempts = Locked(0)
      let started = Gate()
      let recorder = Recorder<Int, TestError>()
      let publisher = Deferred { () -> Fail<Int, TestError> in
        if attempts.change({ attempts in
          attempts += 1
          return attempts
        }) == 3 {
          started.open()
        }
        return Fail(error: .oops)
      }.retry(.max, delay: 0, scheduler: ImmediateScheduler.shared)
      let vouched = UncheckedBox(publisher)
      let after = Locked(0)
      onThreads([
        { vouched.value.subscribe(recorder) },
        {
          started.wait()
          recorder.cancel()
          after.change { $0 = attempts.value }
        },
      ])
      #expect(recorder.completions.isEmpty)
      // This may include the attempt that was being made when the cancel returned.
      #expect(attempts.value <= after.value + 1)
    }
  }

  @Test func `No lock is held while asking whether to go on, nor while subscribing`() {
    let recorder = Recorder<Int, TestError>()
    let attempts = Locked(0)
    Deferred { () -> Fail<Int, TestError> in
      attempts.change { $0 += 1 }
      elsewhere { recorder.request(.max(1)) }
      return Fail(error: .oops)
    }.retry(3, delay: 0, scheduler: ImmediateScheduler.shared) { _ in
      elsewhere { recorder.request(.max(1)) }
      if attempts.value == 2 { elsewhere { recorder.cancel() } }
      return true
    }.subscribe(recorder)
    #expect(attempts.value == 2)
    #expect(recorder.completions.isEmpty)
  }

  /// The first source for the first attempt, and the second source for all later ones.
  private func attempts(
    _ sources: [PassthroughSubject<Int, TestError>]
  ) -> (Locked<Int>, Deferred<PassthroughSubject<Int, TestError>>) {
    let made = Locked(0)
    let attempts = Deferred {
      made.change { made in
        made += 1
        return sources[min(made, sources.count) - 1]
      }
    }
    return (made, attempts)
  }

  @Test func `What the next attempt delivers on another thread waits for the delivery that the last one failed in`() {
    let sources = UncheckedBox([PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>()])
    let probe = Recorder<Int, TestError>()
    probe.onValue = { value in
      guard value == 1 else { return .none }
      sources.value[0].send(completion: .failure(.oops))
      elsewhere {
        sources.value[1].send(2)
        sources.value[1].send(completion: .finished)
      }
      #expect(probe.values == [1])
      return .none
    }
    let (made, attempts) = attempts(sources.value)
    attempts.retry(5, delay: 1, scheduler: ImmediateScheduler.shared).subscribe(probe)
    sources.value[0].send(1)
    #expect(!probe.hasOverlapped)
    #expect(probe.values == [1, 2])
    #expect(probe.completions == [.finished])
    #expect(made.value == 2)
  }

  @Test func `A wait that ends on another thread while a delivery runs is followed after that, on the scheduler`() {
    let sources = UncheckedBox([PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>()])
    let clock = UncheckedBox(VirtualTimeScheduler())
    let probe = Recorder<Int, TestError>()
    probe.onValue = { value in
      guard value == 1 else { return .none }
      sources.value[0].send(completion: .failure(.oops))
      elsewhere { clock.value.advance(by: 1) }
      return .none
    }
    let (made, attempts) = attempts(sources.value)
    attempts.retry(5, delay: 1, scheduler: clock.value).subscribe(probe)
    sources.value[0].send(1)
    #expect(made.value == 1)
    clock.value.advance(by: 0)
    #expect(made.value == 2)
    elsewhere { sources.value[1].send(2) }
    sources.value[1].send(completion: .finished)
    #expect(!probe.hasOverlapped)
    #expect(probe.values == [1, 2])
    #expect(probe.completions == [.finished])
  }
}
