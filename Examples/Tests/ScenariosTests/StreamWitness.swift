// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock

/// A subscriber that requests as the test says, and detects whether two calls of it nest or overlap.
final class StreamWitness: Subscriber, @unchecked Sendable {
  typealias Input = String
  typealias Failure = any Error

  var onSubscription: (any Subscription) -> Void = { _ in }
  var onValue: (String) -> Subscribers.Demand = { _ in .none }
  var onCompletion: () -> Void = {}

  private let lock = NSLock()
  private var state = State()

  private struct State {
    var subscription: (any Subscription)?
    var values: [String] = []
    var completions: [Subscribers.Completion<any Error>] = []
    /// The number of calls of this subscriber that have begun and not returned.
    var calls = 0
    var hasMet = false
  }

  var subscription: (any Subscription)? { lock.withLock { state.subscription } }
  var values: [String] { lock.withLock { state.values } }
  var completions: Int { lock.withLock { state.completions.count } }
  var hasFailed: Bool {
    lock.withLock { if case .failure? = state.completions.last { true } else { false } }
  }

  /// Whether a call has begun before another one has returned.
  var callsHaveMet: Bool { lock.withLock { state.hasMet } }

  /// Requests on the calling thread.
  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func receive(subscription: any Subscription) {
    call(noting: { $0.subscription = subscription }, during: { onSubscription(subscription) })
  }

  func receive(_ input: String) -> Subscribers.Demand {
    call(noting: { $0.values.append(input) }, during: { onValue(input) })
  }

  func receive(completion: Subscribers.Completion<any Error>) {
    call(noting: { $0.completions.append(completion) }, during: { onCompletion() })
  }

  private func call<Result>(noting note: (inout State) -> Void, during body: () -> Result) -> Result {
    lock.withLock {
      state.calls += 1
      if state.calls > 1 { state.hasMet = true }
      note(&state)
    }
    defer { lock.withLock { state.calls -= 1 } }
    return body()
  }
}

/// Runs work on another thread and waits for it; a deadlock stops the process.
func elsewhere(_ work: @escaping @Sendable () -> Void) {
  let thread = Started(work)
  thread.join()
}

/// A thread that can be waited for.
final class Started: Sendable {
  private let done = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () -> Void) {
    let thread = Thread { [done] in
      work()
      done.signal()
    }
    thread.start()
  }

  func join() {
    if done.wait(timeout: .now() + 120) == .timedOut { fatalError("A thread has not come back: deadlock") }
  }
}
