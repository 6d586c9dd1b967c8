// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Skips values for a time, and republishes those that follow.
  ///
  /// ![Values are left out for 500 milliseconds. The later ones pass.](drop-duration)
  ///
  /// The time begins with the subscription.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let ticks = PassthroughSubject<Int, Never>()
  /// let cancellable = ticks.drop(duration: 5, on: scheduler).sink { print($0) }
  /// ticks.send(1)
  /// scheduler.advance(by: 5)
  /// ticks.send(2)
  /// // Prints "2".
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each skipped value, one more is requested. `request(.none)` traps.
  ///
  /// **Completion:** forwarded, even before the time has passed.
  ///
  /// **Failure:** forwarded, even before the time has passed.
  ///
  /// **Concurrency:** values are delivered on the thread on which upstream delivers; the scheduler only counts the
  /// time. It keeps its action until the time has passed, even if the stream ends before, but keeps no subscriber and
  /// no upstream.
  ///
  /// Use `drop(untilOutputFrom:)` to begin at a signal, and ``prefix(duration:tolerance:on:options:)`` for the opposite.
  ///
  /// - Parameters:
  ///   - duration: The time for which values are skipped.
  ///   - tolerance: The time by which the end may be late; by default the scheduler's minimum.
  ///   - scheduler: The scheduler that counts the time.
  ///   - options: The scheduler's options for that.
  /// - Returns: A publisher of the values after that time.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func drop<S: Scheduler>(
    duration: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, on scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Lifted<Output, Failure> {
    steered(by: ElapsedTime(duration, tolerance: tolerance, on: scheduler, options: options), DropDurationStage())
  }
}

/// The stage of `drop(duration:on:)`: unlike `drop(untilOutputFrom:)`, it requests another value in place of a skipped
/// one, so that a subscriber that has requested one value gets the first after the time.
@usableFromInline
internal struct DropDurationStage<Input, Failure: Error>: SteeredStage {
  @usableFromInline internal var isOver = false

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "DropDuration" }

  @inlinable
  internal static var rules: SteeredRules { SteeredRules(demand: .forwarded) }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Failure> { isOver ? .emit(input) : .skip }

  @inlinable
  internal mutating func receive(signal: Void) -> Verdict<Input, Failure> {
    isOver = true
    return .absorb
  }

  @inlinable
  internal func receive(signalCompletion: Subscribers.Completion<Never>) -> Verdict<Input, Failure> { .absorb }
}
