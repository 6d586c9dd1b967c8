// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The common rules of `catch` and `tryCatch`, and the differences between them.
@Suite struct CatchTests {
  /// One of the two, with a source that is driven by hand, and a replacement.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply:
      @Sendable (ManualPublisher<Int, TestError>, @escaping (TestError) -> AnyPublisher<Int, TestError>)
        -> AnyPublisher<Int, TestError>
  }

  static let kinds = [
    Kind(testDescription: "Catch") { $0.catch($1).eraseToAnyPublisher() },
    Kind(testDescription: "TryCatch") { source, handler in
      source.tryCatch(handler).mapError { $0 as! TestError }.eraseToAnyPublisher()
    },
  ]

  @Test(arguments: kinds)
  func `A failure goes to the closure, and its publisher takes over`(_ kind: Kind) {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    var caught: [TestError] = []
    kind.apply(source) {
      caught.append($0)
      return Publishers.Sequence(sequence: [7, 8]).eraseToAnyPublisher()
    }.subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(caught == [.oops])
    #expect(
      recorder.events == [.subscription(kind.testDescription), .value(1), .value(7), .value(8), .completion(.finished)])
    // The failed upstream is not cancelled.
    #expect(source.calls == [.requested(.unlimited)])
  }

  @Test(arguments: kinds)
  func `Without a failure the closure is not used`(_ kind: Kind) {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    kind.apply(source) { _ in
      Issue.record("called")
      return Empty().eraseToAnyPublisher()
    }.subscribe(recorder)
    source.send(1)
    source.send(completion: .finished)
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
  }

  @Test(arguments: kinds)
  func `The replacement's failure is not caught again`(_ kind: Kind) {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    kind.apply(source) { _ in Fail(error: TestError("second")).eraseToAnyPublisher() }.subscribe(recorder)
    source.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(TestError("second"))])
  }

  @Test(arguments: kinds)
  func `The replacement is asked for what is outstanding, and for what is asked for later`(_ kind: Kind) {
    for (initial, answer, values, owed) in [
      (2, Subscribers.Demand.none, 1, Subscribers.Demand.max(1)), (3, .none, 0, .max(3)), (1, .none, 1, .none),
      (2, .max(1), 2, .max(2)), (1, .unlimited, 1, .unlimited),
    ] {
      let source = ManualPublisher<Int, TestError>()
      let replacement = ManualPublisher<Int, TestError>()
      let recorder = Recorder<Int, TestError>(demand: .max(initial), answering: answer)
      kind.apply(source) { _ in replacement.eraseToAnyPublisher() }.subscribe(recorder)
      for value in 0..<values { #expect(source.send(value) == answer) }
      source.send(completion: .failure(.oops))
      #expect(replacement.subscription?.requests == (owed == .none ? [] : [owed]))
      recorder.request(.max(4))
      #expect(replacement.subscription?.requests.last == .max(4))
      #expect(source.subscription?.requests == [.max(initial)])
      #expect(replacement.send(9) == answer)
      recorder.cancel()
      #expect(replacement.subscription?.cancellations == 1)
      #expect(source.subscription?.cancellations == 0)
      #expect(replacement.send(10) == .none)
      replacement.send(completion: .finished)
      #expect(recorder.values == Array(0..<values) + [9])
      #expect(recorder.completions.isEmpty)
    }
  }

  @Test(arguments: kinds)
  func `Demand returned to a delivery during which upstream failed goes to the replacement`(_ kind: Kind) {
    let source = ManualPublisher<Int, TestError>()
    let replacement = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onValue = { value in
      if value == 1 { source.send(completion: .failure(.oops)) }
      return .max(5)
    }
    kind.apply(source) { _ in replacement.eraseToAnyPublisher() }.subscribe(recorder)
    #expect(source.send(1) == .none)
    #expect(replacement.subscription?.requests == [.max(5)])
  }

  @Test func `What the closure throws is the failure`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, any Error>()
    source.tryCatch { error -> Just<Int> in throw TestError("thrown") }.subscribe(recorder)
    source.send(completion: .failure(.oops))
    source.send(1)
    guard case .failure(let error as TestError)? = recorder.completions.first else {
      Issue.record("no failure")
      return
    }
    #expect(error == TestError("thrown"))
    #expect(recorder.values.isEmpty)
  }

  @Test(arguments: kinds)
  func `A cancel in the closure, before it has returned the replacement, is the end`(_ kind: Kind) {
    let source = ManualPublisher<Int, TestError>()
    let replacement = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    kind.apply(source) { _ in
      recorder.cancel()
      return replacement.eraseToAnyPublisher()
    }.subscribe(recorder)
    source.send(completion: .failure(.oops))
    #expect(replacement.subscribers.isEmpty)
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: kinds)
  func `Only the first subscription counts, of upstream and of the replacement`(_ kind: Kind) {
    let source = ManualPublisher<Int, TestError>()
    let replacement = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    kind.apply(source) { _ in replacement.eraseToAnyPublisher() }.subscribe(recorder)
    let (second, third, fourth) = (ManualSubscription(), ManualSubscription(), ManualSubscription())
    source.send(subscription: second)
    source.send(completion: .failure(.oops))
    source.send(subscription: third)
    replacement.send(subscription: fourth)
    for extra in [second, third, fourth] { #expect(extra.calls == [.cancelled]) }
    #expect(source.send(5) == .none)
    #expect(recorder.subscriptionTexts == [kind.testDescription])
    #expect(recorder.values.isEmpty)
  }

  @Test func `The operator is shown with its subscriber and its demand`() {
    let source = ManualPublisher<Int, TestError>()
    source.catch { _ in Empty<Int, TestError>() }.subscribe(Recorder<Int, TestError>(demand: .max(3)))
    source.tryCatch { _ in Empty<Int, TestError>() }.subscribe(Recorder<Int, any Error>(demand: .max(3)))
    let shown = source.subscribers.map { Shown(of: $0) }
    #expect(
      shown == [
        Shown("Catch", children: ["downstream", "demand"]), Shown("TryCatch", children: ["downstream", "demand"]),
      ])
    source.send(1)
    #expect(source.subscribers[1].customMirror.descendant("demand") as? Subscribers.Demand == .max(2))
  }

  @Test func `Replacement and operator are one to everybody else`() {
    let source = ManualPublisher<Int, TestError>()
    let replacement = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>()
    source.catch { _ in replacement }.subscribe(recorder)
    source.send(completion: .failure(.oops))
    #expect(source.subscribers[0].combineIdentifier == replacement.subscribers[0].combineIdentifier)
    #expect(recorder.subscriptions[0].combineIdentifier == replacement.subscribers[0].combineIdentifier)
    #expect(replacement.subscribers[0].description == "Catch")
  }
}
