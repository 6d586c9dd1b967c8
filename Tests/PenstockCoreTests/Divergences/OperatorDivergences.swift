// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Deliberate differences between the operators with one upstream and Combine's.
@Suite struct OperatorDivergences {
  /// Combine forgets it, subscribes to upstream all the same and delivers: `dropFirst` is the only operator whose
  /// subscriber gets a subscription before upstream is subscribed to, and so can cancel that early without breaking a
  /// rule.
  @Test func `dropFirst remembers a cancel that comes before upstream's subscription`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    recorder.onSubscription = { $0.cancel() }
    source.dropFirst(1).subscribe(recorder)
    #expect(source.calls == [.cancelled])
  }

  /// Combine forwards every completion, and with it one that comes after a cancel.
  @Test func `dropFirst forwards no completion after a cancel`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onSubscription = { $0.cancel() }
    Publishers.Drop(upstream: Empty<Int, Never>(), count: 1).subscribe(recorder)
    #expect(recorder.events == [.subscription("Drop")])
  }

  /// Combine's `tryScan` does not leave its active state when upstream completes, and so keeps upstream's subscription:
  /// a cycle, if upstream keeps its subscriber.
  @Test func `tryScan lets upstream's subscription go with the completion`() {
    var graveyard = Graveyard()
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let recorder = Recorder<Int, any Error>(demand: nil)
    source.tryScan(0, +).subscribe(recorder)
    source.send(subscription: graveyard.watch(ManualSubscription(), "upstream's subscription"))
    source.send(completion: .finished)
    #expect(graveyard.survivors.isEmpty)
  }

  /// Combine forwards the values that upstream still sends, but a stream that has failed is over.
  @Test(arguments: ["tryMap", "tryScan"].map(OperatorSpec.named))
  func `No value follows an error thrown in tryMap or tryScan`(_ spec: OperatorSpec) {
    let pipeline = spec.pipeline { if $0 == 3 { throw TestError.oops } }
    for value in 2...4 { pipeline.send(value) }
    #expect(pipeline.values.count == 1)
    #expect(pipeline.ends == ["failure(oops)"])
  }

  /// Combine's handleEvents, print and breakpoint forward the completion at once, and the subscription after it.
  @Test func `An end caused by the closure about a subscription follows the subscription`() {
    let subject = PassthroughSubject<Int, Never>()
    let handling = Recorder<Int, Never>()
    subject.handleEvents(receiveSubscription: { _ in subject.send(completion: .finished) }).subscribe(handling)
    /// Ends the publisher when a line is written to it.
    struct Ending: TextOutputStream {
      let subject: PassthroughSubject<Int, Never>
      mutating func write(_ string: String) { subject.send(completion: .finished) }
    }
    let (printed, stopping) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let (printing, stopped) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    printed.print(to: Ending(subject: printed)).subscribe(printing)
    stopping.breakpoint(receiveSubscription: { _ in
      stopping.send(completion: .finished)
      return false
    }).subscribe(stopped)
    for recorder in [handling, printing, stopped] {
      #expect(recorder.events.count == 2)
      #expect(recorder.subscriptionTexts.count == 1)
      #expect(recorder.events.last == .completion(.finished))
    }
  }

  /// Combine frees them at the completion or the cancel, which requires each value to take a lock.
  @Test func `The closures of handleEvents are freed when upstream releases the operator`() {
    var graveyard = Graveyard()
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    do {
      let canary = graveyard.watch(Canary(), "closure")
      source.handleEvents(receiveOutput: { _ in withExtendedLifetime(canary) {} }).subscribe(recorder)
    }
    recorder.cancel()
    #expect(graveyard.survivors == ["closure"])
    source.releaseSubscribers()
    #expect(graveyard.survivors.isEmpty)

    // None of them is called after the end.
    var calls: [String] = []
    let (upstream, late) = (ManualPublisher<Int, TestError>(), Recorder<Int, TestError>())
    upstream.handleEvents(
      receiveOutput: { _ in calls.append("value") }, receiveCompletion: { _ in calls.append("end") },
      receiveCancel: { calls.append("cancel") }, receiveRequest: { _ in calls.append("request") }
    ).subscribe(late)
    upstream.send(completion: .finished)
    upstream.send(1)
    upstream.send(completion: .finished)
    late.request(.max(1))
    late.cancel()
    #expect(calls == ["request", "end"])
  }
}
