// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport

/// A minimal source for one subscriber that delivers exactly the demand: during the request, or when a value arrives
/// that has been requested already.
final class ExactSource: Publisher, Subscription, Subscriber, @unchecked Sendable {
  typealias Output = Int
  typealias Input = Int
  typealias Failure = TestError

  private struct State {
    var kept: ArraySlice<Int> = []
    var wanted = Subscribers.Demand.none
    var end: Subscribers.Completion<TestError>?
    var isRunning = false
    var subscriber: AnySubscriber<Int, TestError>?
  }

  private enum Step { case value(Int), end(Subscribers.Completion<TestError>), pause }

  private let state = Locked(State())
  private let upstream: PassthroughSubject<Int, TestError>?

  /// - Parameter count: The number of values.
  init(_ count: Int) {
    upstream = nil
    state.change { state in
      state.kept = ArraySlice(0..<count)
      state.end = .finished
    }
  }

  /// Keeps what a subject sends until it is requested.
  init(_ subject: PassthroughSubject<Int, TestError>) { upstream = subject }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
    state.change { $0.subscriber = AnySubscriber(subscriber) }
    subscriber.receive(subscription: self)
    upstream?.subscribe(self)
  }

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive(_ input: Int) -> Subscribers.Demand {
    state.change { $0.kept.append(input) }
    run()
    return .none
  }

  func receive(completion: Subscribers.Completion<TestError>) {
    state.change { $0.end = completion }
    run()
  }

  func request(_ demand: Subscribers.Demand) {
    state.change { $0.wanted += demand }
    run()
  }

  func cancel() { state.change { $0.subscriber = nil } }

  private func run() {
    let isFree = state.change { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFree else { return }
    while true {
      let (step, subscriber) = state.change { state in (Self.step(&state), state.subscriber) }
      switch step {
      case .pause: return
      case .end(let completion):
        cancel()
        subscriber?.receive(completion: completion)
      case .value(let value):
        let more = subscriber?.receive(value) ?? .none
        state.change { $0.wanted += more }
      }
    }
  }

  private static func step(_ state: inout State) -> Step {
    if state.subscriber != nil {
      if !state.kept.isEmpty, state.wanted != .none {
        state.wanted -= 1
        return .value(state.kept.removeFirst())
      }
      if state.kept.isEmpty, let end = state.end.take() { return .end(end) }
    }
    state.isRunning = false
    return .pause
  }
}
