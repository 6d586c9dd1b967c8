// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import ItemDatabase
public import Penstock
public import PenstockOperators

/// An error between this server and the service that knows the details.
public enum DetailsError: Error, Equatable {
  /// The connection was lost. It may be available again in a moment.
  case connectionLost
  /// The service no longer recognises the visitor. Asking again changes nothing.
  case tokenExpired
  /// There is no such item.
  case unknownItem
}

/// Loads what is known about an item from a service that sometimes fails.
public struct DetailsLoader<Context: Scheduler> {
  private let policy: RetryPolicy
  private let scheduler: Context
  private let attempt: (Item.ID) -> AnyPublisher<ItemRecord, any Error>

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - policy: How often it tries again, and how long it waits before that.
  ///   - scheduler: The scheduler on which it waits.
  ///   - attempt: Asks the service once, for each subscription.
  public init(
    policy: RetryPolicy, scheduler: Context, attempt: @escaping (Item.ID) -> AnyPublisher<ItemRecord, any Error>
  ) {
    (self.policy, self.scheduler, self.attempt) = (policy, scheduler, attempt)
  }

  /// Loads the details of an item.
  ///
  /// A lost connection is tried again at once, and then with growing delays; every other failure is final.
  ///
  /// **Demand:** one value.
  ///
  /// **Completion:** after the value.
  ///
  /// **Failure:** the first failure that is not a lost connection, or the last failure.
  ///
  /// **Concurrency:** the second attempt begins on the thread on which the first ends, the later ones on the scheduler.
  /// A cancel ends the attempt or the wait.
  public func loadDetails(_ id: Item.ID) -> AnyPublisher<ItemRecord, any Error> {
    let attempt = attempt(id)
    return
      attempt
      .tryCatch { [policy, scheduler] error in
        guard isWorthAnother(error) else { throw error }
        return attempt.retry(policy, scheduler: scheduler, when: isWorthAnother)
      }
      .eraseToAnyPublisher()
  }
}

private func isWorthAnother(_ error: any Error) -> Bool { error as? DetailsError == .connectionLost }
