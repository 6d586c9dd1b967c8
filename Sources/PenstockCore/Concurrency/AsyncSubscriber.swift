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

  /// Returns the result of a call that finds the end, with the failure if the call has to throw it.
  @inlinable
  package init(end failure: Failure?) { self = failure.map { .failure($0) } ?? .end }
}

/// A subscriber whose values tasks wait for, one at a time.
///
/// Each call requests one value from upstream, and the calls get the values in their order. A publisher often delivers
/// the value during the request. So the first call in the order is *direct*: it has no continuation before its request
/// has returned, and a value that has arrived by then is returned as it is. All other calls wait with a continuation,
/// which is resumed outside the lock.
///
/// The cancellation handler is also installed during the request: upstream may take long to find a value.
@usableFromInline
package final class AsyncSubscriber<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  // `@unchecked`: all state is behind the lock.

  @exclusivity(unchecked) @usableFromInline internal var enrolment = Enrolment()

  @usableFromInline
  package typealias Waiter = UnsafeContinuation<AsyncResult<Input, Failure>, Never>

  @usableFromInline
  internal enum Phase {
    case awaiting
    case active(any Subscription)
    /// The failure is for the next call, if no call was waiting for it.
    case ended(Failure?)
  }

  /// The state of the direct call.
  @usableFromInline
  internal enum Direct {
    /// No call is direct.
    case none
    /// It precedes all calls that wait, and has no result yet.
    case open
    /// It has its result, which it has not taken yet.
    case filled(AsyncResult<Input, Failure>)
  }

  @usableFromInline
  internal struct State: ~Copyable {
    @usableFromInline internal var phase = Phase.awaiting
    @usableFromInline internal var direct = Direct.none
    @usableFromInline internal var waiters: Deque<Waiter> = []
    /// Before the subscription, the number of calls so far, including those that have ended; after it, how much of
    /// upstream's demand belongs to calls that no longer wait.
    @usableFromInline internal var early = 0

    @inlinable
    internal init() {}

    /// Ends the stream, and returns the waiting calls, with the result of the first of them.
    ///
    /// The failure is for the first call that has no result: for the direct one, or one that waits, or a later one.
    @inlinable
    internal mutating func finish(
      _ failure: Failure?
    ) -> (waiters: Deque<Waiter>, first: AsyncResult<Input, Failure>) {
      if case .open = direct {
        phase = .ended(nil)
        direct = .filled(AsyncResult(end: failure))
        return (takeAll(), .end)
      }
      phase = .ended(waiters.isEmpty ? failure : nil)
      return (takeAll(), AsyncResult(end: failure))
    }

    /// Takes the result of the direct call, if it has arrived.
    @inlinable
    internal mutating func takeDirect() -> AsyncResult<Input, Failure>? {
      guard case .filled(let result) = direct else { return nil }
      direct = .none
      return result
    }

    @inlinable
    internal mutating func takeAll() -> Deque<Waiter> {
      let all = waiters
      waiters = []
      return all
    }
  }

  /// The first step of a call.
  @usableFromInline
  internal enum Step {
    case request(any Subscription)
    case finish(Failure?)
    case wait
  }

  /// The remaining step of a call.
  @usableFromInline
  internal enum Rest {
    case done(AsyncResult<Input, Failure>)
    /// The call is direct, and has to wait.
    case waitDirectly
    /// The call has to wait for calls before it, and has not requested anything.
    case wait
  }

  /// The outcome for a value.
  @usableFromInline
  internal enum Delivery {
    case awaited(Waiter)
    /// The direct call takes the value.
    case kept
    /// No call waits for the value: an error, unless the subscription may exceed demand.
    case unrequested(any Subscription)
    /// The value was requested for a call that a value from before the subscription has already ended.
    case lost
    /// The value came before the subscription or after the end; the calls that wait are resumed with the end.
    case untimely(Deque<Waiter>)
  }

  // Inlinable, because the types are concrete only where the client's loop is compiled: other code would look up their
  // metadata for each value, which takes longer than everything else.
  @usableFromInline internal let state = Guarded(State())

  @inlinable
  package init() { enrolment.begin(self) }

  deinit { enrolment.end() }

  /// The number of calls that wait.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  // MARK: Calls from tasks

  /// Waits for the next value; a task that is cancelled meanwhile cancels the subscription.
  @_alwaysEmitIntoClient
  package func next(isolation: isolated (any Actor)?) async -> AsyncResult<Input, Failure> {
    await withTaskCancellationHandler {
      switch begin() {
      case .done(let result): result
      case .waitDirectly: await withUnsafeContinuation(isolation: isolation) { waitDirectly($0) }
      case .wait: await withUnsafeContinuation(isolation: isolation) { wait($0) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Begins a call: requests its value, if the call comes before all others, and takes a value that has arrived.
  @inlinable
  internal func begin() -> Rest {
    let step = state.withLock { state -> Step in
      switch state.phase {
      case .awaiting: return .wait
      case .active(let subscription):
        guard case .none = state.direct, state.waiters.isEmpty else { return .wait }
        state.direct = .open
        return .request(subscription)
      case .ended(let failure):
        state.phase = .ended(nil)
        return .finish(failure)
      }
    }
    switch step {
    case .request(let subscription):
      subscription.request(.max(1))
      return state.withLock { $0.takeDirect() }.map { .done($0) } ?? .waitDirectly
    case .finish(let failure): return .done(AsyncResult(end: failure))
    case .wait: return .wait
    }
  }

  /// Makes the direct call the first of those that wait, unless its result has arrived meanwhile.
  @inlinable
  internal func waitDirectly(_ waiter: Waiter) {
    let result = state.withLock { state -> AsyncResult<Input, Failure>? in
      if let result = state.takeDirect() { return result }
      state.direct = .none
      state.waiters.prepend(waiter)
      return nil
    }
    if let result { waiter.resume(returning: result) }
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
      return (subscription, state.finish(nil).waiters)
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

  @_alwaysEmitIntoClient
  package func receive(_ input: Input) -> Subscribers.Demand {
    let delivery = state.withLock { state -> Delivery in
      guard case .active(let subscription) = state.phase else { return .untimely(state.takeAll()) }
      if case .open = state.direct {
        state.direct = .filled(.value(input))
        return .kept
      }
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
    case .kept, .lost: break
    case .untimely(let waiters): for waiter in waiters { waiter.resume(returning: .end) }
    }
    return .none
  }

  @_alwaysEmitIntoClient
  package func receive(completion: Subscribers.Completion<Failure>) {
    let failure: Failure? = if case .failure(let error) = completion { error } else { nil }
    var subscription: (any Subscription)?
    let (waiters, first) = state.withLock { state -> (Deque<Waiter>, AsyncResult<Input, Failure>) in
      switch state.phase {
      case .awaiting: break
      case .active(let active): subscription = active
      case .ended: return ([], .end)
      }
      return state.finish(failure)
    }
    // Released here, outside the lock.
    withExtendedLifetime(subscription) {}
    waiters.first?.resume(returning: first)
    for waiter in waiters.dropFirst() { waiter.resume(returning: .end) }
  }
}

extension AsyncSubscriber: InspectableEnd {
  package var linkNumber: UInt64 { enrolment.number }

  package func show(in link: inout LinkState) {
    link.name = "values"
    link.isEnd = true
    state.withLock { state in
      switch state.phase {
      case .awaiting:
        link.phase = .awaiting
      case .active(let subscription):
        link.add(subscription.untappedBase)
        if case .open = state.direct { link.isAsking = true } else { link.isAsking = !state.waiters.isEmpty }
      case .ended:
        link.phase = .ended
      }
    }
  }
}

/// The owner of an ``AsyncSubscriber``, held by an iterator: its `deinit` cancels the subscription.
@usableFromInline
package final class AsyncSubscriberOwner<Input, Failure: Error>: Sendable {
  @usableFromInline internal let subscriber = AsyncSubscriber<Input, Failure>()

  @_alwaysEmitIntoClient
  package init<P: Publisher>(_ publisher: P) where P.Output == Input, P.Failure == Failure {
    publisher.subscribe(subscriber)
  }

  deinit {
    subscriber.cancel()
  }
}
