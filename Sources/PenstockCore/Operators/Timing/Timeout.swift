// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Ends the stream when no value has come for a given time.
  ///
  /// The time runs from the subscription on, and starts anew with the first request and with every value.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let answers = PassthroughSubject<String, Never>()
  /// let cancellable = answers.timeout(5, scheduler: scheduler).sink(
  ///   receiveCompletion: { print($0, scheduler.now) }, receiveValue: { print($0) })
  /// scheduler.advance(by: 4)
  /// answers.send("here")
  /// scheduler.advance(by: 60)
  /// // Prints "here", "finished 9s" on two lines.
  /// ```
  ///
  /// **Demand:** passes to upstream at once, on the thread that asks. What a delivery returns is asked for behind it, on
  /// the scheduler.
  ///
  /// **Completion:** delivered on the scheduler, behind all values. When the time is up, upstream is cancelled and the
  /// stream finishes; values that have not been delivered by then are dropped.
  ///
  /// **Failure:** delivered on the scheduler, behind all values. When the time is up and there is a closure for the
  /// error, the stream fails with what it returns.
  ///
  /// **Concurrency:** the subscription arrives on the thread that subscribes, everything else on the scheduler, one after
  /// the other, where the closure runs, too. A cancel takes effect at once.
  ///
  /// - Parameters:
  ///   - interval: How long to wait for a value.
  ///   - scheduler: Where to wait and to deliver.
  ///   - options: What the scheduler is told about each block.
  ///   - customError: Makes the error to fail with; with nothing given, the stream finishes.
  /// - Returns: A publisher of the same values, as long as they keep coming.
  @inlinable
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }
}

extension Publishers {
  /// A publisher that ends when another is silent for too long; see
  /// ``Publisher/timeout(_:scheduler:options:customError:)``.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is waited for.
    public let upstream: Upstream

    /// How long to wait for a value.
    public let interval: Context.SchedulerTimeType.Stride

    /// Where to wait and to deliver.
    public let scheduler: Context

    /// What the scheduler is told about each block.
    public let options: Context.SchedulerOptions?

    /// Makes the error to fail with; `nil` to finish.
    public let customError: (() -> Upstream.Failure)?

    /// Makes a publisher that ends when another is silent for too long.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(
        TimeoutLink(
          interval: interval, scheduler: scheduler, options: options, customError: customError, to: subscriber))
    }
  }
}
