// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The code that belongs to each program of Utilities/compile-hunt, as a user's subscriber belongs to the module that
// uses it.

import Penstock

@inline(never) func note<T>(_ value: T) { withExtendedLifetime(value) {} }
@inline(never) func weight<T>(_ value: T) -> Int { MemoryLayout<T>.size }

/// A user's own subscriber, which requests one value after the other.
final class Own<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  private var subscription: (any Subscription)?
  private(set) var count = 0

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(2))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    count += 1
    note(input)
    return .max(1)
  }

  func receive(completion: Subscribers.Completion<Failure>) { subscription = nil }
}

/// A user's own value type that is a subscriber.
struct Plain<Input, Failure: Error>: Subscriber {
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive(_ input: Input) -> Subscribers.Demand {
    note(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) { note(completion) }
}

/// A user's own publisher, which passes a stream on.
struct Passing<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure
  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(subscriber)
  }
}

extension Publisher {
  /// A user's own operator, generic over the whole chain before it.
  func passed() -> Passing<Self> { Passing(upstream: self) }
}
