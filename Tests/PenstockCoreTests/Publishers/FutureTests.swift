// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A future and its promise, to be called when and where a test needs it.
final class Pledge<Output, Failure: Error>: @unchecked Sendable {
  private(set) var future: Future<Output, Failure>!
  private let promise = Locked<Future<Output, Failure>.Promise?>(nil)

  init() {
    future = Future { promise in self.promise.change { $0 = promise } }
  }

  func resolve(_ result: Result<Output, Failure>) { promise.value?(result) }
  func dropPromise() { promise.change { $0 = nil } }
  func dropFuture() { future = nil }
}

private typealias Outcome = Result<Int, TestError>

@Suite struct FutureTests {
  // MARK: The promise

  @Test func `The closure runs once, when the future is made`() {
    var runs = 0
    let future = Future<Int, Never> { promise in
      runs += 1
      promise(.success(runs))
    }
    #expect(runs == 1)
    for _ in 0..<2 {
      let recorder = Recorder<Int, Never>()
      future.subscribe(recorder)
      #expect(recorder.events == [.subscription("Future"), .value(1), .completion(.finished)])
    }
    #expect(runs == 1)
  }

  @Test(arguments: [Outcome.success(1), .failure(.oops)], [Outcome.success(2), .failure(TestError("second"))])
  func `The first call of the promise counts`(_ first: Result<Int, TestError>, _ second: Result<Int, TestError>) {
    let pledge = Pledge<Int, TestError>()
    let early = Recorder<Int, TestError>()
    pledge.future.subscribe(early)
    pledge.resolve(first)
    pledge.resolve(second)
    let late = Recorder<Int, TestError>()
    pledge.future.subscribe(late)
    pledge.resolve(second)
    #expect(early.events == late.events)
    #expect(early.events.count == (first == .success(1) ? 3 : 2))
    #expect(early.completions == (first == .success(1) ? [.finished] : [.failure(.oops)]))
  }

  @Test func `A promise called during a delivery is too late`() {
    let pledge = Pledge<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { _ in
      pledge.resolve(.success(2))
      return .max(1)
    }
    recorder.onCompletion = { _ in pledge.resolve(.failure(.oops)) }
    pledge.future.subscribe(recorder)
    pledge.resolve(.success(1))
    #expect(recorder.events == [.subscription("Future"), .value(1), .completion(.finished)])
  }

  // MARK: The order of result, request and subscription

  @Test(arguments: [1, 2, Int.max, nil])
  func `A value waits for the first request, of any size`(_ asked: Int?) {
    let pledge = Pledge<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    pledge.future.subscribe(recorder)
    pledge.resolve(.success(1))
    #expect(recorder.events == [.subscription("Future")])
    recorder.request(demand(asked))
    #expect(recorder.events == [.subscription("Future"), .value(1), .completion(.finished)])
    recorder.request(demand(asked))
    #expect(recorder.events.count == 3)
  }

  @Test func `A request waits for the value`() {
    let pledge = Pledge<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    pledge.future.subscribe(recorder)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("Future")])
    pledge.resolve(.success(1))
    #expect(recorder.events == [.subscription("Future"), .value(1), .completion(.finished)])
  }

  @Test(arguments: [false, true])
  func `A failure needs no request`(_ late: Bool) {
    let pledge = Pledge<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    if late { pledge.resolve(.failure(.oops)) }
    pledge.future.subscribe(recorder)
    if !late { pledge.resolve(.failure(.oops)) }
    #expect(recorder.events == [.subscription("Future"), .completion(.failure(.oops))])
    recorder.request(.max(1))
    #expect(recorder.events.count == 2)
  }

  @Test func `A request on receipt of the subscription is answered at once, if the value is there`() {
    let pledge = Pledge<Int, TestError>()
    pledge.resolve(.success(1))
    let recorder = Recorder<Int, TestError>(demand: nil)
    var countInside = 0
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      countInside = recorder.events.count
    }
    pledge.future.subscribe(recorder)
    #expect(countInside == 3)
    #expect(recorder.events.count == 3)
  }

  @Test(arguments: [Outcome.success(1), .failure(.oops)])
  func `A promise called on receipt of the subscription delivers at once`(_ outcome: Result<Int, TestError>) {
    let pledge = Pledge<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    var countInside = 0
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      pledge.resolve(outcome)
      countInside = recorder.events.count
    }
    pledge.future.subscribe(recorder)
    #expect(countInside == (outcome == .success(1) ? 3 : 2))
    #expect(recorder.completions == [outcome == .success(1) ? .finished : .failure(.oops)])
  }

  @Test func `A request that follows the promise on receipt of the subscription is answered at once`() {
    let pledge = Pledge<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    var countInside = 0
    recorder.onSubscription = { subscription in
      pledge.resolve(.success(1))
      subscription.request(.max(1))
      countInside = recorder.events.count
    }
    pledge.future.subscribe(recorder)
    #expect(countInside == 3)
    #expect(recorder.events.count == 3)
  }

  @Test func `Subscribers are told in the order they came`() {
    let pledge = Pledge<Int, Never>()
    var told: [Int] = []
    let recorders = (0..<100).map { index in
      let recorder = Recorder<Int, Never>()
      recorder.onValue = { _ in
        told.append(index)
        return .none
      }
      pledge.future.subscribe(recorder)
      return recorder
    }
    for index in stride(from: 0, to: 100, by: 3) { recorders[index].cancel() }
    pledge.resolve(.success(1))
    #expect(told == (0..<100).filter { !$0.isMultiple(of: 3) })
  }

  @Test func `A subscriber that subscribes during a delivery gets the value too`() {
    let pledge = Pledge<Int, Never>()
    let outer = Recorder<Int, Never>()
    let inner = Recorder<Int, Never>()
    outer.onValue = { _ in
      pledge.future.subscribe(inner)
      return .none
    }
    pledge.future.subscribe(outer)
    pledge.resolve(.success(1))
    #expect(inner.events == [.subscription("Future"), .value(1), .completion(.finished)])
    #expect(outer.events == inner.events)
  }

  @Test func `A subscriber that subscribes twice gets the value twice`() {
    let pledge = Pledge<Int, Never>()
    let recorder = Recorder<Int, Never>()
    pledge.future.subscribe(recorder)
    pledge.future.subscribe(recorder)
    pledge.resolve(.success(1))
    #expect(recorder.values == [1, 1])
    #expect(recorder.subscriptions[0].combineIdentifier != recorder.subscriptions[1].combineIdentifier)
  }

  @Test func `Asking for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Future<Int, Never> { _ in }.subscribe(Recorder<Int, Never>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  // MARK: Cancelling

  @Test(arguments: [Outcome.success(1), .failure(.oops)])
  func `A cancel before the result leaves nothing to come`(_ outcome: Result<Int, TestError>) {
    let pledge = Pledge<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    let other = Recorder<Int, TestError>()
    pledge.future.subscribe(recorder)
    pledge.future.subscribe(other)
    recorder.cancel()
    recorder.cancel()
    pledge.resolve(outcome)
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription("Future")])
    #expect(other.completions.count == 1)
  }

  @Test func `A cancel between the result and the request leaves nothing to come`() {
    let pledge = Pledge<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    pledge.future.subscribe(recorder)
    pledge.resolve(.success(1))
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("Future")])
  }

  @Test(arguments: [nil, Outcome.success(1), .failure(.oops)])
  func `A cancel on receipt of the subscription leaves nothing to come`(_ early: Result<Int, TestError>?) {
    let pledge = Pledge<Int, TestError>()
    if let early { pledge.resolve(early) }
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { $0.cancel() }
    pledge.future.subscribe(recorder)
    pledge.resolve(.success(2))
    #expect(recorder.events == [.subscription("Future")])
  }

  @Test(arguments: [false, true])
  func `A cancel during the delivery suppresses the completion`(_ late: Bool) {
    let pledge = Pledge<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    if late { pledge.resolve(.success(1)) }
    pledge.future.subscribe(recorder)
    pledge.resolve(.success(1))
    #expect(recorder.events == [.subscription("Future"), .value(1)])
  }

  @Test func `A subscriber that cancels another one keeps it from being told`() {
    let pledge = Pledge<Int, TestError>()
    let first = Recorder<Int, TestError>()
    let second = Recorder<Int, TestError>()
    first.onValue = { _ in
      second.cancel()
      return .none
    }
    pledge.future.subscribe(first)
    pledge.future.subscribe(second)
    pledge.resolve(.success(1))
    #expect(first.values == [1])
    #expect(second.events == [.subscription("Future")])
  }

  // MARK: Descriptions

  @Test func `The subscription shows the future until it is over`() {
    let pledge = Pledge<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    pledge.future.subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    let labels = ["parent", "downstream", "hasAnyDemand", "subject"]
    #expect(Shown(of: subscription) == Shown("Future", children: labels))
    #expect(subscription.mirrored[1...2] == ["Optional(Recorder)", "false"])
    recorder.request(.max(1))
    #expect(subscription.mirrored[1...2] == ["Optional(Recorder)", "true"])
    let parent = Mirror(reflecting: subscription).descendant("parent") as? Future<Int, TestError>
    #expect(parent === pledge.future)
    pledge.resolve(.success(1))
    #expect(Shown(of: subscription) == Shown("Future", children: labels))
    #expect(subscription.mirrored == ["nil", "nil", "true", "nil"])
  }

  // MARK: Threads

  @Test func `Of promises on several threads one counts, for everybody`() {
    for _ in 0..<100 {
      let pledge = Pledge<Int, Never>()
      let early = Recorder<Int, Never>(demand: nil)
      pledge.future.subscribe(early)
      early.request(.max(1))
      onThreads(4) { index in pledge.resolve(.success(index)) }
      let late = Recorder<Int, Never>()
      pledge.future.subscribe(late)
      #expect(early.values.count == 1)
      #expect(early.values == late.values)
      #expect(early.completions.count == 1)
    }
  }

  @Test func `A promise and requests on several threads deliver once`() {
    for _ in 0..<300 {
      let pledge = Pledge<Int, Never>()
      let probe = Recorder<Int, Never>(demand: nil)
      pledge.future.subscribe(probe)
      onThreads(3) { index in
        if index == 0 { pledge.resolve(.success(1)) } else { probe.request(.max(1)) }
      }
      #expect(probe.values == [1])
      #expect(probe.completions.count == 1)
      #expect(probe.isSerial)
    }
  }

  @Test func `A promise, a request and a cancel may race`() {
    for _ in 0..<300 {
      let pledge = Pledge<Int, Never>()
      let probe = Recorder<Int, Never>(demand: nil)
      pledge.future.subscribe(probe)
      onThreads([
        { pledge.resolve(.success(1)) }, { probe.request(.max(1)) }, { probe.cancel() },
      ])
      #expect(probe.values.count <= 1)
      #expect(probe.completions.count <= probe.values.count)
      let count = probe.values.count
      probe.request(.max(1))
      #expect(probe.values.count == count)
      #expect(probe.isSerial)
    }
  }

  @Test func `Subscribing while the promise is called loses nothing`() {
    for _ in 0..<100 {
      let pledge = Pledge<Int, TestError>()
      let complete = Locked(0)
      onThreads(4) { index in
        if index == 0 { return pledge.resolve(.success(1)) }
        for _ in 0..<10 {
          // Counted when the completion arrives, on any thread.
          pledge.future.subscribe(
            AnySubscriber<Int, TestError>(
              receiveSubscription: { $0.request(.max(1)) },
              receiveCompletion: { _ in complete.change { $0 += 1 } }))
        }
      }
      #expect(complete.value == 30)
    }
  }

  @Test(arguments: [Outcome.success(1), .failure(.oops)])
  func `A promise called while a subscriber is being introduced waits for that`(_ outcome: Result<Int, TestError>) {
    let isIntroducing = Gate()
    let hasResolved = Gate()
    let introduced = Locked(false)
    let tooEarly = Locked(false)
    let ends = Locked(0)
    let pledge = Pledge<Int, TestError>()
    onThreads([
      {
        pledge.future.subscribe(
          AnySubscriber<Int, TestError>(
            receiveSubscription: {
              $0.request(.max(1))
              isIntroducing.open()
              hasResolved.wait()
              introduced.change { $0 = true }
            },
            receiveValue: { _ in
              if !introduced.value { tooEarly.change { $0 = true } }
              return .none
            },
            receiveCompletion: { _ in
              if !introduced.value { tooEarly.change { $0 = true } }
              ends.change { $0 += 1 }
            }))
      },
      {
        isIntroducing.wait()
        pledge.resolve(outcome)
        hasResolved.open()
      },
    ])
    #expect(!tooEarly.value)
    #expect(ends.value == 1)
  }

  /// Holding a lock during a delivery would make this a deadlock.
  @Test func `Two futures may resolve each other from two threads`() {
    for _ in 0..<50 {
      let a = Pledge<Int, Never>()
      let b = Pledge<Int, Never>()
      let both = Locked(0)
      for (one, other) in [(a, b), (b, a)] {
        one.future.subscribe(
          AnySubscriber<Int, Never>(
            receiveSubscription: { $0.request(.max(1)) },
            receiveValue: { value in
              other.resolve(.success(value))
              other.future.subscribe(Recorder<Int, Never>())
              both.change { $0 += 1 }
              return .none
            }))
      }
      onThreads([{ a.resolve(.success(1)) }, { b.resolve(.success(2)) }])
      #expect(both.value == 2)
    }
  }

  // MARK: Lifetime

  @Test func `The promise keeps the future alive`() {
    var graveyard = Graveyard()
    let pledge = Pledge<Int, Never>()
    _ = graveyard.watch(pledge.future)
    pledge.dropFuture()
    #expect(graveyard.survivors.count == 1)
    pledge.dropPromise()
    #expect(graveyard.survivors == [])
  }

  @Test func `A subscriber keeps the future alive until it is cancelled`() {
    var graveyard = Graveyard()
    let recorder = Recorder<Int, Never>()
    do {
      let pledge = Pledge<Int, Never>()
      graveyard.watch(pledge.future).subscribe(recorder)
    }
    #expect(graveyard.survivors.count == 1)
    recorder.cancel()
    #expect(graveyard.survivors == [])
    #expect(recorder.events == [.subscription("Future")])
  }

  @Test(arguments: [nil, Outcome.success(1), .failure(.oops)])
  func `The end frees the subscriber and the future, even while the subscription is kept`(
    _ outcome: Result<Int, TestError>?
  ) {
    var graveyard = Graveyard()
    var kept: (any Subscription)?
    do {
      let pledge = graveyard.watch(Pledge<Int, TestError>(), "pledge")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      graveyard.watch(pledge.future, "future").subscribe(recorder)
      kept = recorder.subscriptions[0]
      recorder.releaseSubscriptions()
      if let outcome { pledge.resolve(outcome) }
      pledge.dropPromise()
    }
    if outcome == nil {
      #expect(graveyard.survivors == ["subscriber", "future"])
      kept?.cancel()
    }
    #expect(graveyard.survivors == [])
    kept = nil
  }

  @Test func `A future forgets those who have cancelled while it waits`() {
    var graveyard = Graveyard()
    let pledge = Pledge<Int, Never>()
    for _ in 0..<3 {
      let recorder = graveyard.watch(Recorder<Int, Never>())
      pledge.future.subscribe(recorder)
      _ = graveyard.watch(recorder.subscriptions[0] as AnyObject, "subscription")
      recorder.cancel()
    }
    #expect(graveyard.survivors == [])
    pledge.resolve(.success(1))
  }

  @Test func `A sink lives until the result and no longer`() {
    var graveyard = Graveyard()
    let pledge = Pledge<Int, Never>()
    var values: [Int] = []
    func subscribe() -> AnyCancellable {
      let canary = graveyard.watch(Canary(), "closure")
      return pledge.future.sink { value in withExtendedLifetime(canary) { values.append(value) } }
    }
    let cancellable = subscribe()
    #expect(graveyard.survivors == ["closure"])
    pledge.resolve(.success(1))
    #expect(values == [1])
    #expect(graveyard.survivors == [])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `A future that waits long keeps up with many subscribers who leave`() {
    let pledge = Pledge<Int, Never>()
    let recorders = (0..<20_000).map { _ in Recorder<Int, Never>() }
    for recorder in recorders { pledge.future.subscribe(recorder) }
    for recorder in recorders.dropLast() { recorder.cancel() }
    pledge.resolve(.success(1))
    #expect(recorders.last?.values == [1])
    #expect(recorders.first?.values == [])
  }
}
