// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The publishers of one value, by the description of their subscription.
enum OneValue: String, CaseIterable, Codable, Sendable {
  case just = "Just"
  case optional = "Optional"
  case result = "Once"

  func publisher<Output>(_ output: Output) -> AnyPublisher<Output, Never> {
    switch self {
    case .just: Just(output).eraseToAnyPublisher()
    case .optional: Optional(output).publisher.eraseToAnyPublisher()
    case .result: Result<Output, Never>.success(output).publisher.eraseToAnyPublisher()
    }
  }
}

/// The publishers that deliver the empty subscription and a completion, or only the subscription.
enum NoValue: String, CaseIterable, Codable, Sendable {
  case nothing, never, failure, failedResult, emptySequence, emptyRecord, failedRecord

  var publisher: AnyPublisher<Int, TestError> {
    switch self {
    case .nothing: Empty().eraseToAnyPublisher()
    case .never: Empty(completeImmediately: false).eraseToAnyPublisher()
    case .failure: Fail(error: .oops).eraseToAnyPublisher()
    case .failedResult: Result.Publisher(TestError.oops).eraseToAnyPublisher()
    case .emptySequence: Publishers.Sequence(sequence: []).eraseToAnyPublisher()
    case .emptyRecord: Record { _ in }.eraseToAnyPublisher()
    case .failedRecord: Record(output: [], completion: .failure(.oops)).eraseToAnyPublisher()
    }
  }

  var end: Subscribers.Completion<TestError>? {
    switch self {
    case .never: nil
    case .failure, .failedResult, .failedRecord: .failure(.oops)
    case .nothing, .emptySequence, .emptyRecord: .finished
    }
  }
}

@Suite struct OneValueTests {
  @Test(arguments: OneValue.allCases, [1, 2, Int.max, nil])
  func `The first request, of any size, delivers the value and the end`(_ source: OneValue, _ asked: Int?) {
    let recorder = Recorder<Int, Never>(demand: nil)
    source.publisher(7).subscribe(recorder)
    #expect(recorder.events == [.subscription(source.rawValue)])
    recorder.request(demand(asked))
    #expect(recorder.events == [.subscription(source.rawValue), .value(7), .completion(.finished)])
    recorder.request(demand(asked))
    #expect(recorder.events.count == 3)
  }

  @Test(arguments: OneValue.allCases)
  func `A request on receipt of the subscription is answered at once`(_ source: OneValue) {
    let recorder = Recorder<Int, Never>(demand: nil)
    var countInside = 0
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      countInside = recorder.events.count
    }
    source.publisher(7).subscribe(recorder)
    #expect(countInside == 3)
    #expect(recorder.events.count == 3)
  }

  @Test(arguments: OneValue.allCases, [0, 1, nil])
  func `A request during the delivery, or a demand returned from it, does nothing`(
    _ source: OneValue, _ asked: Int?
  ) {
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { _ in
      if asked != 0 { recorder.request(demand(asked)) }
      return demand(asked)
    }
    recorder.onCompletion = { _ in recorder.request(.max(1)) }
    source.publisher(7).subscribe(recorder)
    #expect(recorder.events == [.subscription(source.rawValue), .value(7), .completion(.finished)])
  }

  @Test(arguments: OneValue.allCases)
  func `A cancel before the request leaves nothing to come`(_ source: OneValue) {
    let recorder = Recorder<Int, Never>(demand: nil)
    source.publisher(7).subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription(source.rawValue)])
  }

  @Test(arguments: OneValue.allCases)
  func `A cancel on receipt of the subscription leaves nothing to come`(_ source: OneValue) {
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = { $0.cancel() }
    source.publisher(7).subscribe(recorder)
    #expect(recorder.events == [.subscription(source.rawValue)])
  }

  @Test(arguments: OneValue.allCases)
  func `A cancel after the end does nothing`(_ source: OneValue) {
    let recorder = Recorder<Int, Never>()
    recorder.onCompletion = { _ in recorder.cancel() }
    source.publisher(7).subscribe(recorder)
    recorder.cancel()
    #expect(recorder.events.count == 3)
  }

  @Test(arguments: OneValue.allCases)
  func `Asking for nothing traps`(_ source: OneValue) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [source] in
      source.publisher(7).subscribe(Recorder<Int, Never>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  @Test(arguments: OneValue.allCases)
  func `Asking for nothing traps after the end, too`(_ source: OneValue) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [source] in
      let recorder = Recorder<Int, Never>()
      source.publisher(7).subscribe(recorder)
      recorder.request(.none)
    }
    expectMessage(result, "request(.none)")
  }

  @Test(arguments: OneValue.allCases)
  func `Every subscriber gets the value, and a subscription of its own`(_ source: OneValue) {
    let publisher = source.publisher(7)
    let first = Recorder<Int, Never>(demand: nil)
    let second = Recorder<Int, Never>()
    publisher.subscribe(first)
    publisher.subscribe(second)
    #expect(first.values.isEmpty)
    #expect(second.values == [7])
    #expect(first.subscriptions[0].combineIdentifier != second.subscriptions[0].combineIdentifier)
    first.request(.max(1))
    #expect(first.values == [7])
  }

  @Test(arguments: OneValue.allCases)
  func `The subscription shows its name, and the value without a label`(_ source: OneValue) {
    let recorder = Recorder<String, Never>(demand: nil)
    source.publisher("seven").subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect(Shown(of: subscription) == Shown(source.rawValue, children: [nil]))
    #expect(subscription.mirrored == ["seven"])
    recorder.request(.max(1))
    #expect(Shown(of: subscription) == Shown(source.rawValue, children: [nil]))
  }

  @Test(arguments: OneValue.allCases)
  func `Of requests from several threads one delivers`(_ source: OneValue) {
    for _ in 0..<100 {
      let probe = Recorder<Int, Never>(demand: nil)
      source.publisher(7).subscribe(probe)
      onThreads(4) { _ in
        for _ in 0..<10 { probe.request(.max(1)) }
      }
      #expect(probe.values == [7])
      #expect(probe.completions.count == 1)
      #expect(probe.isSerial)
    }
  }

  @Test(arguments: OneValue.allCases)
  func `Requests and a cancel from several threads may race`(_ source: OneValue) {
    for _ in 0..<200 {
      let probe = Recorder<Int, Never>(demand: nil)
      source.publisher(7).subscribe(probe)
      onThreads(3) { index in
        if index == 0 { probe.cancel() } else { probe.request(.max(1)) }
      }
      #expect(probe.values.count <= 1)
      #expect(probe.completions.count <= probe.values.count)
      probe.request(.unlimited)
      #expect(probe.values.count <= 1)
    }
  }

  @Test(arguments: OneValue.allCases)
  func `A cancel while another thread is delivering the value suppresses the end`(_ source: OneValue) {
    let probe = Recorder<Int, Never>(demand: nil)
    probe.onValue = { _ in
      elsewhere { probe.cancel() }
      return .none
    }
    source.publisher(7).subscribe(probe)
    probe.request(.unlimited)
    #expect(probe.values == [7])
    #expect(probe.completions.count == 0)
  }

  @Test(arguments: OneValue.allCases, SequenceTests.Ending.allCases)
  func `The end frees the subscriber, even while the subscription is kept`(
    _ source: OneValue, _ ending: SequenceTests.Ending
  ) {
    var graveyard = Graveyard()
    var kept: (any Subscription)?
    do {
      let recorder = graveyard.watch(Recorder<Int, Never>(demand: nil), "subscriber")
      source.publisher(7).subscribe(recorder)
      kept = recorder.subscriptions[0]
      recorder.releaseSubscriptions()
      if ending == .cancelledWithin {
        recorder.onValue = { _ in
          kept?.cancel()
          return .none
        }
      }
    }
    #expect(graveyard.survivors == ["subscriber"])
    if ending == .cancelled { kept?.cancel() } else { kept?.request(.max(1)) }
    #expect(graveyard.survivors == [])
    kept = nil
  }

  @Test(arguments: OneValue.allCases)
  func `Nothing is left of a stream that is over`(_ source: OneValue) {
    var graveyard = Graveyard()
    do {
      let recorder = graveyard.watch(Recorder<Canary, Never>(), "subscriber")
      source.publisher(graveyard.watch(Canary(), "value")).subscribe(recorder)
      #expect(recorder.isFinished)
    }
    #expect(graveyard.survivors == [])
  }

  @Test(arguments: OneValue.allCases)
  func `A subscription without another owner is freed with its subscriber`(_ source: OneValue) {
    var graveyard = Graveyard()
    do {
      let recorder = graveyard.watch(Recorder<Canary, Never>(demand: nil), "subscriber")
      source.publisher(graveyard.watch(Canary(), "value")).subscribe(recorder)
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors == [])
  }

  @Test func `A subscriber that is freed by a cancel may use the subscription from its deinit`() {
    final class Last: Subscriber {
      typealias Input = Int
      typealias Failure = Never
      let kept: Locked<(any Subscription)?>
      init(_ kept: Locked<(any Subscription)?>) { self.kept = kept }
      deinit {
        kept.value?.request(.max(1))
        kept.value?.cancel()
      }
      func receive(subscription: any Subscription) { kept.change { [subscription] in $0 = subscription } }
      func receive(_ input: Int) -> Subscribers.Demand {
        Issue.record("The stream was cancelled")
        return .none
      }
      func receive(completion: Subscribers.Completion<Never>) { Issue.record("The stream was cancelled") }
    }
    let kept = Locked<(any Subscription)?>(nil)
    Just(1).subscribe(Last(kept))
    kept.value?.cancel()
    #expect(kept.value != nil)
  }

  // MARK: The particulars of each

  @Test func `Just is equal by its value`() {
    #expect(Just(1) == Just(1))
    #expect(Just(1) != Just(2))
    #expect(Just(1).output == 1)
  }

  @Test func `An optional without a value finishes at once`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    Int?.none.publisher.subscribe(recorder)
    #expect(recorder.events == [.subscription("Empty"), .completion(.finished)])
  }

  @Test func `Optional publishers are equal by what they hold`() {
    #expect(Optional(1).publisher == Optional.Publisher(1))
    #expect(Optional(1).publisher != Optional(2).publisher)
    #expect(Int?.none.publisher == Optional.Publisher(nil))
    #expect(Int?.none.publisher != Optional(1).publisher)
    #expect(Optional(1).publisher.output == 1)
  }

  @Test func `Result publishers are made of a result, a value or an error, and equal by that`() {
    typealias Source = Result<Int, TestError>.Publisher
    #expect(Source(1) == Source(.success(1)))
    #expect(Source(.oops) == Source(.failure(.oops)))
    #expect(Source(1) == Result<Int, TestError>.success(1).publisher)
    #expect(Source(1) != Source(2))
    #expect(Source(1) != Source(.oops))
    #expect(Source(1).result == .success(1))
  }
}

@Suite struct NoValueTests {
  @Test(arguments: NoValue.allCases)
  func `The end comes right behind the empty subscription, without demand`(_ source: NoValue) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.publisher.subscribe(recorder)
    #expect(recorder.subscriptionTexts == ["Empty"])
    #expect(recorder.completions == (source.end.map { [$0] } ?? []))
    #expect(recorder.values.isEmpty)
    #expect(Shown(of: recorder.subscriptions[0]) == Shown("Empty"))
  }

  @Test(arguments: NoValue.allCases)
  func `Requests and cancels do nothing`(_ source: NoValue) {
    let recorder = Recorder<Int, TestError>(demand: .some(.none))
    source.publisher.subscribe(recorder)
    let events = recorder.events
    recorder.request(.unlimited)
    recorder.request(.none)
    recorder.cancel()
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.events == events)
  }

  @Test(arguments: SubjectKind.allCases)
  func `The end of a finished subject comes even after a cancel on receipt of the subscription`(_ kind: SubjectKind) {
    let subject = kind.make()
    subject.send(completion: .failure(.oops))
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { $0.cancel() }
    subject.subscribe(recorder)
    #expect(recorder.events == [.subscription("Empty"), .completion(.failure(.oops))])
  }

  /// The empty subscription is one shared value, and cannot know which subscriber has cancelled it.
  @Test(arguments: NoValue.allCases)
  func `The end comes even after a cancel on receipt of the subscription`(_ source: NoValue) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { $0.cancel() }
    source.publisher.subscribe(recorder)
    #expect(recorder.completions == (source.end.map { [$0] } ?? []))
  }

  @Test(arguments: NoValue.allCases)
  func `Nothing is left of the stream`(_ source: NoValue) {
    var graveyard = Graveyard()
    source.publisher.subscribe(graveyard.watch(Recorder<Int, TestError>()))
    #expect(graveyard.survivors == [])
  }

  @Test func `Empty publishers are equal if they end alike`() {
    #expect(Empty<Int, Never>() == Empty(completeImmediately: true))
    #expect(Empty<Int, Never>() != Empty(completeImmediately: false))
    #expect(Empty(outputType: Int.self, failureType: Never.self) == Empty<Int, Never>())
    #expect(
      Empty(completeImmediately: false, outputType: Int.self, failureType: Never.self).completeImmediately == false)
  }

  @Test func `Failing publishers are equal by their error`() {
    #expect(Fail<Int, TestError>(error: .oops) == Fail(outputType: Int.self, failure: .oops))
    #expect(Fail<Int, TestError>(error: .oops) != Fail(error: TestError("other")))
    #expect(Fail<Int, TestError>(error: .oops).error == .oops)
  }
}
