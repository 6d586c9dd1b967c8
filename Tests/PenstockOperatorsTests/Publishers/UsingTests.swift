// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct UsingTests {
  /// Returns a publisher of another one's values that records when its resource is made and released.
  private func using<P: Publisher>(_ log: Locked<[String]>, _ publisher: P) -> some Publisher<P.Output, P.Failure> {
    let number = Locked(0)
    return Publishers.using {
      let now = number.change { number -> Int in
        number += 1; return number
      }
      log.change { $0.append("open \(now)") }
      return now
    } cleanup: { resource in
      log.change { $0.append("close \(resource)") }
    } publisher: { _ in
      publisher
    }
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The resource is made at the subscription, and released before the completion`(
    _ end: Subscribers.Completion<TestError>
  ) {
    let log = Locked<[String]>([])
    let subject = PassthroughSubject<Int, TestError>()
    let publisher = using(log, subject)
    #expect(log.value.isEmpty)
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onCompletion = { _ in log.change { $0.append("completion") } }
    publisher.subscribe(recorder)
    #expect(log.value == ["open 1"])
    for value in 1...2 { subject.send(value) }
    subject.send(completion: end)
    recorder.subscription?.cancel()
    #expect(recorder.events == [.subscription("Using"), .value(1), .completion(end)])
    #expect(log.value == ["open 1", "close 1", "completion"])
  }

  @Test func `Each subscriber has a resource of its own, so that an attempt finds the one before released`() {
    let log = Locked<[String]>([])
    let recorder = Recorder<Int, TestError>()
    using(log, Fail<Int, TestError>(error: .oops)).retry(1).subscribe(recorder)
    #expect(log.value == ["open 1", "close 1", "open 2", "close 2"])
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `After a cancel in the handshake no end is delivered, though the publisher has ended at once`(
    _ end: Subscribers.Completion<TestError>
  ) {
    let log = Locked<[String]>([])
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { $0.cancel() }
    using(log, Record(output: [1], completion: end)).subscribe(recorder)
    using(log, Record(output: [], completion: end)).subscribe(recorder)
    #expect(recorder.completions == [])
    #expect(recorder.values == [])
    #expect(log.value == ["open 1", "close 1", "open 1", "close 1"])
  }

  @Test func `A cancel at any point releases the resource once, when the publisher has been cancelled`() {
    for point in 0...2 {
      let log = Locked<[String]>([])
      let upstream = ManualPublisher<Int, Never>()
      upstream.subscription?.onCancel = { log.change { $0.append("cancel") } }
      let recorder = Recorder<Int, Never>()
      recorder.onSubscription = { if point == 0 { $0.cancel() } }
      recorder.onValue = { [unowned recorder] _ in
        if point == 1 { recorder.cancel() }
        return .none
      }
      using(log, upstream).subscribe(recorder)
      if point > 0 { upstream.send(1) }
      recorder.cancel()
      recorder.cancel()
      #expect(log.value == ["open 1", "cancel", "close 1"])
    }
  }

  @Test func `Demand is passed`() {
    let upstream = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: .max(2), answering: .max(3))
    using(Locked([]), upstream).subscribe(recorder)
    #expect(upstream.send(1) == .max(3))
    #expect(upstream.calls == [.requested(.max(2))])
    recorder.cancel()
  }

  @Test func `A resource that cannot be made is a failure, and nothing is released`() {
    let cleanups = Locked(0)
    for isThrown in [true, false] {
      let recorder = Recorder<Int, any Error>(demand: isThrown ? nil : .unlimited)
      Publishers.tryUsing {
        if isThrown { throw TestError.oops }
        return 1
      } cleanup: { _ in
        cleanups.change { $0 += 1 }
      } publisher: { resource in
        Just(resource).setFailureType(to: (any Error).self)
      }.subscribe(recorder)
      #expect(recorder.completions.count == 1 && recorder.isFinished != isThrown)
      #expect(recorder.values == (isThrown ? [] : [1]) && cleanups.value == (isThrown ? 0 : 1))
    }
  }

  @Test func `A stream that is dropped without an end releases the resource`() {
    let log = Locked<[String]>([])
    do {
      let upstream = ManualPublisher<Int, Never>(subscription: nil)
      using(log, upstream).subscribe(Recorder<Int, Never>())
      #expect(log.value == ["open 1"])
      upstream.releaseSubscribers()
    }
    #expect(log.value == ["open 1", "close 1"])
  }

  @Test func `Neither resource nor closures are kept when the subscription is`() {
    for isCancelled in [false, true] {
      var graveyard = Graveyard()
      let recorder = Recorder<Int, Never>(demand: .max(1))
      let subject = PassthroughSubject<Int, Never>()
      do {
        let (resource, cleanup) = (graveyard.watch(Canary(), "resource"), graveyard.watch(Canary(), "cleanup"))
        Publishers.using {
          resource
        } cleanup: { _ in
          withExtendedLifetime(cleanup) {}
        } publisher: { _ in
          subject
        }.subscribe(recorder)
      }
      #expect(graveyard.survivors.count == 2)
      if isCancelled { recorder.cancel() } else { subject.send(completion: .finished) }
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `A cancel that races with the end releases the resource once`() {
    for _ in 0..<200 {
      let log = Locked<[String]>([])
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      using(log, subject).subscribe(recorder)
      onThreads(
        within: 60,
        [
          { recorder.subscription?.cancel() },
          { subject.send(completion: .finished) },
          { recorder.subscription?.cancel() },
        ])
      #expect(log.value == ["open 1", "close 1"])
    }
  }
}
