// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct OnStartTests {
  @Test func `The closure is called for each subscriber, before upstream is subscribed to`() {
    let log = Locked<[String]>([])
    let upstream = Deferred { () -> Just<Int> in
      log.change { $0.append("upstream") }
      return Just(1)
    }
    let started = upstream.onStart { log.change { $0.append("start") } }
    #expect(log.value == [])
    for _ in 0..<2 {
      let recorder = Recorder<Int, Never>(demand: nil)
      recorder.onSubscription = { _ in log.change { $0.append("subscription") } }
      started.subscribe(recorder)
    }
    #expect(log.value == ["start", "upstream", "subscription", "start", "upstream", "subscription"])
  }

  @Test func `Each attempt of a retry starts`() {
    let starts = Locked(0)
    let recorder = Recorder<Int, TestError>()
    Fail<Int, TestError>(error: .oops).onStart { starts.change { $0 += 1 } }.retry(2).subscribe(recorder)
    #expect(starts.value == 3)
  }

  @Test func `Demand, values and a cancel pass`() {
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))
    publisher.onStart {}.subscribe(recorder)
    #expect(publisher.send(1) == .max(3))
    recorder.cancel()
    #expect(publisher.calls == [.requested(.max(2)), .cancelled])
  }
}

@Suite struct FinallyTests {
  private let log = Locked<[String]>([])
  private func note(_ text: String) { log.change { $0.append(text) } }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The closure is called once, before the completion is delivered`(_ end: Subscribers.Completion<TestError>) {
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onCompletion = { [log] _ in log.change { $0.append("completion") } }
    publisher.finally { note("finally") }.subscribe(recorder)
    publisher.send(1)
    #expect(log.value == [])
    publisher.send(completion: end)
    publisher.send(completion: end)
    recorder.dismiss()
    #expect(log.value == ["finally", "completion"])
    #expect(recorder.events == [.subscription("Finally"), .value(1), .completion(end)])
  }

  @Test(arguments: 0...2)
  func `A cancel at any point calls it once, when upstream has been cancelled`(_ point: Int) {
    let upstream = ManualPublisher<Int, Never>()
    upstream.subscription?.onCancel = { note("cancel") }
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = { if point == 0 { $0.cancel() } }
    recorder.onValue = { [unowned recorder] _ in
      if point == 1 { recorder.cancel() }
      return .none
    }
    upstream.finally { note("finally") }.subscribe(recorder)
    if point > 0 { upstream.send(1) }
    recorder.cancel()
    recorder.cancel()
    upstream.send(completion: .finished)
    #expect(log.value == ["cancel", "finally"])
    #expect(recorder.completions == [])
  }

  @Test func `An attempt of a retry begins after it`() {
    let recorder = Recorder<Int, TestError>()
    Deferred { () -> Fail<Int, TestError> in
      note("begin")
      return Fail(error: .oops)
    }
    .finally { note("finally") }.retry(1).subscribe(recorder)
    #expect(log.value == ["begin", "finally", "begin", "finally"])
  }

  @Test func `An upstream that drops its subscriber calls it as well`() {
    do {
      let upstream = ManualPublisher<Int, Never>(subscription: nil)
      upstream.finally { note("finally") }.subscribe(Recorder<Int, Never>())
      #expect(log.value == [])
      upstream.releaseSubscribers()
    }
    #expect(log.value == ["finally"])
  }

  @Test func `A closure that cancels again, or sends, does no harm`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    subject.finally { [unowned recorder] in
      recorder.cancel()
      subject.send(2)
      note("finally")
    }
    .subscribe(recorder)
    subject.send(1)
    recorder.cancel()
    #expect(log.value == ["finally"] && recorder.values == [1])
  }

  @Test func `A cancel that races with the end calls it once`() {
    for _ in 0..<200 {
      let count = Locked(0)
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      subject.finally { count.change { $0 += 1 } }.subscribe(recorder)
      onThreads([{ recorder.cancel() }, { subject.send(completion: .finished) }, { recorder.cancel() }])
      #expect(count.value == 1)
    }
  }

  @Test func `The closure is released when it has been called`() {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      subject.finally { withExtendedLifetime(canary) {} }.subscribe(recorder)
    }
    #expect(graveyard.survivors == ["closure"])
    subject.send(completion: .finished)
    #expect(graveyard.survivors.isEmpty)
  }
}
