// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher of one result that may arrive later.
///
/// The closure starts the work at once and only once, whether there is a subscriber or not. Every subscriber receives
/// the same result, even one that subscribes later.
///
/// ```swift
/// let level = Future<Int, Never> { promise in
///   promise(.success(7))
///   promise(.success(8))  // Too late: the first call counts.
/// }
/// let cancellable = level.sink { print($0) }
/// // Prints "7"
/// ```
///
/// To start the work at the first subscription instead, wrap the future in a ``Deferred``, which also repeats the work
/// for each subscriber.
///
/// **Demand:** a value waits for the first request, of any size. `request(.none)` traps.
///
/// **Completion:** `.finished` follows the value at once; a cancel during the delivery of the value suppresses it. If
/// the promise is never called, the publisher never ends.
///
/// **Failure:** delivered as soon as it is known, without demand.
///
/// **Concurrency:** the promise may be called on any thread, and several calls may race: the first one counts. The
/// later of promise and request delivers on its thread, to the subscribers in the order of their subscriptions. If the
/// promise is called on another thread while a subscriber is receiving its subscription, the subscribing thread
/// delivers. The promise keeps the future alive; a subscription does so until it is cancelled or has ended.
///
/// `Sendable` covers the future's own state only. A closure passed to `sink` runs on the thread that delivers, and only
/// an actor-isolated closure is checked, at run time: see <doc:InPlaceOfCombine>.
public final class Future<Output, Failure: Error>: Publisher {
  /// A closure that the work calls with its result.
  ///
  /// The first call counts.
  public typealias Promise = (Result<Output, Failure>) -> Void

  // All fields have a fixed layout, so that a future is freed without a look at its type.

  @usableFromInline internal let state = Guarded(FutureState())
  /// The result, once it is known; set under the lock.
  @usableFromInline internal let known = ValueOnce<Result<Output, Failure>>()

  /// Creates a future without work, for a caller that starts the work and has the future own it.
  ///
  /// The work must refer to the future weakly, or the future is never released.
  @_alwaysEmitIntoClient
  package init() {}

  /// Creates a future and starts its work.
  ///
  /// - Parameter attemptToFulfill: A closure that starts the work before this initializer returns, and calls the
  ///   promise with the result: at once or later, on any thread. The promise is `@Sendable`, so that a task or a queue
  ///   may call it.
  @_alwaysEmitIntoClient
  public init(_ attemptToFulfill: @escaping (@escaping @Sendable (Result<Output, Failure>) -> Void) -> Void) {
    let promised = Promised(by: self)
    attemptToFulfill { promised.future.fulfill($0) }
  }

  deinit { known.free(isPlain: _isPOD(Output.self) && _isPOD(Failure.self)) }

  /// The result, once the promise has been called.
  @_alwaysEmitIntoClient
  internal var result: Result<Output, Failure>? { known.value }

  @_alwaysEmitIntoClient
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let subscription = makeSubscription(SubscriberCalls(of: S.self))
    subscription.embed(subscriber)
    enlist(subscription)
    subscriber.receive(subscription: subscription)
    subscription.introduced()
  }

  @_alwaysEmitIntoClient @inline(__always)
  public static var _offer: _Offer { .values }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    if target._isReady {
      if let result { return target._receive(result) }
      if target._resides, !Target._traits.endsItself { return Target._answer(attachResident(of: target)) }
    }
    return target._subscribe(to: self)
  }

  /// Adds the subscriber of a target that resides: it requests the result and does nothing else with its subscription.
  @inlinable @inline(__always)
  internal func attachResident<Target: _FusionTarget>(of target: Target) -> FutureSubscription
  where Target.Input == Output, Target.Failure == Failure {
    let subscription = makeSubscription(SubscriberCalls(of: Target.Resident.self))
    subscription.embed(target._makeResident(in: .passUnretained(subscription)))
    enlist(subscription)
    subscription.introduced(hasRequested: true)
    return subscription
  }

  // The next two are functions of their own, since they are the same for all subscribers.

  @inlinable @inline(never)
  internal func makeSubscription(_ downstream: SubscriberCalls) -> FutureSubscription {
    FutureSubscription(of: self, downstream: downstream) { future, subscription, order in
      let future = unsafeDowncast(future, to: Future.self)
      switch order {
      case .deliver: future.deliver(to: subscription)
      case .leave: future.forget(subscription)
      }
    }
  }

  /// Has a subscription wait for the result, unless that is known.
  @inlinable @inline(never)
  internal func enlist(_ subscription: FutureSubscription) {
    let hasResult = state.withLock { state in
      if !known.isSet { state.waiting.add(subscription) }
      return known.isSet
    }
    if hasResult { subscription.record(known.settled.outcome) }
  }

  /// Stores an object that stands for the work, unless the work is done.
  ///
  /// It is released together with the future, or when the result is known.
  @usableFromInline
  package func own(_ work: AnyObject) {
    state.withLock { state in
      if !known.isSet { state.work = work }
    }
  }

  /// Stores the first result, and delivers it to the waiting subscriptions.
  @inlinable
  package func fulfill(_ result: Result<Output, Failure>) {
    let (waiting, work) = state.withLock { state -> (FutureWaitingList, AnyObject?) in
      guard !known.isSet else { return (FutureWaitingList(), nil) }
      known.set(result)
      return (exchange(&state.waiting, with: FutureWaitingList()), state.work.take())
    }
    // Released here, outside the lock.
    withExtendedLifetime(work) {}
    waiting.settle(result.outcome)
  }

  @inlinable
  internal func deliver(to subscription: FutureSubscription) {
    switch known.settled {
    case .success(let output):
      _ = subscription.deliver(value: output)
      if !subscription.isCancelled { subscription.deliver(ending: Subscribers.Completion<Failure>.finished) }
    case .failure(let error):
      subscription.deliver(ending: Subscribers.Completion<Failure>.failure(error))
    }
  }

  @inlinable
  internal func forget(_ subscription: FutureSubscription) {
    // Released outside the lock.
    let removed = state.withLock { $0.waiting.remove(subscription) }
    withExtendedLifetime(removed) {}
  }
}

/// The state of a ``Future`` that any thread may change, under its lock.
@usableFromInline
internal struct FutureState: ~Copyable {
  @usableFromInline internal var waiting = FutureWaitingList()
  /// The work of a future that owns it, until the result is known; whatever releases it last ends the work.
  @usableFromInline internal var work: AnyObject?

  @_alwaysEmitIntoClient
  internal init() {}
}

extension Result {
  /// The state of the result, for a subscription.
  @_alwaysEmitIntoClient
  internal var outcome: FutureSubscription.Outcome {
    switch self {
    case .success: .value
    case .failure: .failure
    }
  }
}

extension Future: Sendable where Output: Sendable {}
