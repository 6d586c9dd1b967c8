// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct RetryTests {
  @Test(arguments: [(0, 1), (1, 2), (3, 4)])
  func `As many attempts are made as there are retries, and one`(_ retries: Int, _ attempts: Int) {
    var made = 0
    let recorder = Recorder<Int, TestError>()
    Deferred {
      made += 1
      return Record<Int, TestError>(output: [made], completion: .failure(TestError("\(made)")))
    }.retry(retries).subscribe(recorder)
    #expect(made == attempts)
    // Values repeat with each attempt, and the last failure is the stream's.
    #expect(recorder.values == Array(1...attempts))
    #expect(recorder.completions == [.failure(TestError("\(attempts)"))])
    #expect(recorder.subscriptionTexts == ["Retry"])
  }

  @Test(arguments: [nil, -1, -7])
  func `Without a limit it goes on until it works`(_ retries: Int?) {
    var made = 0
    let recorder = Recorder<Int, TestError>()
    let attempt = Deferred { () -> Result<Int, TestError>.Publisher in
      made += 1
      return made < 50 ? .init(.oops) : .init(made)
    }
    Publishers.Retry(upstream: attempt, retries: retries).subscribe(recorder)
    #expect(recorder.values == [50])
    #expect(recorder.completions == [.finished])
  }

  @Test func `What is outstanding is asked for again from each attempt`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(3))
    source.retry(5).subscribe(recorder)
    var attempts = [source.subscription!]
    for demand: [Subscribers.Demand] in [[.max(2)], [.max(2)], []] {
      if attempts.count == 1 { source.send(1) }
      if attempts.count == 3 {
        source.send(2)
        source.send(3)
      }
      source.subscription = ManualSubscription()
      attempts.append(source.subscription!)
      source.send(completion: .failure(.oops))
      #expect(source.subscription!.requests == demand)
    }
    recorder.request(.max(1))
    #expect(attempts.map(\.requests) == [[.max(3)], [.max(2)], [.max(2)], [.max(1)]])
    #expect(attempts.flatMap(\.calls).allSatisfy { $0 != .cancelled })
  }

  @Test func `Demand that is returned is requested`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(2))
    source.retry(1).subscribe(recorder)
    #expect(source.send(1) == .none)
    #expect(source.calls == [.requested(.max(1)), .requested(.max(2))])
  }

  @Test func `A cancel between two attempts cancels the subscription that comes later`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.retry(5).subscribe(recorder)
    source.subscription = nil
    source.send(completion: .failure(.oops))
    #expect(source.subscribers.count == 2)
    recorder.request(.max(2))
    recorder.cancel()
    let late = ManualSubscription()
    source.send(subscription: late)
    #expect(late.calls == [.cancelled])
    source.send(completion: .failure(.oops))
    #expect(source.subscribers.count == 2)
    #expect(recorder.events == [.subscription("Retry")])
  }

  @Test func `Requests between two attempts go to the next`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.retry(5).subscribe(recorder)
    source.subscription = nil
    source.send(completion: .failure(.oops))
    recorder.request(.max(2))
    let late = ManualSubscription()
    source.send(subscription: late)
    #expect(late.calls == [.requested(.max(3))])
  }

  @Test func `A cancel stops a loop of attempts that fail at once`() {
    var made = 0
    let recorder = Recorder<Int, TestError>()
    Publishers.Retry(
      upstream: Deferred {
        made += 1
        if made == 10 { recorder.cancel() }
        return Fail<Int, TestError>(error: .oops)
      }, retries: nil
    ).subscribe(recorder)
    #expect(made == 10)
    #expect(recorder.completions.isEmpty)
  }

  @Test func `An end during the first request is followed by the next attempt before that returns`() {
    var log: [String] = []
    var made = 0
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { subscription in
      subscription.request(.unlimited)
      log.append("requested")
    }
    recorder.onValue = { value in
      log.append("\(value)")
      return .none
    }
    Deferred {
      made += 1
      return Record<Int, TestError>(output: [made], completion: made < 3 ? .failure(.oops) : .finished)
    }.retry(5).subscribe(recorder)
    #expect(log == ["1", "2", "3", "requested"])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops), nil])
  func `Who keeps the subscription when the stream is over keeps nothing of upstream`(
    _ end: Subscribers.Completion<TestError>?
  ) {
    var graveyard = Graveyard()
    let recorder = Recorder<Int, TestError>()
    let subject = PassthroughSubject<Int, TestError>()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      subject.map { value in withExtendedLifetime(canary) { value } }.retry(1).subscribe(recorder)
    }
    subject.send(1)
    if let end { subject.send(completion: end) } else { recorder.cancel() }
    #expect(recorder.values == [1] && recorder.completions == (end.map { [$0] } ?? []))
    #expect(recorder.subscription != nil && graveyard.survivors.isEmpty)
  }

  @Test func `Equal if upstream and number are`() {
    typealias Retry = Publishers.Retry<Fail<Int, TestError>>
    let fail = Fail<Int, TestError>(error: .oops)
    #expect(Retry(upstream: fail, retries: 1) == Retry(upstream: fail, retries: 1))
    #expect(Retry(upstream: fail, retries: 1) != Retry(upstream: fail, retries: nil))
    #expect(Retry(upstream: fail, retries: 1) != Retry(upstream: Fail(error: TestError("x")), retries: 1))
  }
}
