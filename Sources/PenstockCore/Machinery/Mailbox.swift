// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// What a call that waits for a publisher is given.
///
/// The values may be of any type: a publisher hands each one over to whoever waits, and keeps out of it from then on.
@usableFromInline
package enum Arrival<Value, Failure: Error>: @unchecked Sendable {
  case value(Value)
  case failure(Failure)
  case end
}

/// A subscriber whose values are waited for, one at a time, by tasks.
///
/// Each waiting call asks upstream for one value; the calls are served in the order they came. Continuations are resumed
/// with the lock released.
@usableFromInline
package final class Mailbox<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  // `@unchecked`: all state is behind the lock.

  @usableFromInline
  package typealias Waiter = UnsafeContinuation<Arrival<Input, Failure>, Never>

  @usableFromInline
  internal enum Phase {
    case awaiting
    case active(any Subscription)
    /// The failure is for the first call that comes, if none was waiting for it.
    case over(Failure?)
  }

  @usableFromInline
  internal struct State {
    @usableFromInline internal var phase = Phase.awaiting
    @usableFromInline internal var waiters: Deque<Waiter> = []
    /// How many calls have come before the subscription, whatever has become of them; then for how many of those that no
    /// longer wait upstream has been asked.
    @usableFromInline internal var early = 0

    @inlinable
    internal init() {}

    /// Ends the stream, and lets everybody go.
    @inlinable
    internal mutating func end(_ failure: Failure?) -> Deque<Waiter> {
      phase = .over(waiters.isEmpty ? failure : nil)
      return takeAll()
    }

    @inlinable
    internal mutating func takeAll() -> Deque<Waiter> {
      let all = waiters
      waiters = []
      return all
    }
  }

  /// What a call that begins to wait has to do.
  @usableFromInline
  internal enum Step {
    case wait
    case ask(any Subscription)
    case end(Failure?)
  }

  /// What becomes of a value.
  @usableFromInline
  internal enum Delivery {
    case awaited(Waiter)
    /// No call waits for it; the subscription knows whether that may be.
    case unrequested(any Subscription)
    /// It answers a call that has ended with a value from before the subscription.
    case lost
    /// It came before the subscription or after the end, which is the end for whoever waits.
    case untimely(Deque<Waiter>)
  }

  // The types of all this are known where a loop is compiled, and only there: code that is not inlinable would look them
  // up by name for each value, which takes longer than everything else.
  @usableFromInline internal let state = Guarded(State())

  @inlinable
  package init() {}

  /// How many calls wait.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  // MARK: What comes from the tasks

  /// Waits for the next value; a task that is cancelled meanwhile cancels the subscription.
  @inlinable
  package func next(isolation: isolated (any Actor)?) async -> Arrival<Input, Failure> {
    await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: isolation) { wait($0) }
    } onCancel: {
      cancel()
    }
  }

  @inlinable
  internal func wait(_ waiter: Waiter) {
    let step = state.withLock { state -> Step in
      switch state.phase {
      case .awaiting:
        state.waiters.append(waiter)
        state.early += 1
        return .wait
      case .active(let subscription):
        state.waiters.append(waiter)
        return .ask(subscription)
      case .over(let failure):
        state.phase = .over(nil)
        return .end(failure)
      }
    }
    switch step {
    case .wait: break
    case .ask(let subscription): subscription.request(.max(1))
    case .end(let failure): waiter.resume(returning: failure.map { .failure($0) } ?? .end)
    }
  }

  @usableFromInline
  package func cancel() {
    let (subscription, waiters) = state.withLock { state -> ((any Subscription)?, Deque<Waiter>) in
      var subscription: (any Subscription)?
      switch state.phase {
      case .awaiting: break
      case .active(let active): subscription = active
      case .over: return (nil, [])
      }
      return (subscription, state.end(nil))
    }
    subscription?.cancel()
    for waiter in waiters { waiter.resume(returning: .end) }
  }

  // MARK: What comes from upstream

  @usableFromInline
  package func receive(subscription: any Subscription) {
    let early = state.withLock { state -> Int? in
      guard case .awaiting = state.phase else { return nil }
      state.phase = .active(subscription)
      defer { state.early -= state.waiters.count }
      return state.early
    }
    guard let early else { return subscription.cancel() }
    if early > 0 { subscription.request(.max(early)) }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    let delivery = state.withLock { state -> Delivery in
      guard case .active(let subscription) = state.phase else { return .untimely(state.takeAll()) }
      if let first = state.waiters.popFirst() { return .awaited(first) }
      if state.early > 0 {
        state.early -= 1
        return .lost
      }
      return .unrequested(subscription)
    }
    switch delivery {
    case .awaited(let waiter): waiter.resume(returning: .value(input))
    case .unrequested(let subscription):
      if !subscription.mayExceedDemand { trap(.unrequestedValue(operator: "values")) }
    case .lost: break
    case .untimely(let waiters): for waiter in waiters { waiter.resume(returning: .end) }
    }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    let failure: Failure? = if case .failure(let error) = completion { error } else { nil }
    var subscription: (any Subscription)?
    let waiters = state.withLock { state -> Deque<Waiter> in
      switch state.phase {
      case .awaiting: break
      case .active(let active): subscription = active
      case .over: return []
      }
      return state.end(failure)
    }
    // Freed only here, outside of the lock.
    withExtendedLifetime(subscription) {}
    for (place, waiter) in waiters.enumerated() {
      waiter.resume(returning: place == 0 ? failure.map { .failure($0) } ?? .end : .end)
    }
  }
}

/// What an iterator holds: the subscription ends with it.
@usableFromInline
package final class MailboxKey<Input, Failure: Error>: Sendable {
  @usableFromInline internal let mailbox = Mailbox<Input, Failure>()

  @inlinable
  package init<P: Publisher>(_ publisher: P) where P.Output == Input, P.Failure == Failure {
    publisher.subscribe(mailbox)
  }

  deinit {
    mailbox.cancel()
  }
}
