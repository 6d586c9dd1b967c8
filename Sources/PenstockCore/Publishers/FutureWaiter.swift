// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A result in transfer to the task that waits for it.
@usableFromInline
internal struct HandedOver<Value, Failure: Error>: @unchecked Sendable {
  // `@unchecked`: the value may be of any type. The future shares it with all its subscribers anyway, as in Combine;
  // see ``Future``.

  @usableFromInline internal let result: Result<Value, Failure>

  @_alwaysEmitIntoClient
  internal init(_ result: Result<Value, Failure>) { self.result = result }
}

/// A future in transfer to the thread that calls its promise.
@usableFromInline
internal struct Promised<Output, Failure: Error>: @unchecked Sendable {
  // `@unchecked`: the output may be of any type, and calls of the promise may race. Only the first one counts, and its
  // result is shared with all subscribers anyway, as in Combine; see ``Future``.

  @usableFromInline internal let future: Future<Output, Failure>

  @_alwaysEmitIntoClient
  internal init(by future: Future<Output, Failure>) { self.future = future }
}

/// A subscriber that resumes one task with the result of a future.
@usableFromInline
internal final class FutureWaiter<Input, Failure: Error>: Subscriber {
  @usableFromInline internal typealias Waiter = UnsafeContinuation<HandedOver<Input, Failure>, Never>

  /// The continuation's address, or zero; the first result takes it out.
  @usableFromInline internal let waiter: AtomicCell<UInt>

  @_alwaysEmitIntoClient
  internal init(_ waiter: Waiter) {
    self.waiter = AtomicCell(unsafeBitCast(waiter, to: UInt.self))
  }

  @inlinable
  internal func resume(_ result: Result<Input, Failure>) {
    let address = waiter.exchange(0, ordering: .acquiringAndReleasing)
    if address != 0 { unsafeBitCast(address, to: Waiter.self).resume(returning: HandedOver(result)) }
  }

  @usableFromInline
  internal func receive(subscription: any Subscription) {
    subscription.request(.max(1))
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Subscribers.Demand {
    resume(.success(input))
    return .none
  }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Failure>) {
    guard case .failure(let error) = completion else { return }
    resume(.failure(error))
  }
}

extension Future {
  /// The number of subscriptions that wait for the result.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Suspends the task until the result is known.
  @_alwaysEmitIntoClient
  internal func result(isolation: isolated (any Actor)?) async -> Result<Output, Failure> {
    await withUnsafeContinuation(isolation: isolation) { subscribe(FutureWaiter($0)) }.result
  }
}
