// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A result that is handed over to whoever waits for it.
@usableFromInline
internal struct HandedOver<Value, Failure: Error>: @unchecked Sendable {
  // `@unchecked`: the value may be of any type. The future has kept it for all its subscribers, as in Combine, so it may
  // be shared; see ``Future``.

  @usableFromInline internal let result: Result<Value, Failure>

  @inlinable
  internal init(_ result: Result<Value, Failure>) { self.result = result }
}

/// A future, on its way to whatever thread calls its promise.
@usableFromInline
internal struct Promised<Output, Failure: Error>: @unchecked Sendable {
  // `@unchecked`: the output may be of any type, while calls of the promise may race. One of them counts, and hands in a
  // result that all subscribers share, as in Combine; see ``Future``.

  @usableFromInline internal let future: Future<Output, Failure>

  @inlinable
  internal init(by future: Future<Output, Failure>) { self.future = future }
}

/// A subscriber that resumes one task with the result of a future.
@usableFromInline
internal final class FutureWaiter<Input, Failure: Error>: Subscriber {
  @usableFromInline internal typealias Waiter = UnsafeContinuation<HandedOver<Input, Failure>, Never>

  /// Taken by the first result.
  @usableFromInline internal let waiter: Guarded<Waiter?>

  @inlinable
  internal init(_ waiter: Waiter) {
    self.waiter = Guarded(waiter)
  }

  @usableFromInline
  internal func receive(subscription: any Subscription) {
    subscription.request(.max(1))
  }

  @inlinable
  internal func receive(_ input: Input) -> Subscribers.Demand {
    waiter.withLock { $0.take() }?.resume(returning: HandedOver(.success(input)))
    return .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) {
    guard case .failure(let error) = completion else { return }
    waiter.withLock { $0.take() }?.resume(returning: HandedOver(.failure(error)))
  }
}

extension Future {
  /// How many subscriptions wait for the result.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Waits for the result.
  @inlinable
  internal func result(isolation: isolated (any Actor)?) async -> Result<Output, Failure> {
    await withUnsafeContinuation(isolation: isolation) { subscribe(FutureWaiter($0)) }.result
  }
}
