// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Holds values back while a condition is true, and publishes the latest when it becomes false.
  ///
  /// ![While the condition is true, values are held back. When it turns false, the latest follows.](throttle-while)
  ///
  /// While the condition is false, values pass. While it is true, only the latest value is kept; it is published once,
  /// when the condition becomes false. A repeated `true` has no effect. The operator corresponds to
  /// `throttle(while:on:)` in ReactiveSwift.
  ///
  /// ```swift
  /// let (values, busy) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Bool, Never>())
  /// let cancellable = values
  ///   .throttle(while: busy, initialThrottle: false, on: ImmediateScheduler.shared)
  ///   .sink { print($0) }
  /// values.send(1)
  /// busy.send(true)
  /// values.send(2)
  /// values.send(3)
  /// busy.send(false)
  /// values.send(4)
  /// // Prints "1", "3", "4" on three lines.
  /// ```
  ///
  /// When the condition publisher ends, its last value stays in effect: if that is `true`, values are held back
  /// forever.
  ///
  /// **Demand:** unlimited values are requested from upstream and from the condition. Whether a value passes is decided
  /// when it arrives, or when the condition becomes false, and it counts against the demand then. Of the values that
  /// may pass but have not been requested, only the latest is kept, and delivered at the next request, whatever the
  /// condition is by then. `request(.none)` traps.
  ///
  /// **Completion:** forwarded on the scheduler. A value that is held back by the condition is dropped; one that waits
  /// for demand is delivered first.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** values and the completion are delivered on the scheduler, one at a time and in order, even if the
  /// scheduler runs several actions at once. Upstream and the condition may deliver on different threads.
  ///
  /// Use `throttle(for:scheduler:latest:)` to limit the rate by time, and
  /// ``Publisher/pausableSink(receiveCompletion:receiveValue:)`` to pause from the subscriber's side.
  ///
  /// - Parameters:
  ///   - condition: A publisher of whether to hold values back.
  ///   - initialThrottle: Whether to hold values back until the condition delivers its first value.
  ///   - scheduler: The scheduler to deliver on.
  /// - Returns: A publisher of the values that pass.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func throttle<T, S>(
    while condition: T, initialThrottle: Bool, on scheduler: S
  ) -> Publishers.ThrottleWhile<Self, T, S> where T: Publisher<Bool, Never>, S: Scheduler {
    Publishers.ThrottleWhile(
      upstream: self, condition: condition, initialThrottle: initialThrottle, scheduler: scheduler)
  }

  /// Holds values back while a subject's value is true, and publishes the latest when it becomes false.
  ///
  /// ![While the condition is true, values are held back. When it turns false, the latest follows.](throttle-while)
  ///
  /// It works as ``throttle(while:initialThrottle:on:)``, and starts with the subject's current value.
  ///
  /// ```swift
  /// let (values, busy) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Bool, Never>(true))
  /// let cancellable = values.throttle(while: busy, on: ImmediateScheduler.shared).sink { print($0) }
  /// values.send(1)
  /// values.send(2)
  /// busy.value = false
  /// // Prints "2".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``throttle(while:initialThrottle:on:)``.
  ///
  /// Use `throttle(for:scheduler:latest:)` to limit the rate by time, and
  /// ``Publisher/pausableSink(receiveCompletion:receiveValue:)`` to pause from the subscriber's side.
  ///
  /// - Parameters:
  ///   - condition: A publisher of whether to hold values back.
  ///   - scheduler: The scheduler to deliver on.
  /// - Returns: A publisher of the values that pass.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func throttle<T, S>(
    while condition: T, on scheduler: S
  ) -> Publishers.ThrottleWhile<Self, T, S> where T: CurrentValueSubject<Bool, Never>, S: Scheduler {
    throttle(while: condition, initialThrottle: condition.value, on: scheduler)
  }
}

extension Publishers {
  /// A publisher that holds values back while a condition is true; see
  /// ``Publisher/throttle(while:initialThrottle:on:)``.
  public struct ThrottleWhile<Upstream: Publisher, Condition: Publisher<Bool, Never>, Context: Scheduler>: Publisher,
    _DerivedTypes
  {
    public typealias _Origin = Upstream

    /// The publisher whose values are held back.
    public let upstream: Upstream

    /// A publisher of whether to hold values back.
    public let condition: Condition

    /// Whether to hold values back until the condition delivers its first value.
    public let initialThrottle: Bool

    /// The scheduler to deliver on.
    public let scheduler: Context

    /// Creates a publisher that holds values back while a condition is true.
    ///
    /// - Parameters:
    ///   - upstream: The publisher whose values are held back.
    ///   - condition: A publisher of whether to hold values back.
    ///   - initialThrottle: Whether to hold values back until the condition delivers its first value.
    ///   - scheduler: The scheduler to deliver on.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, condition: Condition, initialThrottle: Bool, scheduler: Context) {
      self.upstream = upstream
      self.condition = condition
      self.initialThrottle = initialThrottle
      self.scheduler = scheduler
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      upstream.steer(
        by: condition, ThrottleWhileStage(isThrottled: initialThrottle),
        to: ScheduledSubscriber(
          ReceiveOnStage<Self.Output, Failure, Context>(scheduler, nil), name: "ThrottleWhile", to: subscriber))
    }
  }
}

/// The stage of `throttle(while:)`: decides which values pass; they are delivered by the shape of `receive(on:)`.
@usableFromInline
internal struct ThrottleWhileStage<Input, Failure: Error>: SteeredStage {
  @usableFromInline internal var isThrottled: Bool
  /// The latest value that arrived while the condition was true.
  @usableFromInline internal var latest: Input?

  @inlinable
  internal init(isThrottled: Bool) { self.isThrottled = isThrottled }

  @inlinable
  internal static var name: String { "ThrottleWhile" }

  @inlinable
  internal static var rules: SteeredRules { SteeredRules(demand: .countedKeeping) }

  @inlinable
  internal mutating func receive(_ input: Input) -> Verdict<Input, Failure> {
    guard isThrottled else { return .emit(input) }
    dispose(of: displace(&latest, with: input))
    return .absorb
  }

  @inlinable
  internal mutating func receive(signal: Bool) -> Verdict<Input, Failure> {
    isThrottled = signal
    guard !signal, let latest = latest.take() else { return .absorb }
    return .emit(latest)
  }

  /// Changes nothing: the last condition stays in force.
  @inlinable
  internal func receive(signalCompletion: Subscribers.Completion<Never>) -> Verdict<Input, Failure> { .absorb }

  @inlinable
  internal var waiting: Input? { latest }

  @inlinable
  internal mutating func discard() { dispose(of: displace(&latest, with: nil)) }
}

extension Publishers.ThrottleWhile: Sendable where Upstream: Sendable, Condition: Sendable, Context: Sendable {}
