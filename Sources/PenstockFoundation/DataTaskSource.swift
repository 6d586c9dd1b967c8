// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Foundation
internal import PenstockCore

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The source of a `URLSession.DataTaskPublisher` for one subscriber.
internal final class DataTaskSource: SubscriptionSource, @unchecked Sendable {
  // `@unchecked`, because the session's queue and the subscriber's threads share it: all mutable state is behind a
  // lock, and only the thread that gets to deliver the answer calls the subscriber.

  private typealias Answer = Result<URLSession.DataTaskPublisher.Output, URLError>

  private struct State {
    /// `nil` before the subscription, once the answer is being delivered, and after a cancel.
    var downstream: ErasedSubscriber?
    var parent: URLSession.DataTaskPublisher?
    var running: RunningTask?
    var isStarted = false
    /// An answer that came during the introduction.
    var early: Answer?
  }

  private let ledger = DemandLedger()
  /// Ended under the state's lock.
  private let introduction = IntroductionHold()
  private let state: Guarded<State>

  internal init(_ parent: URLSession.DataTaskPublisher) { state = Guarded(State(parent: parent)) }

  /// Delivers a subscription.
  internal func start(_ downstream: ErasedSubscriber) {
    introduce(downstream, name: "DataTaskPublisher")
    let late = state.withLock { state in
      _ = introduction.end()
      return (answer: state.early.take(), parent: state.parent)
    }
    guard let answer = late.answer, let parent = late.parent else { return }
    let delivery = ScheduledAction { self.settle(answer) }
    parent.session.delegateQueue.addOperation { delivery.run() }
  }

  // MARK: Signals from downstream

  internal func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
    state.withLock { $0.downstream = downstream }
  }

  internal func request(_ demand: Subscribers.Demand) {
    guard ledger.add(demand) != nil else { return }
    let (parent, isFirst) = state.withLock { state in
      defer { state.isStarted = true }
      return (state.parent, !state.isStarted)
    }
    if isFirst, let parent { makeTask(parent) }
    state.withLock { $0.running }?.task.resume()
  }

  private func makeTask(_ parent: URLSession.DataTaskPublisher) {
    let task = parent.session.dataTask(with: parent.request) { data, response, error in
      let answer: Answer =
        if let response, error == nil {
          .success((data ?? Data(), response))
        } else {
          .failure(error as? URLError ?? URLError(.unknown))
        }
      self.settle(answer)
    }
    let running = RunningTask(task, of: parent.session)
    let isWanted = state.withLock { state in
      if state.parent != nil { state.running = running }
      return state.parent != nil
    }
    if !isWanted { task.cancel() }
  }

  internal func cancel(_ subscription: SourceSubscription) {
    _ = ledger.close()
    // The old state is released outside the lock.
    var last = State(isStarted: true)
    state.withLock { swap(&$0, &last) }
    last.running?.cancel()
  }

  internal func show(in link: inout LinkState) {
    let (task, downstream, parent) = state.withLock { ($0.running?.task, $0.downstream, $0.parent) }
    link.downstream = downstream
    link.take(ledger)
    if task != nil { link.wait = .result }
    link.mirrored = [
      ("task", task as Any), ("downstream", downstream?.underlying as Any), ("parent", parent as Any),
    ]
  }

  // MARK: Signals from the session

  private func settle(_ answer: Answer) {
    let last = state.withLock { state -> State? in
      guard introduction.isOver else {
        if state.downstream != nil { state.early = answer }
        return nil
      }
      var last = State(isStarted: true)
      swap(&state, &last)
      return last
    }
    guard let downstream = last?.downstream else { return }
    switch answer {
    case .success(let output):
      _ = downstream.receive(output)
      guard closeForCompletion() else { return }
      downstream.receive(completion: Subscribers.Completion<URLError>.finished)
    case .failure(let error):
      guard closeForCompletion() else { return }
      downstream.receive(completion: .failure(error))
    }
  }

  /// Closes the stream before its completion is delivered.
  ///
  /// - Returns: Whether to deliver the completion; `false` if a cancel came first.
  private func closeForCompletion() -> Bool {
    if case .already = ledger.close() { false } else { true }
  }
}
