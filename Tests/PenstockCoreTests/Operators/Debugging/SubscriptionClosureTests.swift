// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// An operator that shows a subscription to its user's code before downstream gets it.
struct ShowingOperator: Sendable, CustomTestStringConvertible {
  typealias Stream = AnyPublisher<Int, TestError>

  let testDescription: String
  /// Whether downstream gets upstream's own subscription, of which the operator sees no cancel.
  let passesSubscription: Bool
  /// Calls a closure when it is shown the subscription.
  let apply: @Sendable (Stream, @escaping (any Subscription) -> Void) -> Stream

  static let all: [ShowingOperator] = [
    .init(testDescription: "handleEvents", passesSubscription: false) { stream, act in
      stream.handleEvents(receiveSubscription: act).eraseToAnyPublisher()
    },
    .init(testDescription: "print", passesSubscription: false) { stream, act in
      let paper = Paper()
      let seen = Locked<(any Subscription)?>(nil)
      paper.onWrite = { text in
        guard text.contains("receive subscription"), let subscription = seen.change({ $0.take() }) else { return }
        act(subscription)
      }
      // Only a text is printed: the subscription itself comes from an operator upstream.
      return stream.handleEvents(receiveSubscription: { subscription in seen.change { $0 = subscription } })
        .print(to: paper).eraseToAnyPublisher()
    },
    .init(testDescription: "breakpoint", passesSubscription: true) { stream, act in
      stream.breakpoint(receiveSubscription: { subscription in
        act(subscription)
        return false
      }).eraseToAnyPublisher()
    },
  ]
}

/// A stream that can be ended while its subscription is on its way down.
struct EndingSource: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let completion: Subscribers.Completion<TestError>
  let make: @Sendable () -> (stream: ShowingOperator.Stream, end: () -> Void)

  static let all: [EndingSource] =
    subjects(.finished) + subjects(.failure(.oops)) + [
      .init(testDescription: "prefix(untilOutputFrom:)", completion: .finished) {
        let (subject, trigger) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Void, Never>())
        return (subject.prefix(untilOutputFrom: trigger).eraseToAnyPublisher(), { trigger.send() })
      },
      .init(testDescription: "merge", completion: .failure(.oops)) {
        let subjects = (0..<2).map { _ in PassthroughSubject<Int, TestError>() }
        return (
          Publishers.MergeMany(subjects).eraseToAnyPublisher(), { subjects[0].send(completion: .failure(.oops)) }
        )
      },
      .init(testDescription: "append", completion: .finished) {
        let subjects = (0..<2).map { _ in PassthroughSubject<Int, TestError>() }
        return (
          subjects[0].append(subjects[1]).eraseToAnyPublisher(),
          { for subject in subjects { subject.send(completion: .finished) } }
        )
      },
    ]

  private static func subjects(_ completion: Subscribers.Completion<TestError>) -> [EndingSource] {
    SubjectKind.allCases.map { kind in
      .init(testDescription: "\(kind.name), \(completion)", completion: completion) {
        let subject = kind.make()
        return (AnyPublisher(erasing: subject), { subject.send(completion: completion) })
      }
    }
  }
}

extension AnyPublisher {
  fileprivate init(erasing publisher: some Publisher<Output, Failure>) { self = publisher.eraseToAnyPublisher() }
}

/// The effects of a closure that is shown a subscription come after the subscription.
@Suite struct SubscriptionClosureTests {
  @Test(arguments: ShowingOperator.all, EndingSource.all)
  func `An end caused in the closure comes once, behind the subscription`(
    _ showing: ShowingOperator, _ source: EndingSource
  ) {
    for place in ["here", "elsewhere"] {
      let (stream, end) = source.make()
      let box = UncheckedBox(end)
      let recorder = Recorder<Int, TestError>(demand: nil)
      showing.apply(stream) { _ in
        if place == "here" { end() } else { elsewhere { box.value() } }
      }.subscribe(recorder)
      end()
      #expect(recorder.subscriptionTexts.count == 1)
      #expect(recorder.values.isEmpty)
      #expect(recorder.events.last == .completion(source.completion))
      #expect(recorder.events.count == 2)
    }
  }

  @Test(arguments: ShowingOperator.all.filter { !$0.passesSubscription }, EndingSource.all)
  func `A cancel at the subscription leaves out an end caused in the closure`(
    _ showing: ShowingOperator, _ source: EndingSource
  ) {
    let (stream, end) = source.make()
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { $0.cancel() }
    showing.apply(stream) { _ in end() }.subscribe(recorder)
    end()
    #expect(recorder.subscriptionTexts.count == 1)
    #expect(recorder.events.count == 1)
  }

  /// The subscription that `breakpoint` shows is the one that downstream gets.
  @Test(arguments: ShowingOperator.all, EndingSource.all)
  func `A cancel by the closure leaves out an end behind it`(_ showing: ShowingOperator, _ source: EndingSource) {
    let (stream, end) = source.make()
    let recorder = Recorder<Int, TestError>(demand: nil)
    showing.apply(stream) { subscription in
      subscription.cancel()
      end()
    }.subscribe(recorder)
    #expect(recorder.subscriptionTexts.count == 1)
    #expect(recorder.events.count == 1)
  }

  @Test(arguments: ShowingOperator.all, ShowingOperator.all)
  func `Behind one another each holds what its own closure does`(_ above: ShowingOperator, _ below: ShowingOperator) {
    for actor in [0, 1] {
      let (subject, trigger) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Void, Never>())
      let recorder = Recorder<Int, TestError>()
      let stream = above.apply(subject.prefix(untilOutputFrom: trigger).eraseToAnyPublisher()) { _ in
        if actor == 0 { trigger.send() }
      }
      below.apply(stream) { _ in if actor == 1 { trigger.send() } }.subscribe(recorder)
      #expect(recorder.subscriptionTexts.count == 1)
      #expect(recorder.events.last == .completion(.finished))
      #expect(recorder.events.count == 2)
    }
  }

  // MARK: Values

  @Test(arguments: ShowingOperator.all, [0, 3])
  func `Values of a publisher that counts no demand come behind the subscription, in order`(
    _ showing: ShowingOperator, _ later: Int
  ) {
    let publisher = ObservableObjectPublisher()
    let number = Locked(0)
    let stream = publisher.map {
      number.change { number in
        number += 1
        return number
      }
    }
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { _ in for _ in 0..<later { publisher.send() } }
    showing.apply(stream.setFailureType(to: TestError.self).eraseToAnyPublisher()) { subscription in
      // It sends all values at the first request.
      subscription.request(.max(1))
      for _ in 0..<3 { publisher.send() }
    }.subscribe(recorder)
    publisher.send()
    #expect(recorder.subscriptionTexts.count == 1)
    #expect(recorder.events.dropFirst() == (1...4 + later).map { .value($0) }[...])
  }

  @Test(arguments: ShowingOperator.all)
  func `Values that the closure asks for come behind the subscription, and the end behind them`(
    _ showing: ShowingOperator
  ) {
    for demand in [Subscribers.Demand.max(2), .unlimited] {
      let recorder = Recorder<Int, TestError>()
      let stream = Publishers.Sequence<[Int], TestError>(sequence: [1, 2, 3]).eraseToAnyPublisher()
      showing.apply(stream) { $0.request(demand) }.subscribe(recorder)
      #expect(recorder.subscriptionTexts.count == 1)
      #expect(recorder.events.dropFirst() == [.value(1), .value(2), .value(3), .completion(.finished)])
    }
  }

  @Test(arguments: ShowingOperator.all)
  func `What a value that has waited is answered with goes up`(_ showing: ShowingOperator) {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil, answering: .max(2))
    showing.apply(source.eraseToAnyPublisher()) { _ in
      #expect(source.send(1) == .none)
      source.send(2)
    }.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(source.subscription?.requests == [.max(2), .max(2)])
    #expect(source.send(3) == .max(2))
  }

  @Test(arguments: ShowingOperator.all)
  func `A cancel at a value that has waited leaves out the others, and the end`(_ showing: ShowingOperator) {
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onValue = { value in
      if value == 2 { recorder.cancel() }
      return .none
    }
    let stream = Publishers.Sequence<[Int], TestError>(sequence: [1, 2, 3]).eraseToAnyPublisher()
    showing.apply(stream) { $0.request(.unlimited) }.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions.isEmpty)
  }

  // MARK: Memory

  @Test(arguments: ShowingOperator.all, EndingSource.all)
  func `Nothing that has waited is left in memory`(_ showing: ShowingOperator, _ source: EndingSource) {
    for isCancelled in [false, true] {
      var graveyard = Graveyard()
      do {
        let canary = graveyard.watch(Canary(), "closure")
        let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
        let (stream, end) = source.make()
        if isCancelled { recorder.onSubscription = { $0.cancel() } }
        showing.apply(stream) { _ in withExtendedLifetime(canary) { end() } }.subscribe(recorder)
        recorder.onSubscription = nil
        recorder.releaseSubscriptions()
      }
      #expect(graveyard.survivors.isEmpty)
    }
  }
}
