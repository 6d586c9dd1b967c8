// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// During any callback a subscriber may act on the stream of any operator, on its own thread.
@Suite struct OperatorReentrancyTests {
  enum Callback: CaseIterable { case subscription, value, completion }

  enum Action: CaseIterable { case requestOne, requestAll, cancel, send, sendAndAsk, finish, fail, subscribeAgain }

  /// Operators that one subject feeds through several upstreams, so that a value reaches them while they deliver
  /// another.
  static let tangled: [OperatorSpec] = [
    .init("merge with itself") { $0.merge(with: $0) },
    .init("zip with itself") { $0.zip($0, +) },
    .init("combineLatest with itself") { $0.combineLatest($0, $0) { $0 + $1 + $2 } },
    .init("flatMap to itself") { stream in stream.flatMap { _ in stream } },
    .init("flatMap to itself, two at a time") { stream in stream.flatMap(maxPublishers: .max(2)) { _ in stream } },
    .init("switchToLatest to itself") { stream in stream.map { _ in stream }.switchToLatest() },
    .init("append itself") { $0.first().append($0) },
    .init("catch by itself") { stream in
      stream.tryMap { if $0 == 2 { throw TestError.oops } }.map { 1 }.catch { _ in stream }
    },
    .init("prefix(untilOutputFrom:) of itself") { $0.prefix(untilOutputFrom: $0.filter { $0 == 3 }) },
    .init("drop(untilOutputFrom:) of itself") { $0.drop(untilOutputFrom: $0.filter { $0 == 2 }) },
    .init("buffer") { $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest) },
    .init("share of share") { $0.share().share() },
  ]

  @Test(arguments: OperatorSpec.unbuffered + tangled, Callback.allCases)
  func `No action breaks the rules`(_ spec: OperatorSpec, _ callback: Callback) {
    for action in Action.allCases where action != .fail || spec.mayFail {
      for initial in [Subscribers.Demand.max(2), .unlimited]
      where initial != .unlimited || !spec.traits.contains(.isLong) {
        let subject = PassthroughSubject<Int, TestError>()
        let stream = spec.apply(subject.eraseToAnyPublisher())
        let recorder = Recorder<Int, TestError>(demand: nil)
        let second = Recorder<Int, TestError>()
        // The number of acts is limited, not their depth: acts that are queued and delivered later would continue
        // forever.
        var acts = 0
        let act = {
          guard acts < 6 else { return }
          acts += 1
          switch action {
          case .requestOne: recorder.request(.max(1))
          case .requestAll: recorder.request(.unlimited)
          case .cancel: recorder.cancel()
          case .send: subject.send(7 + acts)
          case .sendAndAsk:
            subject.send(7 + acts)
            recorder.request(.max(2))
            subject.send(17 + acts)
          case .finish: subject.send(completion: .finished)
          case .fail: subject.send(completion: .failure(.oops))
          case .subscribeAgain: if second.subscription == nil { stream.subscribe(second) }
          }
        }
        recorder.onSubscription = { _ in
          if callback == .subscription { act() }
          recorder.request(initial)
        }
        recorder.onValue = { _ in
          if callback == .value { act() }
          return .max(1)
        }
        if callback == .completion { recorder.onCompletion = { _ in act() } }
        stream.subscribe(recorder)
        for value in 1...4 { subject.send(value) }
        subject.send(completion: .finished)
        subject.send(9)
        #expect((recorder.complaints + second.complaints).isEmpty, "\(action), \(initial)")
        #expect(action == .cancel || recorder.completions.count == 1, "\(action), \(initial)")
      }
    }
  }
}
