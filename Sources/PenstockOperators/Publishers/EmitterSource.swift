// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// The source that an emitter of `AnyPublisher.create` sends to, for one subscriber.
///
/// One thread at a time delivers: a thread that finds no other one delivering. Values that arrive meanwhile, from other
/// threads or from the delivery itself, wait in the same buffer as values that have not been requested, so that all
/// values keep their order, and the buffer's limit applies to all of them. Each decision is one step under the lock,
/// and is carried out after the lock has been released.
@usableFromInline
internal final class EmitterSource<Output, Failure: Error>: SubscriptionSource {
  /// What belongs to the source, and is released when the source can send nothing more.
  @usableFromInline
  internal struct Source {
    @usableFromInline internal var cleanup: (any Cancellable)?
    @usableFromInline internal var onDemand: ((Subscribers.Demand) -> Void)?
    @usableFromInline internal var onCancel: (() -> Void)?

    @inlinable
    internal init() {}
  }

  @usableFromInline
  internal struct State {
    /// The subscriber; `nil` before the subscription, and after a cancel or the completion.
    @usableFromInline internal var downstream: ErasedSubscriber?
    /// The values that have not been delivered: for lack of demand, or because a delivery was running.
    @usableFromInline internal var waiting: Deque<Output> = []
    /// The completion, when the source has been released.
    @usableFromInline internal var ending: Subscribers.Completion<Failure>?
    @usableFromInline internal var source = Source()
    /// Whether the source may still send.
    @usableFromInline internal var isOpen = true
    @usableFromInline internal var isCancelled = false
    /// Whether a thread is delivering or, at first, is introducing the subscriber.
    @usableFromInline internal var isBusy = true
    /// Whether the source's closure has returned, and a cleanup that came too late has run.
    @usableFromInline internal var isAttached = false
    /// Whether a thread is calling the closure for demand.
    @usableFromInline internal var isReporting = false

    @inlinable
    internal init() {}
  }

  /// What a value's sender has to do.
  @usableFromInline
  internal enum Admission {
    case deliver(to: ErasedSubscriber)
    /// Nothing: the value waits.
    case nothing
    /// Nothing: the value comes after the end.
    case late
    /// Nothing: there is no room for the associated value, which the sender releases: the new value itself, or one that
    /// waited.
    case full(Output)
    /// Fail with the closure's error.
    case overflow(() -> Failure, Source)
  }

  /// What a thread has to do next.
  @usableFromInline
  internal enum Step {
    case deliver(Output, to: ErasedSubscriber)
    case complete(Subscribers.Completion<Failure>, ErasedSubscriber)
    case report(Subscribers.Demand, to: (Subscribers.Demand) -> Void)
    case rest
  }

  @usableFromInline internal let state: Guarded<State>
  @usableFromInline internal let ledger = DemandLedger()
  /// The demand that has been requested since the closure for demand was called.
  ///
  /// Changed together with the ledger, under the lock.
  @usableFromInline internal let unreported = DemandLedger()
  /// The number of values that may wait without having been requested.
  @usableFromInline internal let size: Int
  @usableFromInline internal let whenFull: Publishers.BufferingStrategy<Failure>

  @inlinable
  internal init(size: Int, whenFull: Publishers.BufferingStrategy<Failure>) {
    state = Guarded(State())
    self.size = size
    self.whenFull = whenFull
  }

  // MARK: Signals from downstream

  @inlinable
  internal func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
    state.withLock { $0.downstream = downstream }
  }

  @inlinable
  internal func request(_ demand: Subscribers.Demand) {
    if credit(demand) { proceed(isOwner: false) }
  }

  /// Adds to the demand.
  ///
  /// - Returns: Whether the demand is new; `false` if everything has been requested already.
  @inlinable
  internal func credit(_ demand: Subscribers.Demand) -> Bool {
    state.withLock { _ in
      guard let before = ledger.add(demand), !before.isUnlimited else { return false }
      unreported.add(demand)
      return true
    }
  }

  @inlinable
  internal func cancel(_ subscription: SourceSubscription) {
    var last = State?.none
    let source = state.withLock { state -> Source? in
      guard state.downstream != nil else { return nil }
      _ = ledger.close()
      last = state
      state.downstream = nil
      state.waiting = []
      (state.isOpen, state.isCancelled) = (false, true)
      return exchange(&state.source, with: Source())
    }
    source?.cleanup?.cancel()
    source?.onCancel?()
    // What the subscription held is released here, outside the lock.
    if let last { subscription.noteDiscards(of: last.waiting, .ended) }
    withExtendedLifetime(last) {}
  }

  @usableFromInline
  internal func show(in link: inout LinkState) {
    (link.downstream, link.waiting) = state.withLock { ($0.downstream, $0.waiting.count) }
    link.take(ledger)
    link.capacity = size == .max ? nil : size
  }

  // MARK: Signals from the source

  @inlinable
  internal func send(_ value: Output, _ subscription: SourceSubscription) {
    switch state.withLock({ admit(value, &$0) }) {
    case .deliver(let downstream):
      deliver(value, to: downstream)
      proceed(isOwner: true)
    case .nothing:
      break
    case .late:
      subscription.noteDiscard(value, .late)
    case .full(let refused):
      subscription.noteDiscard(refused, .bufferFull)
    case .overflow(let error, let source):
      subscription.noteDiscard(value, .bufferFull)
      finish(source, .failure(error()))
    }
  }

  @inlinable
  internal func admit(_ value: Output, _ state: inout State) -> Admission {
    guard state.isOpen, let downstream = state.downstream else { return .late }
    if !state.isBusy, state.waiting.isEmpty, ledger.takeOne() {
      state.isBusy = true
      return .deliver(to: downstream)
    }
    // Values that have been requested only wait for a delivery, and take no space.
    if let requested = ledger.balance.max, state.waiting.count - requested >= size {
      switch whenFull {
      case .dropNewest:
        return .full(value)
      case .dropOldest:
        guard let oldest = state.waiting.popFirst() else { return .full(value) }
        state.waiting.append(value)
        return .full(oldest)
      case .customError(let error):
        state.isOpen = false
        return .overflow(error, exchange(&state.source, with: Source()))
      }
    }
    state.waiting.append(value)
    return .nothing
  }

  @inlinable
  internal func send(completion: Subscribers.Completion<Failure>) {
    let source = state.withLock { state -> Source? in
      guard state.isOpen else { return nil }
      state.isOpen = false
      return exchange(&state.source, with: Source())
    }
    if let source { finish(source, completion) }
  }

  /// Runs the cleanup, and then lets the completion be delivered.
  @inlinable
  internal func finish(_ source: Source, _ completion: Subscribers.Completion<Failure>) {
    source.cleanup?.cancel()
    state.withLock { $0.ending = completion }
    proceed(isOwner: false)
  }

  // MARK: The loop

  @inlinable
  internal func deliver(_ value: Output, to downstream: ErasedSubscriber) {
    let more = downstream.receive(value)
    if more != .none { _ = credit(more) }
  }

  /// Delivers what is due, and reports new demand, until nothing is left to do.
  ///
  /// - Parameter isOwner: Whether the calling thread is the one that delivers.
  @inlinable
  internal func proceed(isOwner: Bool) {
    var isOwner = isOwner
    while true {
      switch state.withLock({ next(isOwner, &$0) }) {
      case .deliver(let value, let downstream):
        deliver(value, to: downstream)
        isOwner = true
      case .complete(let completion, let downstream):
        return downstream.receive(completion: completion)
      case .report(let demand, let onDemand):
        onDemand(demand)
        state.withLock { $0.isReporting = false }
        isOwner = false
      case .rest:
        return
      }
    }
  }

  @inlinable
  internal func next(_ isOwner: Bool, _ state: inout State) -> Step {
    if state.isBusy, !isOwner { return .rest }
    state.isBusy = false
    guard let downstream = state.downstream else { return .rest }
    if !state.waiting.isEmpty {
      guard ledger.takeOne() else { return .rest }
      state.isBusy = true
      return .deliver(state.waiting.removeFirst(), to: downstream)
    }
    if state.isAttached, let ending = state.ending.take() {
      _ = ledger.close()
      state.downstream = nil
      return .complete(ending, downstream)
    }
    // Not while the closure is running, on this thread or another: it will be called again when it has returned.
    guard !state.isReporting, let onDemand = state.source.onDemand else { return .rest }
    // Values may have met some of the demand since it was requested.
    let demand = min(unreported.withdrawAll(), ledger.balance)
    if demand == .none { return .rest }
    state.isReporting = true
    return .report(demand, to: onDemand)
  }
}

// `@unchecked`: all state is behind the lock, and the subscriber is called by one thread at a time.
extension EmitterSource: @unchecked Sendable where Output: Sendable {}
