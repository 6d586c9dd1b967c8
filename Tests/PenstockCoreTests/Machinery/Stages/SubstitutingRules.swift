// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The two operators that put a value in the place of upstream's completion, for the rules that both follow.
enum SubstitutingCase: String, CaseIterable, CustomTestStringConvertible, Codable {
  case replaceEmpty = "ReplaceEmpty"
  case replaceError = "ReplaceError"

  var testDescription: String { rawValue }

  func make(_ upstream: some Publisher<Int, TestError>) -> AnyPublisher<Int, TestError> {
    switch self {
    case .replaceEmpty: upstream.replaceEmpty(with: -1).eraseToAnyPublisher()
    case .replaceError: upstream.replaceError(with: -1).setFailureType(to: TestError.self).eraseToAnyPublisher()
    }
  }

  /// The completion of upstream that the value replaces.
  var replaced: Subscribers.Completion<TestError> { self == .replaceEmpty ? .finished : .failure(.oops) }

  /// The events that replace it.
  static let outcome: [Event<Int, TestError>] = [.value(-1), .completion(.finished)]

  var story: [Event<Int, TestError>] { [.subscription(rawValue)] + Self.outcome }
}

@Suite struct SubstitutingRules {
  private typealias Events = [Event<Int, TestError>]

  private func attach(
    _ operation: SubstitutingCase, _ recorder: Recorder<Int, TestError>,
    subscription: ManualSubscription? = ManualSubscription()
  ) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>(subscription: subscription)
    operation.make(publisher).subscribe(recorder)
    return publisher
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `The value goes out at once if it was asked for`(_ operation: SubstitutingCase) {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    let publisher = attach(operation, recorder)
    publisher.send(completion: operation.replaced)
    #expect(recorder.events == operation.story)
    recorder.request(.max(1))
    publisher.send(completion: .finished)
    #expect(recorder.events == operation.story)
    #expect(publisher.calls == [.requested(.max(1))])
  }

  @Test(arguments: SubstitutingCase.allCases, [Subscribers.Demand.max(1), .max(3), .unlimited])
  func `The value waits until it is asked for`(_ operation: SubstitutingCase, _ demand: Subscribers.Demand) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let publisher = attach(operation, recorder)
    publisher.send(completion: operation.replaced)
    #expect(recorder.events == [.subscription(operation.rawValue)])
    recorder.request(demand)
    #expect(recorder.events == operation.story)
    recorder.request(demand)
    #expect(recorder.events == operation.story)
    #expect(publisher.calls.isEmpty)
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `Values pass with their demand, and requests go upstream as they are`(_ operation: SubstitutingCase) {
    let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))
    let publisher = attach(operation, recorder)
    recorder.request(.max(4))
    #expect(publisher.send(1) == .max(3))
    #expect(publisher.send(2) == .max(3))
    publisher.send(completion: .finished)
    #expect(publisher.calls == [.requested(.max(2)), .requested(.max(4))])
    let events: Events = [.subscription(operation.rawValue), .value(1), .value(2), .completion(.finished)]
    #expect(recorder.events == events)
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `What comes before the subscription is ignored`(_ operation: SubstitutingCase) {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(operation, recorder, subscription: nil)
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events.isEmpty)
    publisher.send(subscription: ManualSubscription())
    publisher.send(completion: operation.replaced)
    #expect(recorder.events == operation.story)
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `A second subscription is cancelled`(_ operation: SubstitutingCase) {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(operation, recorder)
    let second = ManualSubscription()
    publisher.send(subscription: second)
    #expect(second.calls == [.cancelled])
    #expect(publisher.calls == [.requested(.unlimited)])
    #expect(recorder.subscriptions.count == 1)
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `A cancel goes upstream once, and nothing comes afterwards`(_ operation: SubstitutingCase) {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(operation, recorder)
    recorder.cancel()
    recorder.cancel()
    #expect(publisher.send(1) == .none)
    publisher.send(completion: operation.replaced)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(operation.rawValue)])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `A cancel drops a value that waits`(_ operation: SubstitutingCase) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let publisher = attach(operation, recorder)
    publisher.send(completion: operation.replaced)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription(operation.rawValue)])
    #expect(publisher.calls.isEmpty)
  }

  @Test(arguments: SubstitutingCase.allCases, [false, true])
  func `A cancel during the value's delivery keeps the completion back`(
    _ operation: SubstitutingCase, _ held: Bool
  ) {
    let recorder = Recorder<Int, TestError>(demand: held ? nil : .unlimited)
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    attach(operation, recorder).send(completion: operation.replaced)
    if held { recorder.request(.max(1)) }
    #expect(recorder.events == [.subscription(operation.rawValue), .value(-1)])
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `Requests during the deliveries bring nothing twice`(_ operation: SubstitutingCase) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onValue = { _ in
      recorder.request(.max(1))
      return .max(1)
    }
    recorder.onCompletion = { _ in recorder.request(.max(1)) }
    attach(operation, recorder).send(completion: operation.replaced)
    recorder.request(.max(1))
    #expect(recorder.events == operation.story)
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `Asking for nothing traps`(_ operation: SubstitutingCase) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [operation] in
      operation.make(Empty<Int, TestError>(completeImmediately: false)).subscribe(
        Recorder<Int, TestError>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `Subscription and subscriber show the name`(_ operation: SubstitutingCase) {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(operation, recorder)
    #expect(Shown(of: recorder.subscriptions[0]) == Shown(operation.rawValue))
    #expect(Shown(of: publisher.subscribers[0]) == Shown(operation.rawValue))
    #expect(recorder.subscriptions[0].combineIdentifier == publisher.subscribers[0].combineIdentifier)
  }

  // MARK: Threads

  @Test(arguments: SubstitutingCase.allCases)
  func `A value that waits goes out once, whatever the number of threads that request it`(_ operation: SubstitutingCase)
  {
    for _ in 0..<100 {
      let recorder = Recorder<Int, TestError>(demand: nil)
      attach(operation, recorder).send(completion: operation.replaced)
      let subscription = UncheckedBox(recorder.subscriptions[0])
      onThreads(4) { _ in subscription.value.request(.max(1)) }
      #expect(recorder.events == operation.story)
    }
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `A request that races with the end of upstream is not lost`(_ operation: SubstitutingCase) {
    for _ in 0..<300 {
      let recorder = raceWithTheEnd(of: operation)
      #expect(recorder.events == operation.story)
    }
  }

  /// Lets a request and upstream's completion race, and optionally a cancel.
  private func raceWithTheEnd(of operation: SubstitutingCase, cancels: Bool = false) -> Recorder<Int, TestError> {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let subject = PassthroughSubject<Int, TestError>()
    operation.make(subject).subscribe(recorder)
    var work: [@Sendable () -> Void] = [
      { subject.send(completion: operation.replaced) },
      { recorder.request(.max(1)) },
    ]
    if cancels { work.append { recorder.cancel() } }
    onThreads(work)
    return recorder
  }

  @Test(arguments: SubstitutingCase.allCases)
  func `A cancel that races with everything leaves at most one end`(_ operation: SubstitutingCase) {
    for _ in 0..<300 {
      let recorder = raceWithTheEnd(of: operation, cancels: true)
      let events = recorder.events.dropFirst()
      #expect(SubstitutingCase.outcome.starts(with: events))
      recorder.request(.max(1))
      #expect(recorder.events.dropFirst() == events)
    }
  }

  // MARK: Memory

  @Test(arguments: SubstitutingCase.allCases, ["replace", "value", "cancel", "hold", "hold, then cancel"])
  func `Nothing is left when the stream is over`(_ operation: SubstitutingCase, _ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(
        Recorder<Int, TestError>(demand: end.hasPrefix("hold") ? nil : .unlimited), "subscriber")
      operation.make(subject).subscribe(recorder)
      switch end {
      case "value":
        subject.send(1)
        subject.send(completion: .finished)
      case "cancel": recorder.cancel()
      default: subject.send(completion: operation.replaced)
      }
      if end == "hold, then cancel" { recorder.cancel() }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: SubstitutingCase.allCases, ["cancel", "finish", "replace"])
  func `A sink below frees its closures, though everybody is alive`(_ operation: SubstitutingCase, _ end: String) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, TestError>()
    let cancellable: AnyCancellable
    do {
      let canary = graveyard.watch(Canary(), "closure")
      cancellable = operation.make(subject).sink(
        receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(canary) {} })
    }
    if end != "replace" { subject.send(1) }
    switch end {
    case "cancel": cancellable.cancel()
    case "finish": subject.send(completion: .finished)
    default: subject.send(completion: operation.replaced)
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
