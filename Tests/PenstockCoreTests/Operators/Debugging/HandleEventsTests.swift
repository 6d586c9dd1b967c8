// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct HandleEventsTests {
  /// A log of the closures' calls and of the events around them.
  private final class Log {
    var lines: [String] = []
    func callAsFunction(_ line: String) { lines.append(line) }
  }

  private let log = Log()
  private let source = ManualPublisher<Int, TestError>()

  private func observed<Upstream: Publisher<Int, TestError>>(
    _ upstream: Upstream
  ) -> Publishers.HandleEvents<Upstream> {
    let log = log
    return upstream.handleEvents(
      receiveSubscription: { log("subscription \($0)") },
      receiveOutput: { log("output \($0)") },
      receiveCompletion: { log("completion \($0)") },
      receiveCancel: { log("cancel") },
      receiveRequest: { log("request \($0)") })
  }

  @Test func `The closure for each signal runs before the signal is forwarded`() {
    let log = log
    source.subscription?.onRequest = { log("> request \($0)") }
    source.subscription?.onCancel = { log("> cancel") }
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { log("> subscription \($0)") }
    recorder.onValue = { value in
      log("> output \(value)")
      return .max(4)
    }
    observed(source).subscribe(recorder)
    recorder.request(.max(2))
    #expect(source.send(1) == .max(4))
    recorder.cancel()
    #expect(
      log.lines == [
        "subscription ManualSubscription", "> subscription HandleEvents", "request max(2)", "> request max(2)",
        "output 1", "> output 1", "request max(4)", "cancel", "> cancel",
      ])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The closure for a completion runs before downstream receives it`(
    _ completion: Subscribers.Completion<TestError>
  ) {
    let log = log
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onCompletion = { log("> completion \($0)") }
    observed(source).subscribe(recorder)
    source.send(completion: completion)
    #expect(log.lines.dropFirst() == ["completion \(completion)", "> completion \(completion)"])
  }

  @Test func `A request for nothing reaches the closure and upstream, nothing returned does not`() {
    let recorder = Recorder<Int, TestError>(demand: .some(.none))
    observed(source).subscribe(recorder)
    source.send(1)
    #expect(log.lines == ["subscription ManualSubscription", "request max(0)", "output 1"])
    #expect(source.subscription?.requests == [.none])
  }

  @Test func `Any of the closures may be left out`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(1))
    source.handleEvents().subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(.oops))
    recorder.cancel()
    #expect(recorder.events == [.subscription("HandleEvents"), .value(1), .completion(.failure(.oops))])
  }

  @Test func `The closures can be changed before subscribing`() {
    var publisher = source.handleEvents()
    let log = log
    publisher.receiveOutput = { log("changed \($0)") }
    publisher.subscribe(Recorder<Int, TestError>())
    source.send(1)
    #expect(log.lines == ["changed 1"])
    #expect(publisher.receiveCancel == nil)
    #expect(publisher.upstream === source)
  }

  @Test(arguments: ["finish", "cancel"])
  func `After the end no closure runs, though values and completions go on`(_ end: String) {
    let recorder = Recorder<Int, TestError>(demand: nil, answering: .max(1))
    observed(source).subscribe(recorder)
    if end == "finish" { source.send(completion: .finished) } else { recorder.cancel() }
    let before = log.lines
    recorder.cancel()
    recorder.request(.max(1))
    #expect(source.send(1) == .max(1))
    source.send(completion: .failure(.oops))
    source.send(subscription: ManualSubscription())
    #expect(log.lines == before)
    #expect(recorder.values == [1])
    #expect(recorder.completions.last == .failure(.oops))
  }

  @Test func `A second subscription reaches the closure, and is cancelled`() {
    observed(source).subscribe(Recorder<Int, TestError>(demand: nil))
    let second = ManualSubscription()
    source.send(subscription: second)
    #expect(log.lines == ["subscription ManualSubscription", "subscription ManualSubscription"])
    #expect(second.calls == [.cancelled])
  }

  @Test func `Before the subscription every signal reaches its closure, and the subscription still comes`() throws {
    let pipeline = ManualPipeline(subscribed: false, demand: nil) { (upstream: Upstream<TestError>) in
      observed(upstream)
    }
    let subscription = try #require(pipeline.ownSubscription)
    subscription.request(.max(1))
    subscription.cancel()
    subscription.cancel()
    pipeline.send(1)
    pipeline.subscribe()
    pipeline.cancel()
    #expect(
      log.lines == [
        "request max(1)", "cancel", "cancel", "output 1", "subscription ManualSubscription", "cancel",
      ])
    #expect(pipeline.subscription.calls == [.cancelled])
  }

  @Test func `A cancel in the closure for the completion reaches no closure`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let log = log
    source.handleEvents(
      receiveCompletion: { _ in recorder.cancel() }, receiveCancel: { log("cancel") }
    ).subscribe(recorder)
    source.send(completion: .finished)
    #expect(log.lines.isEmpty)
    #expect(source.calls.isEmpty)
    #expect(recorder.completions == [.finished])
  }

  @Test func `A cancel from the closure about the cancel cancels once`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    var count = 0
    source.handleEvents(receiveCancel: {
      count += 1
      recorder.cancel()
    }).subscribe(recorder)
    recorder.cancel()
    #expect(count == 1)
    #expect(source.calls == [.cancelled])
  }

  @Test func `Of many threads that cancel, one reaches the closure`() {
    for _ in 0..<50 {
      let count = Locked(0)
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      subject.handleEvents(receiveCancel: { count.change { $0 += 1 } }).subscribe(recorder)
      onThreads(3) { _ in recorder.cancel() }
      #expect(count.value == 1)
    }
  }

  @Test func `A subscriber that keeps its subscription keeps no closure after the end`() {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    do {
      let canary = graveyard.watch(Canary(), "closure")
      source.handleEvents(
        receiveOutput: { _ in withExtendedLifetime(canary) {} }, receiveCancel: { withExtendedLifetime(canary) {} }
      ).subscribe(recorder)
    }
    #expect(graveyard.survivors == ["closure"])
    source.send(completion: .finished)
    #expect(recorder.subscriptions.count == 1)
    #expect(graveyard.survivors.isEmpty)
  }
}
