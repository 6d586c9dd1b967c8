// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

extension OperatorSpec {
  /// The signals that replace the completion.
  fileprivate static let replacement: [Event<Int, TestError>] = [.value(-1), .completion(.finished)]

  fileprivate var story: [Event<Int, TestError>] { [.subscription(shown.description)] + Self.replacement }
}

@Suite struct SubstitutingRules {
  private typealias Events = [Event<Int, TestError>]

  private func attach(
    _ spec: OperatorSpec, _ recorder: Recorder<Int, TestError>,
    subscription: ManualSubscription? = ManualSubscription()
  ) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>(subscription: subscription)
    spec.apply(publisher.eraseToAnyPublisher()).subscribe(recorder)
    return publisher
  }

  @Test(arguments: OperatorSpec.substituting)
  func `The value goes out at once if it was asked for`(_ spec: OperatorSpec) {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    let publisher = attach(spec, recorder)
    publisher.send(completion: spec.replacedCompletion!)
    #expect(recorder.events == spec.story)
    recorder.request(.max(1))
    publisher.send(completion: .finished)
    #expect(recorder.events == spec.story)
    #expect(publisher.calls == [.requested(.max(1))])
  }

  @Test(arguments: OperatorSpec.substituting, [Subscribers.Demand.max(1), .max(3), .unlimited])
  func `The value waits until it is asked for`(_ spec: OperatorSpec, _ demand: Subscribers.Demand) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let publisher = attach(spec, recorder)
    publisher.send(completion: spec.replacedCompletion!)
    #expect(recorder.events == [.subscription(spec.shown.description)])
    recorder.request(demand)
    #expect(recorder.events == spec.story)
    recorder.request(demand)
    #expect(recorder.events == spec.story)
    #expect(publisher.calls.isEmpty)
  }

  @Test(arguments: OperatorSpec.substituting)
  func `Values pass with their demand, and requests go upstream as they are`(_ spec: OperatorSpec) {
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))
    let publisher = attach(spec, recorder)
    recorder.request(.max(4))
    #expect(publisher.send(1) == .max(3))
    #expect(publisher.send(2) == .max(3))
    publisher.send(completion: .finished)
    #expect(publisher.calls == [.requested(.max(2)), .requested(.max(4))])
    let events: Events = [.subscription(spec.shown.description), .value(1), .value(2), .completion(.finished)]
    #expect(recorder.events == events)
  }

  @Test(arguments: OperatorSpec.substituting)
  func `What comes before the subscription is ignored`(_ spec: OperatorSpec) {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(spec, recorder, subscription: nil)
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events.isEmpty)
    publisher.send(subscription: ManualSubscription())
    publisher.send(completion: spec.replacedCompletion!)
    #expect(recorder.events == spec.story)
  }

  @Test(arguments: OperatorSpec.substituting)
  func `A second subscription is cancelled`(_ spec: OperatorSpec) {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(spec, recorder)
    let second = ManualSubscription()
    publisher.send(subscription: second)
    #expect(second.calls == [.cancelled])
    #expect(publisher.calls == [.requested(.unlimited)])
    #expect(recorder.subscriptions.count == 1)
  }

  @Test(arguments: OperatorSpec.substituting)
  func `A cancel goes upstream once, and nothing comes afterwards`(_ spec: OperatorSpec) {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(spec, recorder)
    recorder.cancel()
    recorder.cancel()
    #expect(publisher.send(1) == .none)
    publisher.send(completion: spec.replacedCompletion!)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(spec.shown.description)])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: OperatorSpec.substituting)
  func `A cancel drops a value that waits`(_ spec: OperatorSpec) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let publisher = attach(spec, recorder)
    publisher.send(completion: spec.replacedCompletion!)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(spec.shown.description)])
    #expect(publisher.calls.isEmpty)
  }

  @Test(arguments: OperatorSpec.substituting, [false, true])
  func `A cancel during the value's delivery keeps the completion back`(
    _ spec: OperatorSpec, _ held: Bool
  ) {
    let recorder = Recorder<Int, TestError>(demand: held ? nil : .unlimited)
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    attach(spec, recorder).send(completion: spec.replacedCompletion!)
    if held { recorder.request(.max(1)) }
    #expect(recorder.events == [.subscription(spec.shown.description), .value(-1)])
  }

  @Test(arguments: OperatorSpec.substituting)
  func `Requests during the deliveries bring nothing twice`(_ spec: OperatorSpec) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onValue = { _ in
      recorder.request(.max(1))
      return .max(1)
    }
    recorder.onCompletion = { _ in recorder.request(.max(1)) }
    attach(spec, recorder).send(completion: spec.replacedCompletion!)
    recorder.request(.max(1))
    #expect(recorder.events == spec.story)
  }

  @Test(arguments: OperatorSpec.substituting.map(\.name))
  func `Asking for nothing traps`(_ name: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      OperatorSpec.named(name).apply(Empty(completeImmediately: false).eraseToAnyPublisher())
        .subscribe(Recorder<Int, TestError>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  @Test(arguments: OperatorSpec.substituting)
  func `Subscription and subscriber show the name`(_ spec: OperatorSpec) {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(spec, recorder)
    #expect(Shown(of: recorder.subscriptions[0]) == spec.shown)
    #expect(Shown(of: publisher.subscribers[0]) == spec.shown)
    #expect(recorder.subscriptions[0].combineIdentifier == publisher.subscribers[0].combineIdentifier)
  }

  // MARK: Threads

  @Test(arguments: OperatorSpec.substituting)
  func `A value that waits goes out once, whatever the number of threads that request it`(_ spec: OperatorSpec) {
    for _ in 0..<100 {
      let recorder = Recorder<Int, TestError>(demand: nil)
      attach(spec, recorder).send(completion: spec.replacedCompletion!)
      let subscription = UncheckedBox(recorder.subscriptions[0])
      onThreads(4) { _ in subscription.value.request(.max(1)) }
      #expect(recorder.events == spec.story)
    }
  }

  @Test(arguments: OperatorSpec.substituting)
  func `A request that races with the end of upstream is not lost`(_ spec: OperatorSpec) {
    for _ in 0..<300 {
      let recorder = raceWithTheEnd(of: spec)
      #expect(recorder.events == spec.story)
    }
  }

  /// Lets a request and upstream's completion race, and optionally a cancel.
  private func raceWithTheEnd(of spec: OperatorSpec, cancels: Bool = false) -> Recorder<Int, TestError> {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let subject = PassthroughSubject<Int, TestError>()
    spec.apply(subject.eraseToAnyPublisher()).subscribe(recorder)
    var work: [@Sendable () -> Void] = [
      { subject.send(completion: spec.replacedCompletion!) },
      { recorder.request(.max(1)) },
    ]
    if cancels { work.append { recorder.cancel() } }
    onThreads(work)
    return recorder
  }

  @Test(arguments: OperatorSpec.substituting)
  func `A cancel that races with everything leaves at most one end`(_ spec: OperatorSpec) {
    for _ in 0..<300 {
      let recorder = raceWithTheEnd(of: spec, cancels: true)
      let events = recorder.events.dropFirst()
      #expect(OperatorSpec.replacement.starts(with: events))
      recorder.request(.max(1))
      #expect(recorder.events.dropFirst() == events)
    }
  }

  // MARK: Memory

  @Test(arguments: OperatorSpec.substituting, ["replace", "value", "cancel", "hold", "hold, then cancel"])
  func `Nothing is left when the stream is over`(_ spec: OperatorSpec, _ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(
        Recorder<Int, TestError>(demand: end.hasPrefix("hold") ? nil : .unlimited), "subscriber")
      spec.apply(subject.eraseToAnyPublisher()).subscribe(recorder)
      switch end {
      case "value":
        subject.send(1)
        subject.send(completion: .finished)
      case "cancel": recorder.cancel()
      default: subject.send(completion: spec.replacedCompletion!)
      }
      if end == "hold, then cancel" { recorder.cancel() }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: OperatorSpec.substituting, ["cancel", "finish", "replace"])
  func `A sink below frees its closures, though everybody is alive`(_ spec: OperatorSpec, _ end: String) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, TestError>()
    let cancellable: AnyCancellable
    do {
      let canary = graveyard.watch(Canary(), "closure")
      cancellable = spec.apply(subject.eraseToAnyPublisher()).sink(
        receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(canary) {} })
    }
    if end != "replace" { subject.send(1) }
    switch end {
    case "cancel": cancellable.cancel()
    case "finish": subject.send(completion: .finished)
    default: subject.send(completion: spec.replacedCompletion!)
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
