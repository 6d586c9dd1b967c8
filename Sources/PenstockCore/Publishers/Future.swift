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
  @inlinable
  package init() {}

  /// Creates a future and starts its work.
  ///
  /// - Parameter attemptToFulfill: A closure that starts the work before this initializer returns, and calls the
  ///   promise with the result: at once or later, on any thread. The promise is `@Sendable`, so that a task or a queue
  ///   may call it.
  @inlinable
  public init(_ attemptToFulfill: @escaping (@escaping @Sendable (Result<Output, Failure>) -> Void) -> Void) {
    let promised = Promised(by: self)
    attemptToFulfill { promised.future.fulfill($0) }
  }

  deinit { known.free(isPlain: _isPOD(Output.self) && _isPOD(Failure.self)) }

  /// The result, once the promise has been called.
  @inlinable
  internal var result: Result<Output, Failure>? { known.value }

  @_alwaysEmitIntoClient
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let subscription = FutureSubscription(
      FutureSubscription.Link(parent: self, downstream: subscriber.erased()),
      typed: FutureSubscription.TypedWork(
        deliver: { unsafeDowncast($0.parent, to: Future.self).deliver(to: $0.downstream, $1) },
        leave: { unsafeDowncast($0.parent, to: Future.self).forget($1) }))
    let hasResult = state.withLock { state in
      if known.isSet { return true }
      state.lastNumber += 1
      subscription.number = state.lastNumber
      state.waiting[state.lastNumber] = subscription
      return false
    }
    if hasResult { subscription.foresee(known.settled.prospect) }
    subscriber.receive(subscription: subscription)
    subscription.introduced()
  }

  @inlinable @inline(__always)
  public static var _handsOver: Bool { true }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    guard target._isReady, let result else { return target._subscribe(to: self) }
    return target._receive(result)
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
    let (waiting, work) = state.withLock { state -> ([UInt: FutureSubscription], AnyObject?) in
      guard !known.isSet else { return ([:], nil) }
      known.set(result)
      let waiting = state.waiting
      state.waiting = [:]
      return (waiting, state.work.take())
    }
    // Released here, outside the lock.
    withExtendedLifetime(work) {}
    for (_, subscription) in waiting.sorted(by: { $0.key < $1.key }) { subscription.settle(result.prospect) }
  }

  @inlinable
  internal func deliver(to downstream: ErasedSubscriber, _ subscription: FutureSubscription) {
    switch known.settled {
    case .success(let output):
      _ = downstream.receive(output)
      if !subscription.isCancelled { downstream.receive(completion: Subscribers.Completion<Failure>.finished) }
    case .failure(let error):
      downstream.receive(completion: Subscribers.Completion<Failure>.failure(error))
    }
  }

  @inlinable
  internal func forget(_ subscription: FutureSubscription) {
    _ = state.withLock { $0.waiting.removeValue(forKey: subscription.number) }
  }
}

/// What any thread may change in a ``Future``, under its lock.
@usableFromInline
internal struct FutureState {
  /// The subscriptions that wait for the result, by the order of subscription.
  ///
  /// Cancelled subscriptions are removed.
  @usableFromInline internal var waiting: [UInt: FutureSubscription] = [:]
  @usableFromInline internal var lastNumber: UInt = 0
  /// The work of a future that owns it, until the result is known; whatever releases it last ends the work.
  @usableFromInline internal var work: AnyObject?

  @inlinable
  internal init() {}
}

extension Result {
  /// What a subscription needs to know about the result.
  @inlinable
  internal var prospect: FutureSubscription.Prospect {
    switch self {
    case .success: .value
    case .failure: .failure
    }
  }
}

extension Future: Sendable where Output: Sendable {}
