// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct RetryWhenTests {
  private let publisher = ManualPublisher<Int, TestError>()
  private let trigger = PassthroughSubject<Void, TestError>()

  private func attach(_ recorder: Recorder<Int, TestError>) {
    publisher.retryWhen { [trigger] _ in trigger }.subscribe(recorder)
  }

  private func fail() {
    publisher.subscription = ManualSubscription()
    publisher.send(completion: .failure(.oops))
  }

  @Test func `An attempt follows a value of the trigger, and the trigger gets the failures`() {
    let failures = Locked<[TestError]>([])
    let recorder = Recorder<Int, TestError>()
    publisher.retryWhen { [trigger] errors in
      errors.flatMap { error in
        failures.change { $0.append(error) }
        return trigger.first()
      }
    }.subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(TestError("first")))
    #expect(publisher.subscribers.count == 1)
    trigger.send()
    #expect(publisher.subscribers.count == 2)
    publisher.send(2)
    publisher.send(completion: .failure(TestError("second")))
    trigger.send()
    publisher.send(completion: .finished)
    #expect(failures.value == [TestError("first"), TestError("second")])
    #expect(recorder.events == [.subscription("RetryWhen"), .value(1), .value(2), .completion(.finished)])
  }

  // MARK: The published mistakes

  @Test func `Upstream and the trigger are subscribed to once, and again only after a failure`() {
    let (attempts, triggers) = (Locked(0), Locked(0))
    let recorder = Recorder<Int, TestError>()
    Deferred {
      attempts.change { $0 += 1 }
      return PassthroughSubject<Int, TestError>()
    }.retryWhen { [trigger] _ in
      Deferred {
        triggers.change { $0 += 1 }
        return trigger
      }
    }.subscribe(recorder)
    #expect([attempts.value, triggers.value] == [1, 1])
    trigger.send()
    #expect([attempts.value, triggers.value] == [1, 1], "no failure waits")
  }

  @Test func `Demand that an attempt has not met is requested from the next one, and what is asked for meanwhile`() {
    let recorder = Recorder<Int, TestError>(demand: .max(3))
    attach(recorder)
    publisher.send(1)
    let first = publisher.subscription
    fail()
    recorder.request(.max(2))
    #expect(first?.calls == [.requested(.max(3))])
    trigger.send()
    #expect(publisher.calls == [.requested(.max(4))])
    recorder.onValue = { _ in .max(7) }
    publisher.send(2)
    fail()
    trigger.send()
    #expect(publisher.calls == [.requested(.max(10))])
    #expect(recorder.values == [1, 2])
  }

  @Test func `A cancel reaches the attempt and the trigger, and during the wait the trigger`() {
    for waits in [false, true] {
      let publisher = ManualPublisher<Int, TestError>()
      let cancels = Locked(0)
      let recorder = Recorder<Int, TestError>()
      publisher.retryWhen { [trigger] _ in
        trigger.handleEvents(receiveCancel: { cancels.change { $0 += 1 } })
      }.subscribe(recorder)
      if waits { publisher.send(completion: .failure(.oops)) }
      recorder.cancel()
      trigger.send()
      #expect(publisher.subscribers.count == 1)
      #expect(publisher.subscription?.cancellations == (waits ? 0 : 1))
      #expect(cancels.value == 1)
      #expect(recorder.completions.isEmpty)
    }
  }

  @Test func `The trigger is cancelled before the end is delivered`() {
    let cancels = Locked(0)
    var atEnd: Int?
    let recorder = Recorder<Int, TestError>()
    recorder.onCompletion = { _ in atEnd = cancels.value }
    publisher.retryWhen { [trigger] _ in
      trigger.handleEvents(receiveCancel: { cancels.change { $0 += 1 } })
    }.subscribe(recorder)
    publisher.send(completion: .finished)
    #expect(atEnd == 1 && cancels.value == 1)
  }

  // MARK: The end of the trigger

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(TestError("the trigger's"))])
  func `The trigger's end is that of the stream, for the failure that waits or the next one`(
    _ end: Subscribers.Completion<TestError>
  ) {
    for endsEarly in [false, true] {
      let publisher = ManualPublisher<Int, TestError>()
      let trigger = PassthroughSubject<Void, TestError>()
      let recorder = Recorder<Int, TestError>()
      publisher.retryWhen { _ in trigger }.subscribe(recorder)
      if endsEarly { trigger.send(completion: end) }
      publisher.send(1)
      #expect(recorder.completions.isEmpty)
      publisher.send(completion: .failure(.oops))
      if !endsEarly { trigger.send(completion: end) }
      #expect(recorder.events == [.subscription("RetryWhen"), .value(1), .completion(end)])
      #expect(publisher.subscribers.count == 1)
    }
  }

  @Test func `A trigger that ends with its last value allows the attempt for that value`() {
    let attempts = Locked(0)
    let recorder = Recorder<Int, TestError>()
    Deferred { () -> Fail<Int, TestError> in
      attempts.change { $0 += 1 }
      return Fail(error: .oops)
    }.retryWhen { $0.prefix(2) }.subscribe(recorder)
    #expect(attempts.value == 3)
    #expect(recorder.completions == [.finished])
  }

  @Test func `A failure can be forwarded by the trigger`() {
    let recorder = Recorder<Int, TestError>()
    Fail<Int, TestError>(error: .oops).retryWhen { $0.flatMap { Fail<Void, TestError>(error: $0) } }
      .subscribe(recorder)
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `Delays are those of the trigger, on the clock`() {
    let scheduler = VirtualTimeScheduler()
    let times = Locked<[VirtualTime]>([])
    let recorder = Recorder<Int, TestError>()
    Deferred { () -> Fail<Int, TestError> in
      times.change { $0.append(scheduler.now) }
      return Fail(error: .oops)
    }.retryWhen { $0.prefix(3).delay(for: 2, scheduler: scheduler) }.subscribe(recorder)
    scheduler.advance(by: 100)
    #expect(times.value == [0, 2, 4, 6])
    #expect(recorder.isFinished)
  }

  @Test func `A hundred thousand attempts that fail at once do not grow the stack`() {
    onSmallStack {
      let attempts = Locked(0)
      let recorder = Recorder<Int, TestError>()
      Deferred { () -> AnyPublisher<Int, TestError> in
        attempts.change { $0 += 1 }
        if attempts.value == 100_000 { return Just(7).setFailureType(to: TestError.self).eraseToAnyPublisher() }
        return Fail(error: .oops).eraseToAnyPublisher()
      }.retryWhen { $0 }.subscribe(recorder)
      #expect(attempts.value == 100_000)
      #expect(recorder.values == [7] && recorder.isFinished)
    }
  }

  // MARK: Memory

  @Test(arguments: ["finish", "cancel", "cancel while it waits", "the trigger's end"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let trigger = graveyard.watch(PassthroughSubject<Void, TestError>(), "trigger")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      subject.retryWhen { [canary = graveyard.watch(Canary(), "closure")] errors in
        errors.flatMap { _ in withExtendedLifetime(canary) { trigger } }
      }.subscribe(recorder)
      switch end {
      case "finish": subject.send(completion: .finished)
      case "cancel": recorder.cancel()
      case "cancel while it waits":
        subject.send(completion: .failure(.oops))
        recorder.cancel()
      default:
        subject.send(completion: .failure(.oops))
        trigger.send(completion: .failure(.oops))
        #expect(recorder.completions == [.failure(.oops)])
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A trigger may fire while another thread cancels`() {
    for _ in 0..<200 {
      let publisher = PassthroughSubject<Int, TestError>()
      let trigger = PassthroughSubject<Void, Never>()
      let recorder = Recorder<Int, TestError>()
      let attempts = Locked(0)
      Deferred { () -> AnyPublisher<Int, TestError> in
        attempts.change { $0 += 1 }
        return attempts.value == 1 ? Fail(error: .oops).eraseToAnyPublisher() : publisher.eraseToAnyPublisher()
      }.retryWhen { _ in trigger }.subscribe(recorder)
      onThreads([
        {
          trigger.send()
          publisher.send(1)
        },
        { recorder.cancel() },
      ])
      #expect(attempts.value <= 2 && !recorder.hasOverlapped && recorder.completions.isEmpty)
    }
  }
}
