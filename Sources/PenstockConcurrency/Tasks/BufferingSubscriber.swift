// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

extension AsyncBufferingPolicy {
  /// Traps if the policy's number is out of range.
  @usableFromInline
  internal func check() {
    switch self {
    case .unbounded: break
    case .oldest(let count), .newest(let count):
      if count < 0 { trap(.negativeCount(operator: "values(buffering:)")) }
    case .suspending(let count):
      if count < 1 { trap(.countBelowOne(operator: "values(buffering: .suspending)")) }
    }
  }

  /// The maximum number of values that wait; `nil` if there is no limit.
  internal var capacity: Int? {
    switch self {
    case .unbounded: nil
    case .oldest(let count), .newest(let count), .suspending(let count): count
    }
  }

  /// The demand that is requested when the subscription arrives.
  @inlinable
  internal var initialDemand: Subscribers.Demand {
    if case .suspending(let count) = self { .max(count) } else { .unlimited }
  }

  /// The number of values that are taken before as many are requested again; `nil` if unlimited values have been
  /// requested.
  @inlinable
  internal var batch: Int? {
    if case .suspending(let count) = self { count - count / 2 } else { nil }
  }
}

/// A subscriber that keeps values, by a policy, until tasks take them.
///
/// Calls that find no value wait, and are resumed in order. Continuations are resumed, values released and requests
/// made outside the lock.
@usableFromInline
package final class BufferingSubscriber<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  // `@unchecked`: all state is behind the lock, and the values may be of any type: the publisher transfers each one to
  // the task that takes it.

  @usableFromInline
  package typealias Waiter = UnsafeContinuation<AsyncResult<Input, Failure>, Never>

  @usableFromInline
  internal enum Phase {
    case awaiting
    case active(any Subscription)
    /// The failure is for the first call that finds no value.
    case ended(Failure?)
  }

  @usableFromInline
  internal struct State {
    @usableFromInline internal var phase = Phase.awaiting
    @usableFromInline internal var values: Deque<Input> = []
    @usableFromInline internal var waiters: Deque<Waiter> = []
    /// The number of values that upstream may deliver; not counted for unlimited demand.
    @usableFromInline internal var requested = 0
    /// The number of values that have been taken since the last request.
    @usableFromInline internal var taken = 0
    /// How many values the policy has dropped, for tools.
    @usableFromInline internal var dropped: UInt = 0

    @inlinable
    internal init() {}

    /// Counts a value as taken.
    ///
    /// - Returns: The subscription, if a batch has been taken, so that the caller has to request another.
    @inlinable
    internal mutating func countTaken(_ batch: Int?) -> (any Subscription)? {
      guard let batch else { return nil }
      taken += 1
      guard taken == batch, case .active(let subscription) = phase else { return nil }
      taken = 0
      requested += batch
      return subscription
    }
  }

  /// What a call finds.
  @usableFromInline
  internal enum Step {
    case value(Input, request: (any Subscription)?)
    case over(AsyncResult<Input, Failure>)
    case wait
  }

  /// The outcome for a value.
  @usableFromInline
  internal enum Delivery {
    case awaited(Waiter, isBatch: Bool)
    case buffered
    case dropped(Input)
    /// It exceeds what has been requested: an error, unless the subscription is allowed to do so.
    case unrequested(any Subscription)
    /// It arrived before the subscription or after the end.
    case untimely
  }

  @exclusivity(unchecked) @usableFromInline internal var enrolment = Enrolment()
  @usableFromInline internal let state = Guarded(State())
  @usableFromInline internal let policy: AsyncBufferingPolicy
  /// See ``AsyncBufferingPolicy/batch``.
  @usableFromInline internal let batch: Int?
  @usableFromInline internal let onDrop: (@Sendable (Input) -> Void)?

  @inlinable
  package init(_ policy: AsyncBufferingPolicy, _ onDrop: (@Sendable (Input) -> Void)? = nil) {
    self.policy = policy
    self.batch = policy.batch
    self.onDrop = onDrop
    enrolment.begin(self)
  }

  deinit { enrolment.end() }

  /// The number of calls that wait.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  // MARK: Calls from tasks

  /// Takes the next value, or waits for it; cancelling the task cancels the subscription.
  @inlinable
  package func next(isolation: isolated (any Actor)?) async -> AsyncResult<Input, Failure> {
    if Task.isCancelled { cancel() }
    switch step() {
    case .value(let value, request: nil):
      return .value(value)
    case .value(let value, request: let subscription?):
      // The request may run upstream's code for a long time: if the task is cancelled meanwhile, that ends it.
      await withTaskCancellationHandler {
        request(subscription)
      } onCancel: {
        cancel()
      }
      return .value(value)
    case .over(let result):
      return result
    case .wait:
      return await withTaskCancellationHandler {
        await withUnsafeContinuation(isolation: isolation) { wait($0) }
      } onCancel: {
        cancel()
      }
    }
  }

  /// Takes a value or the end, or finds that the call has to wait.
  ///
  /// - Parameter waiter: The call, which is stored if it has to wait.
  @inlinable
  internal func step(_ waiter: Waiter? = nil) -> Step {
    state.withLock { state in
      // A buffered value belongs to no other call: calls that wait arrived when none was buffered.
      if let value = state.values.popFirst() { return .value(value, request: state.countTaken(batch)) }
      if case .ended(let failure) = state.phase {
        state.phase = .ended(nil)
        return .over(AsyncResult(end: failure))
      }
      if let waiter { state.waiters.append(waiter) }
      return .wait
    }
  }

  @inlinable
  internal func wait(_ waiter: Waiter) {
    switch step(waiter) {
    case .value(let value, let subscription):
      waiter.resume(returning: .value(value))
      if let subscription { request(subscription) }
    case .over(let result): waiter.resume(returning: result)
    case .wait: break
    }
  }

  @inlinable
  internal func request(_ subscription: any Subscription) {
    if let batch { subscription.request(.max(batch)) }
  }

  @usableFromInline
  package func cancel() {
    // The contents are released at the end, outside the lock.
    var last = State()
    state.withLock { state in
      swap(&last, &state)
      state.phase = .ended(nil)
    }
    if case .active(let subscription) = last.phase { subscription.cancel() }
    for waiter in last.waiters { waiter.resume(returning: .end) }
    noteDiscards(of: last.values, .ended, by: self)
  }

  // MARK: Signals from upstream

  @usableFromInline
  package func receive(subscription: any Subscription) {
    let demand = policy.initialDemand
    let isFirst = state.withLock { state in
      guard case .awaiting = state.phase else { return false }
      state.phase = .active(subscription)
      state.requested = demand.max ?? 0
      return true
    }
    if isFirst { subscription.request(demand) } else { subscription.cancel() }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    let delivery = state.withLock { state -> Delivery in
      guard case .active(let subscription) = state.phase else { return .untimely }
      if batch != nil {
        if state.requested == 0 { return .unrequested(subscription) }
        state.requested -= 1
      }
      if let waiter = state.waiters.popFirst() {
        return .awaited(waiter, isBatch: state.countTaken(batch) != nil)
      }
      switch policy {
      case .oldest(let limit) where state.values.count >= limit:
        state.dropped &+= 1
        return .dropped(input)
      case .newest(0):
        state.dropped &+= 1
        return .dropped(input)
      case .newest(let limit) where state.values.count >= limit:
        let oldest = state.values.removeFirst()
        state.values.append(input)
        state.dropped &+= 1
        return .dropped(oldest)
      default:
        state.values.append(input)
        return .buffered
      }
    }
    switch delivery {
    case .awaited(let waiter, let isBatch):
      waiter.resume(returning: .value(input))
      if isBatch, let batch { return .max(batch) }
    case .dropped(let value):
      onDrop?(value)
      noteDiscard(value, .bufferFull, by: self)
    case .unrequested(let subscription):
      if !subscription.mayExceedDemand { trap(.unrequestedValue(operator: "values(buffering:)")) }
      onDrop?(input)
      noteDiscard(input, .withoutDemand, by: self)
    case .buffered, .untimely: break
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
      var waiters: Deque<Waiter> = []
      swap(&waiters, &state.waiters)
      state.phase = .ended(waiters.isEmpty ? failure : nil)
      return waiters
    }
    // Released here, outside the lock.
    withExtendedLifetime(subscription) {}
    waiters.first?.resume(returning: AsyncResult(end: failure))
    for waiter in waiters.dropFirst() { waiter.resume(returning: .end) }
  }
}

/// The owner of a ``BufferingSubscriber``, held by an iterator: its `deinit` cancels the subscription.
@usableFromInline
internal final class BufferingOwner<Input, Failure: Error>: Sendable {
  @usableFromInline internal let subscriber: BufferingSubscriber<Input, Failure>

  @inlinable
  internal init<P: Publisher>(
    _ publisher: P, _ policy: AsyncBufferingPolicy, _ onDrop: (@Sendable (Input) -> Void)?
  ) where P.Output == Input, P.Failure == Failure {
    subscriber = BufferingSubscriber(policy, onDrop)
    publisher.subscribe(subscriber)
  }

  deinit {
    subscriber.cancel()
  }
}

extension BufferingSubscriber: InspectableEnd {
  package var linkNumber: UInt64 { enrolment.number }

  package func show(in link: inout LinkState) {
    link.name = "values"
    link.isEnd = true
    link.capacity = policy.capacity
    state.withLock { state in
      link.waiting = state.values.count
      link.drop(state.dropped, .bufferFull)
      switch state.phase {
      case .awaiting:
        link.phase = .awaiting
      case .active(let subscription):
        link.add(subscription.untappedBase)
        link.isAsking = !state.waiters.isEmpty
      case .ended:
        link.phase = state.values.isEmpty ? .ended : .active
      }
    }
  }
}
