// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Divides the values into windows of a number of values, each of which is a publisher.
  ///
  /// ![A publisher is published for each two values; it publishes these.](window-count)
  ///
  /// In contrast to `collect(_:)`, the values of a window are published as they arrive. A window is published together
  /// with its first value, which waits until the window's subscriber requests it; there are no empty windows.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.window(count: 2)
  ///   .flatMap { $0.reduce(0, +) }
  ///   .sink { print($0) }
  /// // Prints "3", "7", "5" on three lines.
  /// ```
  ///
  /// **Demand:** a window uses up demand. Values are requested from upstream one at a time: when a window is wanted,
  /// and then whenever the previous value has been delivered to the window's subscriber. So at most one value of a
  /// window waits, and a window that has no subscriber, or whose subscriber does not ask, holds upstream back. As long
  /// as unlimited windows are requested, and unlimited values of each of them, two values are requested at a time; so
  /// two may wait in the first window with a slower subscriber. `request(.none)` traps.
  ///
  /// **Completion:** ends the open window, after a value that waits in it, and is forwarded, after a window that has
  /// not been requested. When downstream has cancelled, a window that has a subscriber continues; upstream is cancelled
  /// when it has ended.
  ///
  /// **Failure:** ends the open window, and is forwarded, at once; a value that waits is dropped.
  ///
  /// **Concurrency:** upstream and the subscribers of windows may be on different threads; windows and all their values are
  /// delivered one at a time.
  ///
  /// **Traps:** a count below 1; a second subscriber of a window.
  ///
  /// A window whose subscriber has cancelled, or to which nobody can subscribe any more since its publisher has been
  /// released, is skipped: its values are requested, dropped, and reported to handlers of discarded values. If a
  /// subscriber, while it receives a value, sends another one to a subject upstream, that value is delivered
  /// afterwards, as long as everything is requested. A publisher that does not wait for demand, such as a subject,
  /// drops values while a window waits, or if an operator between them asks for one value at a time, as `merge` does:
  /// `buffer(size:prefetch:whenFull:)` in front of this operator keeps them.
  ///
  /// Use `collect(_:)` for arrays, and ``grouped(by:maxGroups:buffer:whenFull:)`` to divide values by a key.
  ///
  /// - Parameter count: The number of values in a window.
  /// - Returns: A publisher of windows.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func window(count: Int) -> Publishers.Lifted<AnyPublisher<Output, Failure>, Failure> {
    if count < 1 { trap(.countBelowOne(operator: "window(count:)")) }
    return Publishers.Lifted(
      SplitPublisher(self, signals: Empty<Never, Failure>?.none) {
        WindowRule<Output, Never, Failure, ImmediateScheduler>(
          size: count, timer: RestartableTimer(.zero, .shared, options: nil), isTimed: false)
      })
  }

  /// Divides the values into windows, each of which is a publisher that ends when another publisher delivers a value.
  ///
  /// ![A window begins with the first value after a signal, and finishes with the next signal.](window-until)
  ///
  /// In contrast to ``collect(until:)``, the values of a window are published as they arrive. A window is published
  /// together with its first value, which waits until the window's subscriber requests it; a signal without a value
  /// before it has no effect, so there are no empty windows.
  ///
  /// ```swift
  /// let (prices, midnight) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
  /// let cancellable = prices.window(until: midnight)
  ///   .flatMap { $0.max() }
  ///   .sink { print($0) }
  /// for price in [3, 7, 5] { prices.send(price) }
  /// midnight.send()
  /// prices.send(4)
  /// midnight.send()
  /// // Prints "7", "4" on two lines.
  /// ```
  ///
  /// **Demand:** a window uses up demand. Values are requested from upstream one at a time: when a window is wanted,
  /// and then whenever the previous value has been delivered to the window's subscriber; everything is requested from
  /// the boundary. So at most one value of a window waits, and a window that has no subscriber, or whose subscriber
  /// does not ask, holds upstream back, even after its end. While everything is requested, upstream is asked for two
  /// values at a time, as by ``window(count:)``. `request(.none)` traps.
  ///
  /// **Completion:** when upstream or the boundary has finished, which cancels the other one: ends the open window,
  /// after a value that waits in it, and is forwarded, after a window that has not been requested. When downstream has
  /// cancelled, a window that has a subscriber continues; upstream is cancelled when it has ended.
  ///
  /// **Failure:** a failure of either ends the open window, and is forwarded, at once; a value that waits is dropped.
  ///
  /// **Concurrency:** both publishers and the subscribers of windows may be on different threads; windows and all their
  /// values are delivered one at a time.
  ///
  /// **Traps:** a second subscriber of a window.
  ///
  /// What ``window(count:)`` says about skipped windows and about subjects applies here, too: a skipped window ends at
  /// its signal.
  ///
  /// - Parameter boundary: The publisher whose values end a window.
  /// - Returns: A publisher of windows.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func window<Boundary: Publisher>(
    until boundary: Boundary
  ) -> Publishers.Lifted<AnyPublisher<Output, Failure>, Failure> where Boundary.Failure == Failure {
    Publishers.Lifted(
      SplitPublisher(self, signals: boundary) {
        WindowRule<Output, Boundary.Output, Failure, ImmediateScheduler>(
          size: .max, timer: RestartableTimer(.zero, .shared, options: nil), isTimed: false)
      })
  }

  /// Divides the values into windows of a length of time, each of which is a publisher.
  ///
  /// ![A window begins with a value, and finishes half a second later.](window-for)
  ///
  /// In contrast to `collect(_:options:)`, the values of a window are published as they arrive. A window is published
  /// together with its first value, which waits until the window's subscriber requests it, and its time runs from then
  /// on. There are no empty windows, and no timer runs between two windows.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// let scheduler = VirtualTimeScheduler()
  /// let requests = PassthroughSubject<String, Never>()
  /// let cancellable = requests.window(for: 1, scheduler: scheduler)
  ///   .flatMap { $0.count() }
  ///   .sink { print($0, scheduler.now) }
  /// requests.send("a")
  /// scheduler.advance(by: 0.5)
  /// requests.send("b")
  /// scheduler.advance(by: 2)
  /// requests.send("c")
  /// scheduler.advance(by: 2)
  /// // Prints "2 1s", "1 3.5s" on two lines.
  /// ```
  ///
  /// **Demand:** a window uses up demand. Values are requested from upstream one at a time: when a window is wanted,
  /// and then whenever the previous value has been delivered to the window's subscriber. So at most one value of a
  /// window waits, and a window that has no subscriber, or whose subscriber does not ask, holds upstream back, even
  /// after its end. While everything is requested, upstream is asked for two values at a time, as by
  /// ``window(count:)``. `request(.none)` traps.
  ///
  /// **Completion:** ends the open window at once, after a value that waits in it, and is forwarded, after a window
  /// that has not been requested. When downstream has cancelled, a window that has a subscriber continues; upstream is
  /// cancelled when it has ended.
  ///
  /// **Failure:** ends the open window, and is forwarded, at once; a value that waits is dropped.
  ///
  /// **Concurrency:** values are delivered on the thread on which upstream delivers, or on one that requests; a window whose
  /// time is over finishes on the scheduler. All are delivered one at a time. The timer keeps the pipeline alive until the
  /// window has ended.
  ///
  /// **Traps:** a second subscriber of a window.
  ///
  /// What ``window(count:)`` says about skipped windows and about subjects applies here, too: a skipped window ends
  /// when its time is over.
  ///
  /// - Parameters:
  ///   - interval: The time after its first value at which a window ends.
  ///   - scheduler: The scheduler that waits.
  ///   - options: The scheduler options for the timer.
  /// - Returns: A publisher of windows.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func window<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Lifted<AnyPublisher<Output, Failure>, Failure> {
    Publishers.Lifted(
      SplitPublisher(self, signals: Empty<Never, Failure>?.none) {
        WindowRule<Output, Never, Failure, S>(
          size: .max, timer: RestartableTimer(interval, scheduler, options: options), isTimed: true)
      })
  }
}
