// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How many retries one subscription has made, and since when.
///
/// Only the thread that delivers accesses it: upstream's signals are serial, across all attempts.
@usableFromInline
internal final class RetryCourse<Time: Strideable> where Time.Stride: Comparable {
  /// The delay before a retry, counted from 0, or `nil` if there is no such retry.
  @usableFromInline internal let delay: (_ retry: Int) -> Time.Stride?
  /// Whether the count begins again after a value.
  @usableFromInline internal let resets: Bool
  @usableFromInline internal let budget: Time.Stride?
  /// The greatest number of retries.
  @usableFromInline internal let most: Int

  /// The number of retries in the current series of failures.
  @exclusivity(unchecked) @usableFromInline internal var retries = 0
  /// The time of the first failure in the series; unknown if there is no budget.
  @exclusivity(unchecked) @usableFromInline internal var firstFailure: Time?

  @inlinable
  internal init(
    _ most: Int, resets: Bool = false, budget: Time.Stride? = nil, delay: @escaping (_ retry: Int) -> Time.Stride?
  ) {
    self.most = most
    self.resets = resets
    self.budget = budget
    self.delay = delay
  }

  @usableFromInline
  internal convenience init(_ policy: RetryPolicy) where Time.Stride: SchedulerTimeIntervalConvertible {
    self.init(
      policy.retries, resets: policy.isResetByValue, budget: policy.strideOfBudget(),
      delay: RetryPolicy.Delays(policy).take)
  }

  /// The attempt that follows the latest delay.
  @inlinable
  internal var attempt: RetryAttempt { RetryAttempt(number: retries + 1, most: most == .max ? nil : most + 1) }

  /// Called before each value is delivered.
  @inlinable
  internal func noteValue() {
    if resets, retries != 0 {
      retries = 0
      firstFailure = nil
    }
  }

  /// Takes a retry after a failure.
  ///
  /// - Parameters:
  ///   - named: The wait that the failure names, in place of the policy's.
  ///   - now: Reads the clock; called only if there is a budget.
  /// - Returns: The wait; `nil` if no retry is left, or no time for it.
  @inlinable
  internal func delay(instead named: Time.Stride?, now: () -> Time) -> Time.Stride? {
    guard let planned = delay(retries) else { return nil }
    let wait = named ?? planned
    if let budget {
      let now = now()
      let first = firstFailure ?? now
      firstFailure = first
      if first.distance(to: now.advanced(by: wait)) > budget { return nil }
    }
    retries += 1
    return wait
  }
}

/// The number of an attempt, the first one being 1, and how many there are at most.
@usableFromInline
internal struct RetryAttempt {
  internal let number: Int
  internal let most: Int?

  @usableFromInline
  internal init(number: Int, most: Int?) { (self.number, self.most) = (number, most) }
}
