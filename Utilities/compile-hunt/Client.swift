// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// What belongs to each program of Utilities/compile-hunt, as a user's subscriber belongs to the module that uses it.

import Penstock

@inline(never) func note<T>(_ value: T) { withExtendedLifetime(value) {} }
@inline(never) func weight<T>(_ value: T) -> Int { MemoryLayout<T>.size }

/// A subscriber of a user's own, which requests one value after the other.
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

/// A value of a user's own that is a subscriber.
struct Plain<Input, Failure: Error>: Subscriber {
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive(_ input: Input) -> Subscribers.Demand {
    note(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) { note(completion) }
}

/// A publisher of a user's own, which hands a stream on.
struct Passing<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure
  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(subscriber)
  }
}

extension Publisher {
  /// An operator of a user's own, generic over all of the chain before it.
  func passed() -> Passing<Self> { Passing(upstream: self) }
}
