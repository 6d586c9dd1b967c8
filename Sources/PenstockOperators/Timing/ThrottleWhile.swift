// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Holds values back while a condition is true, and releases the latest when it turns false.
  ///
  /// While the condition is false, values pass. While it is true, only the latest is kept; turning false releases that
  /// one, once. A repeated `true` changes nothing. That is what `throttle(while:on:)` means in ReactiveSwift.
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
  /// A condition that ends leaves everything as it is: one that ends while it is true throttles for good.
  ///
  /// **Demand:** upstream and the condition are asked for everything. Whether a value passes is settled when it arrives,
  /// or when it is released, and it is debited then. A value that may pass but has not been asked for is kept, the latest
  /// one, and delivered at the next request, whatever the condition is by then. `request(.none)` traps.
  ///
  /// **Completion:** forwarded on the scheduler. A value that is throttled by then is dropped; one that waits for demand
  /// goes first.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** values and the completion are delivered on the scheduler, one at a time and in order, whatever the
  /// scheduler runs at once. Upstream and the condition may deliver on different threads.
  ///
  /// - Parameters:
  ///   - condition: Says whether to hold values back.
  ///   - initialThrottle: Whether to hold values back until the condition has spoken.
  ///   - scheduler: Where to deliver.
  /// - Returns: A publisher of the values that pass.
  @_disfavoredOverload
  @inlinable
  public func throttle<T, S>(
    while condition: T, initialThrottle: Bool, on scheduler: S
  ) -> Publishers.ThrottleWhile<Self, T, S> where T: Publisher<Bool, Never>, S: Scheduler {
    Publishers.ThrottleWhile(
      upstream: self, condition: condition, initialThrottle: initialThrottle, scheduler: scheduler)
  }

  /// Holds values back while a subject's value is true, and releases the latest when it turns false.
  ///
  /// Like ``throttle(while:initialThrottle:on:)``, and the subject's value is what it begins with.
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
  /// - Parameters:
  ///   - condition: Says whether to hold values back.
  ///   - scheduler: Where to deliver.
  /// - Returns: A publisher of the values that pass.
  @_disfavoredOverload
  @inlinable
  public func throttle<T, S>(
    while condition: T, on scheduler: S
  ) -> Publishers.ThrottleWhile<Self, T, S> where T: CurrentValueSubject<Bool, Never>, S: Scheduler {
    throttle(while: condition, initialThrottle: condition.value, on: scheduler)
  }
}

extension Publishers {
  /// A publisher that holds values back while a condition is true; see
  /// ``Publisher/throttle(while:initialThrottle:on:)``.
  public struct ThrottleWhile<Upstream: Publisher, Condition: Publisher<Bool, Never>, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are held back.
    public let upstream: Upstream

    /// Says whether to hold values back.
    public let condition: Condition

    /// Whether to hold values back until the condition has spoken.
    public let initialThrottle: Bool

    /// Where to deliver.
    public let scheduler: Context

    /// Makes a publisher that holds values back while a condition is true.
    ///
    /// - Parameters:
    ///   - upstream: The publisher whose values are held back.
    ///   - condition: Says whether to hold values back.
    ///   - initialThrottle: Whether to hold values back until the condition has spoken.
    ///   - scheduler: Where to deliver.
    @inlinable
    public init(upstream: Upstream, condition: Condition, initialThrottle: Bool, scheduler: Context) {
      self.upstream = upstream
      self.condition = condition
      self.initialThrottle = initialThrottle
      self.scheduler = scheduler
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      let core = ThrottleWhileCore(subscriber, isThrottled: initialThrottle, scheduler: scheduler)
      let gate = core.start()
      // The condition first: its current value applies to upstream's first value.
      if !gate.isClosed { condition.subscribe(Tributary(ThrottleConditionFlow(core, gate))) }
      if !gate.isClosed { upstream.subscribe(Tributary(ThrottleValueFlow(core, gate))) }
    }
  }
}

extension Publishers.ThrottleWhile: Sendable where Upstream: Sendable, Condition: Sendable, Context: Sendable {}
