// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers a value when no other has come for a given time.
  ///
  /// A search field, for example, asks the server once the user has stopped typing.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let typed = PassthroughSubject<String, Never>()
  /// let cancellable = typed.debounce(for: 0.5, scheduler: scheduler).sink { print($0, scheduler.now) }
  /// for text in ["g", "ga", "gat", "gate"] {
  ///   typed.send(text)
  ///   scheduler.advance(by: text == "ga" ? 2 : 0.1)
  /// }
  /// scheduler.advance(by: 2)
  /// // Prints "ga 0.6s", "gate 2.7s" on two lines.
  /// ```
  ///
  /// **Demand:** upstream is asked for everything. A value that has not been asked for when it is due is dropped.
  ///
  /// **Completion:** delivered on the scheduler. A value that is not due by then is lost, so a publisher that ends right
  /// behind its only value delivers nothing but its end.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** the subscription arrives on the thread that subscribes, everything else on the scheduler, one after
  /// the other. A cancel takes effect at once.
  ///
  /// - Parameters:
  ///   - dueTime: How long no other value may come.
  ///   - scheduler: Where to wait and to deliver.
  ///   - options: What the scheduler is told about each timer.
  /// - Returns: A publisher of the values that are followed by quiet.
  @inlinable
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher of the values that are followed by quiet; see ``Publisher/debounce(for:scheduler:options:)``.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values wait for quiet.
    public let upstream: Upstream

    /// How long no other value may come.
    public let dueTime: Context.SchedulerTimeType.Stride

    /// Where to wait and to deliver.
    public let scheduler: Context

    /// What the scheduler is told about each timer.
    public let options: Context.SchedulerOptions?

    /// Makes a publisher of the values that are followed by quiet.
    @inlinable
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(DebounceLink(dueTime: dueTime, scheduler: scheduler, options: options, to: subscriber))
    }
  }
}

extension Publishers.Debounce: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable,
  Context.SchedulerTimeType.Stride: Sendable
{}
