// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The number of retries, and the delay before each; see `retry(_:scheduler:when:)`.
///
/// ```swift
/// let policy = RetryPolicy.exponential(5, initial: .seconds(1), ceiling: .seconds(10))
/// print((0..<5).map { policy.delay(beforeRetry: $0) })
/// // Prints "[1.0 seconds, 2.0 seconds, 4.0 seconds, 8.0 seconds, 10.0 seconds]"
/// ```
public struct RetryPolicy: Sendable {
  /// The maximum number of retries, which does not include the first attempt.
  public let retries: Int

  /// The delay before the first retry.
  public let initial: Duration

  /// The factor by which each delay is longer than the previous one.
  public let factor: Double

  /// The longest delay.
  public let ceiling: Duration

  /// The random part of each delay, from 0 to 1.
  public let jitter: Double

  /// Whether the delays, and the number of retries, begin again after an attempt that has delivered a value.
  public private(set) var isResetByValue = false

  /// The longest time from a first failure to the last retry; `nil` if there is no limit.
  public private(set) var budget: Duration?

  private let generator: any RandomNumberGenerator & Sendable

  private init(
    retries: Int, initial: Duration, factor: Double, ceiling: Duration, jitter: Double,
    generator: any RandomNumberGenerator & Sendable
  ) {
    if retries < 0 { trap(.negativeCount(operator: "RetryPolicy")) }
    if initial < .zero || ceiling < .zero { trap(.unfitPolicy(rule: "waits of 0 or more", given: "a negative one")) }
    if !(factor >= 1) { trap(.unfitPolicy(rule: "a factor of 1 or more", given: "\(factor)")) }
    if !(0...1).contains(jitter) { trap(.unfitPolicy(rule: "a jitter from 0 to 1", given: "\(jitter)")) }
    self.retries = retries
    self.initial = initial
    self.factor = factor
    self.ceiling = ceiling
    self.jitter = jitter
    self.generator = generator
  }

  /// Creates a policy with equal delays.
  ///
  /// - Parameters:
  ///   - retries: The maximum number of retries. A negative number traps.
  ///   - delay: The delay before each retry. A negative time traps.
  /// - Returns: The policy.
  public static func fixed(_ retries: Int, delay: Duration) -> RetryPolicy {
    RetryPolicy(
      retries: retries, initial: delay, factor: 1, ceiling: delay, jitter: 0, generator: SystemRandomNumberGenerator())
  }

  /// Creates a policy with growing delays, up to a maximum, with a random part.
  ///
  /// Clients that fail at the same moment and wait equally long retry at the same moment. Jitter spreads them: with
  /// 0.5, a delay of ten seconds becomes one between five and ten. "Exponential Backoff And Jitter" (Marc Brooker, AWS
  /// Architecture Blog, 2015) compares the kinds: a jitter of 1 is called full there, and one of 0.5 equal.
  ///
  /// - Parameters:
  ///   - retries: The maximum number of retries. A negative number traps.
  ///   - initial: The delay before the first retry. A negative time traps.
  ///   - factor: The factor by which each delay is longer than the previous one. Less than 1 traps.
  ///   - ceiling: The longest delay.
  ///   - jitter: The random part of each delay, from 0 to 1. Anything else traps.
  ///   - generator: The random number generator. Each subscription uses a copy of its own, from the start: with a seed,
  ///     all subscriptions have the same delays.
  /// - Returns: The policy.
  public static func exponential(
    _ retries: Int, initial: Duration, factor: Double = 2, ceiling: Duration, jitter: Double = 0,
    using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> RetryPolicy {
    RetryPolicy(
      retries: retries, initial: initial, factor: factor, ceiling: ceiling, jitter: jitter, generator: generator)
  }

  /// Returns this policy, with retries that are counted from the beginning after each attempt that delivers a value.
  ///
  /// A connection that has worked for a day and then breaks is tried again after the first delay, and not after the
  /// longest. An attempt counts as a success when its first value has been delivered.
  ///
  /// ```swift
  /// let policy = RetryPolicy.exponential(5, initial: .seconds(1), ceiling: .seconds(60)).resetsOnValue()
  /// print(policy.isResetByValue)
  /// // Prints "true".
  /// ```
  ///
  /// - Returns: The policy.
  public func resetsOnValue() -> RetryPolicy {
    var policy = self
    policy.isResetByValue = true
    return policy
  }

  /// Returns this policy with a limit to the time of all retries together.
  ///
  /// The time runs from the first failure; with ``resetsOnValue()``, from the first failure after a value. If the next
  /// delay would end later than that, there is no further retry, and the failure is delivered at once.
  ///
  /// ```swift
  /// let policy = RetryPolicy.fixed(.max, delay: .seconds(1)).giveUp(after: .seconds(30))
  /// print(policy.budget!)
  /// // Prints "30.0 seconds".
  /// ```
  ///
  /// - Parameter budget: The longest time from the first failure to the last retry. A negative time traps.
  /// - Returns: The policy.
  public func giveUp(after budget: Duration) -> RetryPolicy {
    if budget < .zero { trap(.unfitPolicy(rule: "a total time of 0 or more", given: "a negative one")) }
    var policy = self
    policy.budget = budget
    return policy
  }

  /// Returns the delay before a retry, without its random part.
  ///
  /// - Parameter number: The number of the retry, from 0. A negative number traps.
  public func delay(beforeRetry number: Int) -> Duration {
    if number < 0 { trap(.negativeCount(operator: "delay(beforeRetry:)")) }
    var delay = initial
    if factor > 1, initial > .zero {
      // Step by step, so that the ceiling bounds each result, and nothing can overflow.
      for _ in 0..<number {
        if delay >= ceiling { break }
        delay = delay > ceiling / factor ? ceiling : delay * factor
      }
    }
    return min(delay, ceiling)
  }

  /// The budget as a stride of a scheduler's time.
  @usableFromInline
  internal func strideOfBudget<Interval: SchedulerTimeIntervalConvertible>() -> Interval? {
    budget.map { .nanoseconds($0.nanoseconds) }
  }

  /// The delays of one subscription.
  @usableFromInline
  internal final class Delays {
    private let policy: RetryPolicy
    private var generator: any RandomNumberGenerator & Sendable

    @usableFromInline
    internal init(_ policy: RetryPolicy) {
      self.policy = policy
      generator = policy.generator
    }

    /// The delay before a retry, with jitter, or `nil` if there is no such retry.
    @usableFromInline
    internal func take<Interval: SchedulerTimeIntervalConvertible>(beforeRetry number: Int) -> Interval? {
      guard number < policy.retries else { return nil }
      let delay = policy.delay(beforeRetry: number)
      if policy.jitter == 0 { return .nanoseconds(delay.nanoseconds) }
      return .nanoseconds((delay * (1 - policy.jitter * .random(in: 0...1, using: &generator))).nanoseconds)
    }
  }
}
