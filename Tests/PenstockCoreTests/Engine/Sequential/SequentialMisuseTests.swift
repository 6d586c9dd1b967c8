// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The operators of the handover shape, and signals that break the rules.
@Suite struct SequentialMisuseTests {
  enum Kind: String, CaseIterable, Sendable {
    case `catch` = "Catch"
    case tryCatch = "TryCatch"
    case retry = "Retry"
    case append = "Concatenate"

    func make(_ source: some Publisher<Int, TestError>) -> AnyPublisher<Int, TestError> {
      switch self {
      case .catch: source.catch { _ in Empty<Int, TestError>(completeImmediately: false) }.eraseToAnyPublisher()
      case .tryCatch:
        source.tryCatch { _ in Empty<Int, TestError>(completeImmediately: false) }.mapError { $0 as! TestError }
          .eraseToAnyPublisher()
      case .retry: source.retry(1).eraseToAnyPublisher()
      case .append: source.append(9).eraseToAnyPublisher()
      }
    }

    var isStrict: Bool { self == .catch || self == .tryCatch }
  }

  @Test(arguments: Kind.allCases)
  func `A cancel before the subscription is remembered, except by catch`(_ kind: Kind) {
    let source = KeepingPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    kind.make(source).subscribe(recorder)
    source.asSubscription?.cancel()
    let subscription = ManualSubscription()
    source.subscriber?.receive(subscription: subscription)
    #expect(subscription.calls == (kind.isStrict ? [.requested(.unlimited)] : [.cancelled]))
    #expect(recorder.subscriptionTexts == (kind.isStrict ? [kind.rawValue] : []))
  }

  @Test(arguments: [Kind.retry, .append])
  func `Requests before the subscription count`(_ kind: Kind) {
    let source = KeepingPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    kind.make(source).subscribe(recorder)
    source.asSubscription?.request(.max(2))
    source.asSubscription?.request(.max(3))
    let subscription = ManualSubscription()
    source.subscriber?.receive(subscription: subscription)
    #expect(subscription.requests.reduce(.none, +) == .max(6))
  }

  @Test(arguments: [Kind.retry, .append])
  func `A request for nothing is passed on`(_ kind: Kind) {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: Subscribers.Demand.none)
    kind.make(source).subscribe(recorder)
    #expect(source.calls == [.requested(.none)])
  }

  @Test func `Before the subscription, retry forwards an end, the others ignore it`() {
    for kind in Kind.allCases {
      let source = KeepingPublisher<Int, TestError>()
      let recorder = Recorder<Int, TestError>()
      kind.make(source).subscribe(recorder)
      source.subscriber?.receive(completion: .finished)
      #expect(recorder.completions == (kind == .retry ? [.finished] : []), "\(kind)")
    }
  }

  @Test func `Before the subscription, append ignores a value`() {
    let source = KeepingPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    Kind.append.make(source).subscribe(recorder)
    source.asSubscription?.request(.max(3))
    #expect(source.subscriber?.receive(1) == Subscribers.Demand.none)
    source.subscriber?.receive(subscription: ManualSubscription())
    #expect(recorder.values.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `After a cancel and after the end nothing counts`(_ kind: Kind) {
    for end in ["cancel", "finish"] {
      let source = ManualPublisher<Int, TestError>()
      let recorder = Recorder<Int, TestError>()
      kind.make(source).subscribe(recorder)
      if end == "cancel" { recorder.cancel() } else { source.send(completion: .finished) }
      let before = recorder.events
      let calls = source.calls
      source.send(1)
      source.send(completion: .failure(.oops))
      source.send(completion: .finished)
      recorder.request(.max(1))
      recorder.cancel()
      recorder.cancel()
      #expect(recorder.events == before)
      #expect(source.calls == calls)
      let late = ManualSubscription()
      source.send(subscription: late)
      #expect(late.calls == [.cancelled])
    }
  }

  @Test func `A request for nothing, and what comes before the subscription, trap in catch`() async {
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Kind.catch.make(ManualPublisher<Int, TestError>()).subscribe(
        Recorder<Int, TestError>(demand: Subscribers.Demand.none))
    }
    expectMessage(nothing, "request(.none)")
    let request = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = KeepingPublisher<Int, TestError>()
      Kind.catch.make(source).subscribe(Recorder<Int, TestError>())
      source.asSubscription?.request(.max(1))
    }
    expectMessage(request, "Catch received a request before a subscription")
    let value = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = KeepingPublisher<Int, TestError>()
      Kind.tryCatch.make(source).subscribe(Recorder<Int, TestError>())
      _ = source.subscriber?.receive(1)
    }
    expectMessage(value, "TryCatch received a value that was not requested")
    let failure = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = KeepingPublisher<Int, TestError>()
      Kind.catch.make(source).subscribe(Recorder<Int, TestError>())
      source.subscriber?.receive(completion: .failure(.oops))
    }
    expectMessage(failure, "Catch received a failure before a subscription")
  }

  @Test func `A second failure from the same upstream traps in catch`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = ManualPublisher<Int, TestError>()
      Kind.catch.make(source).subscribe(Recorder<Int, TestError>())
      source.send(completion: .failure(.oops))
      source.send(completion: .failure(.oops))
    }
    expectMessage(result, "Catch received a second failure")
  }

  @Test func `A value that was not asked for traps in catch and in retry`() async {
    let caught = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = ManualPublisher<Int, TestError>()
      Kind.catch.make(source).subscribe(Recorder<Int, TestError>(demand: .max(1)))
      source.send(1)
      source.send(2)
    }
    expectMessage(caught, "Catch received a value that was not requested")
    let retried = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = ManualPublisher<Int, TestError>()
      Kind.retry.make(source).subscribe(Recorder<Int, TestError>(demand: nil))
      source.send(1)
    }
    expectMessage(retried, "Retry received a value that was not requested")
    let early = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = KeepingPublisher<Int, TestError>()
      Kind.retry.make(source).subscribe(Recorder<Int, TestError>())
      _ = source.subscriber?.receive(1)
    }
    expectMessage(early, "Retry received a value that was not requested")
  }

  @Test func `Retry and append have one identity for all`() {
    let sources = (0..<2).map { _ in ManualPublisher<Int, TestError>() }
    let recorder = Recorder<Int, TestError>()
    sources[0].append(sources[1]).subscribe(recorder)
    sources[0].send(completion: .finished)
    let identifiers =
      sources.map { $0.subscribers[0].combineIdentifier } + [recorder.subscriptions[0].combineIdentifier]
    #expect(Set(identifiers).count == 1)
    let attempts = ManualPublisher<Int, TestError>()
    attempts.retry(1).subscribe(recorder)
    attempts.send(completion: .failure(.oops))
    #expect(Set(attempts.subscribers.map(\.combineIdentifier)) == [recorder.subscriptions[1].combineIdentifier])
  }

  @Test(arguments: [1, 2])
  func `What a part of append sends after its end, and a second end, is not taken for its successor's`(_ place: Int) {
    let sources = (0..<4).map { _ in ManualPublisher<Int, TestError>() }
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    sources[0].append(sources[1]).append(sources[2]).append(sources[3]).subscribe(recorder)
    for source in sources[..<place] { source.send(completion: .finished) }
    for source in sources[..<place] {
      #expect(source.send(1) == .none)
      source.send(completion: .finished)
      source.send(completion: .failure(.oops))
      let late = ManualSubscription()
      source.send(subscription: late)
      #expect(late.calls == [.cancelled])
    }
    #expect(recorder.events == [.subscription("Concatenate")])
    #expect(sources[place].calls == [.requested(.max(1))])
    // Nothing has been debited.
    sources[place].send(2)
    #expect(recorder.values == [2])
    #expect(sources[place + 1].subscribers.isEmpty)
  }

  @Test func `Retry and append show nothing but their names`() {
    for kind in [Kind.retry, .append] {
      let source = ManualPublisher<Int, TestError>()
      let recorder = Recorder<Int, TestError>()
      kind.make(source).subscribe(recorder)
      #expect(Shown(of: source.subscribers[0]) == Shown(kind.rawValue))
      #expect(Shown(of: recorder.subscriptions[0]) == Shown(kind.rawValue))
      #expect(source.subscribers[0].combineIdentifier == recorder.subscriptions[0].combineIdentifier)
    }
  }
}
