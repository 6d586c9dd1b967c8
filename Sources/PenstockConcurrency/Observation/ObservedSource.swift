// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Observation
internal import PenstockCore

/// A closure that is called only on an actor, and may leave its region in a box.
internal struct IsolatedRead<Output>: @unchecked Sendable {
  // `@unchecked`: the closure was made on the actor, and is called only there.
  let actor: any Actor
  let read: () -> Output
}

/// The source of ``Publishers/Observed`` for one subscriber.
///
/// `@unchecked`: the state is behind a lock; the subscriber is called in jobs on one actor.
internal final class ObservedSource<Output>: SubscriptionSource, @unchecked Sendable {
  private struct State {
    var demand = Subscribers.Demand.none
    /// Whether something has changed since the last value; `true` before the first one.
    var hasChanged = true
    /// Whether a job is running, or about to.
    var isRunning = false
    /// `nil` before the subscription, and after the cancel.
    var target: Target?

    /// Whether a job has to be started now.
    mutating func begin() -> Bool {
      guard target != nil, hasChanged, demand > .none, !isRunning else { return false }
      isRunning = true
      return true
    }

    /// Returns the target of the job, if there is something to deliver; otherwise the job has ended.
    mutating func next() -> Target? {
      guard let target, hasChanged, demand > .none else {
        isRunning = false
        return nil
      }
      hasChanged = false
      demand -= 1
      return target
    }
  }

  private struct Target {
    let observation: IsolatedRead<Output>
    let downstream: ErasedSubscriber
  }

  private let state = Guarded(State())
  private let observation: IsolatedRead<Output>

  internal init(_ observation: IsolatedRead<Output>) { self.observation = observation }

  internal func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
    state.withLock { $0.target = Target(observation: observation, downstream: downstream) }
  }

  internal func request(_ demand: Subscribers.Demand) { startIfNeeded { $0.demand += demand } }

  internal func cancel(_ subscription: SourceSubscription) {
    // Freed outside the lock: it keeps the subscriber, and what the closure captures.
    state.release { $0.target.take() }
  }

  internal func show(in link: inout LinkState) {
    (link.downstream, link.demand) = state.withLock { ($0.target?.downstream, $0.demand) }
  }

  private func startIfNeeded(_ change: (inout State) -> Void) {
    let begins = state.withLock { state in
      change(&state)
      return state.begin()
    }
    if begins { Task.detached { await self.run(on: self.observation.actor) } }
  }

  private func observedRead(of target: Target) -> Output {
    withObservationTracking {
      target.observation.read()
    } onChange: { [weak self] in
      // Called before the change is made: the job that reads it runs later on the same actor.
      self?.startIfNeeded { $0.hasChanged = true }
    }
  }

  private func run<A: Actor>(on actor: isolated A) {
    while let target = state.withLock({ $0.next() }) {
      // Properties are observed only once the closure has returned. Changes that another thread makes until then are
      // not reported: so the value is the result of a run during which the properties are already observed.
      _ = observedRead(of: target)
      // Each run of the closure may have cancelled the subscription.
      if isCancelled { continue }
      let value = observedRead(of: target)
      if isCancelled { continue }
      let more = target.downstream.receive(value)
      state.withLock { $0.demand += more }
    }
  }

  private var isCancelled: Bool { state.withLock { $0.target == nil } }
}
