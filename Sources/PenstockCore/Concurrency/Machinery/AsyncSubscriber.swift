// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// The result of a call that waits for a publisher's next value.
///
/// `@unchecked`: the values may be of any type. The publisher transfers each one to the waiting task, and does not use
/// it afterwards.
@usableFromInline
package enum AsyncResult<Value, Failure: Error>: @unchecked Sendable {
  case value(Value)
  case failure(Failure)
  case end

  /// The result of a call that finds the end, with the failure if the call has to throw it.
  @inlinable
  package init(end failure: Failure?) { self = failure.map { .failure($0) } ?? .end }
}

/// A subscriber whose values tasks wait for, one at a time.
///
/// Each waiting call requests one value from upstream; the calls are resumed in their order. Continuations are resumed
/// outside the lock.
@usableFromInline
package final class AsyncSubscriber<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  // `@unchecked`: all state is behind the lock.

  @usableFromInline
  package typealias Waiter = UnsafeContinuation<AsyncResult<Input, Failure>, Never>

  @usableFromInline
  internal enum Phase {
    case awaiting
    case active(any Subscription)
    /// The failure is for the next call, if no call was waiting for it.
    case ended(Failure?)
  }

  @usableFromInline
  internal struct State {
    @usableFromInline internal var phase = Phase.awaiting
    @usableFromInline internal var waiters: Deque<Waiter> = []
    /// Before the subscription, the number of calls so far, including those that have ended; after it, how much of
    /// upstream's demand belongs to calls that no longer wait.
    @usableFromInline internal var early = 0

    @inlinable
    internal init() {}

    /// Ends the stream, and returns the waiting calls.
    @inlinable
    internal mutating func finish(_ failure: Failure?) -> Deque<Waiter> {
      phase = .ended(waiters.isEmpty ? failure : nil)
      return takeAll()
    }

    @inlinable
    internal mutating func takeAll() -> Deque<Waiter> {
      let all = waiters
      waiters = []
      return all
    }
  }

  /// The action for a call that begins to wait.
  @usableFromInline
  internal enum Step {
    case wait
    case request(any Subscription)
    case finish(Failure?)
  }

  /// The outcome for a value.
  @usableFromInline
  internal enum Delivery {
    case awaited(Waiter)
    /// No call waits for it: an error, unless the subscription may exceed demand.
    case unrequested(any Subscription)
    /// It was requested for a call that a value from before the subscription has already ended.
    case lost
    /// It came before the subscription or after the end; the calls that wait are resumed with the end.
    case untimely(Deque<Waiter>)
  }

  // Inlinable, because the types are concrete only where the client's loop is compiled: other code would look up their
  // metadata for each value, which takes longer than everything else.
  @usableFromInline internal let state = Guarded(State())

  @inlinable
  package init() {}

  /// The number of calls that wait.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  // MARK: Calls from tasks

  /// Waits for the next value; a task that is cancelled meanwhile cancels the subscription.
  @inlinable
  package func next(isolation: isolated (any Actor)?) async -> AsyncResult<Input, Failure> {
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
        return .request(subscription)
      case .ended(let failure):
        state.phase = .ended(nil)
        return .finish(failure)
      }
    }
    switch step {
    case .wait: break
    case .request(let subscription): subscription.request(.max(1))
    case .finish(let failure): waiter.resume(returning: AsyncResult(end: failure))
    }
  }

  @usableFromInline
  package func cancel() {
    let (subscription, waiters) = state.withLock { state -> ((any Subscription)?, Deque<Waiter>) in
      var subscription: (any Subscription)?
      switch state.phase {
      case .awaiting: break
      case .active(let active): subscription = active
      case .ended: return (nil, [])
      }
      return (subscription, state.finish(nil))
    }
    subscription?.cancel()
    for waiter in waiters { waiter.resume(returning: .end) }
  }

  // MARK: Signals from upstream

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
      case .ended: return []
      }
      return state.finish(failure)
    }
    // Released here, outside the lock.
    withExtendedLifetime(subscription) {}
    waiters.first?.resume(returning: AsyncResult(end: failure))
    for waiter in waiters.dropFirst() { waiter.resume(returning: .end) }
  }
}

/// The owner of an ``AsyncSubscriber``, held by an iterator: its `deinit` cancels the subscription.
@usableFromInline
package final class AsyncSubscriberOwner<Input, Failure: Error>: Sendable {
  @usableFromInline internal let subscriber = AsyncSubscriber<Input, Failure>()

  @inlinable
  package init<P: Publisher>(_ publisher: P) where P.Output == Input, P.Failure == Failure {
    publisher.subscribe(subscriber)
  }

  deinit {
    subscriber.cancel()
  }
}
