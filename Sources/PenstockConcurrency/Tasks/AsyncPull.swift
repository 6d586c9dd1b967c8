// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The state of pulling from an asynchronous sequence for one subscriber, and the loop of its task.
///
/// The loop pulls an element whenever there is demand, and is suspended while there is none. The demand, the loop that
/// waits for it, and the subscriber are behind one lock, which is taken twice for an element: to take demand, and to
/// take the subscriber, which a cancel releases at once, however long the sequence takes to notice the cancel.
@usableFromInline
package final class AsyncPull<Input, Failure: Error>: SubscriptionSource, @unchecked Sendable {
  // `@unchecked`: all state is behind the lock. The subscriber may be of any type; only the task calls it, and, before
  // the task starts, the thread that introduces it.

  /// The loop while it is suspended: `false` ends it.
  @usableFromInline
  package typealias Waiter = UnsafeContinuation<Bool, Never>

  @usableFromInline
  internal struct State {
    /// `nil` before the subscription, and after a cancel or the end.
    @usableFromInline internal var downstream: ErasedSubscriber?
    @usableFromInline internal var demand = Subscribers.Demand.none
    /// Whether demand has been taken for an element that has not arrived.
    @usableFromInline internal var isPulling = false
    @usableFromInline internal var waiter: Waiter?
    @usableFromInline internal var task: Task<Void, Never>?

    @inlinable
    internal init() {}

    /// Takes demand for one element.
    ///
    /// - Parameter more: Demand that is added before.
    @inlinable
    internal mutating func takeTurn(adding more: Subscribers.Demand = .none) -> Turn {
      guard downstream != nil else { return .stop }
      demand += more
      isPulling = demand != .none
      guard isPulling else { return .wait }
      demand -= 1
      return .pull
    }
  }

  /// What the loop has to do.
  @usableFromInline
  internal enum Turn: Sendable {
    case pull, wait, stop
  }

  @usableFromInline internal let state = Guarded(State())

  @inlinable
  package init() {}

  // MARK: Signals from downstream

  @inlinable
  package func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
    state.withLock { $0.downstream = downstream }
  }

  @usableFromInline
  package func show(in link: inout LinkState) {
    let (downstream, demand, isPulling) = state.withLock { ($0.downstream, $0.demand, $0.isPulling) }
    link.downstream = downstream
    link.demand = isPulling ? demand + 1 : demand
    if isPulling { link.wait = .result }
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    let waiter = state.withLock { state -> Waiter? in
      guard state.downstream != nil else { return nil }
      state.demand += demand
      guard let waiter = state.waiter.take() else { return nil }
      _ = state.takeTurn()
      return waiter
    }
    waiter?.resume(returning: true)
  }

  @usableFromInline
  package func cancel(_ subscription: SourceSubscription) {
    let (last, task) = end()
    task?.cancel()
    withExtendedLifetime(last) {}
  }

  /// Releases the subscriber, and ends the loop if it is suspended.
  ///
  /// - Returns: The subscriber, if the stream had not ended, and the task.
  @usableFromInline
  internal func end() -> (downstream: ErasedSubscriber?, task: Task<Void, Never>?) {
    let (downstream, waiter, task) = state.withLock { state in
      (state.downstream.take(), state.waiter.take(), state.task.take())
    }
    waiter?.resume(returning: false)
    return (downstream, task)
  }

  // MARK: The task

  /// Starts the task, unless a cancel has come first.
  @inlinable
  package func start(_ makeTask: () -> Task<Void, Never>) {
    if state.withLock({ $0.downstream == nil }) { return }
    let task = makeTask()
    let isOver = state.withLock { state in
      if state.downstream != nil { state.task = task }
      return state.downstream == nil
    }
    // It has been cancelled meanwhile, or has already ended, in which case this makes no difference.
    if isOver { task.cancel() }
  }

  /// Pulls elements as they are requested, until the sequence ends or the subscriber cancels.
  @inlinable
  package func run<Base: AsyncSequence>(_ sequence: Base) async
  where Base.Element == Input, Base.Failure == Failure {
    var iterator = sequence.makeAsyncIterator()
    var more = Subscribers.Demand.none
    do throws(Failure) {
      while await awaitTurn(adding: more) {
        guard let element = try await iterator.next(isolation: nil) else { return complete(.finished) }
        guard let answer = deliver(element) else { return }
        more = answer
      }
    } catch {
      complete(.failure(error))
    }
  }

  /// Takes demand for one element, and waits for it if there is none.
  ///
  /// - Parameter more: The demand that the subscriber has returned for the previous element.
  /// - Returns: Whether to pull; otherwise the stream has ended.
  @inlinable
  internal func awaitTurn(adding more: Subscribers.Demand) async -> Bool {
    switch state.withLock({ $0.takeTurn(adding: more) }) {
    case .pull: true
    case .stop: false
    case .wait:
      await state.suspend { state, waiter in
        // Demand or a cancel may have come meanwhile.
        let turn = state.takeTurn()
        if turn != .wait { return turn == .pull }
        state.waiter = waiter
        return nil
      }
    }
  }

  /// Delivers an element, unless a cancel has come first.
  ///
  /// - Returns: The additional demand of the subscriber; `nil` after a cancel.
  @inlinable
  internal func deliver(_ element: Input) -> Subscribers.Demand? {
    state.withLock { $0.downstream }?.receive(element)
  }

  @inlinable
  internal func complete(_ completion: Subscribers.Completion<Failure>) {
    end().downstream?.receive(completion: completion)
  }
}
