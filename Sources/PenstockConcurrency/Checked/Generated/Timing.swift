// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Collects the values of each period of time into an array.
  ///
  /// Does what ``/PenstockCore/Publisher/collect(_:options:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func collect<S: Scheduler & Sendable>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> SendablePublisher<Publishers.CollectByTime<Base, S>>
  where S.SchedulerTimeType.Stride: Sendable, S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.CollectByTime<Base, S>>(unchecked: base.collect(strategy, options: options))
  }

  /// Publishes values that no other value follows within a given time.
  ///
  /// Does what ``/PenstockCore/Publisher/debounce(for:scheduler:options:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func debounce<S: Scheduler & Sendable>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> SendablePublisher<Publishers.Debounce<Base, S>>
  where S.SchedulerTimeType.Stride: Sendable, S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Debounce<Base, S>>(
      unchecked: base.debounce(for: dueTime, scheduler: scheduler, options: options))
  }

  /// Delivers values and the completion after a given time.
  ///
  /// Does what ``/PenstockCore/Publisher/delay(for:tolerance:scheduler:options:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func delay<S: Scheduler & Sendable>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> SendablePublisher<Publishers.Delay<Base, S>>
  where S.SchedulerTimeType.Stride: Sendable, S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Delay<Base, S>>(
      unchecked: base.delay(for: interval, tolerance: tolerance, scheduler: scheduler, options: options))
  }

  /// Publishes the time between each value and the previous one.
  ///
  /// Does what ``/PenstockCore/Publisher/measureInterval(using:options:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func measureInterval<S: Scheduler & Sendable>(using scheduler: S, options: S.SchedulerOptions? = nil)
    -> SendablePublisher<Publishers.MeasureInterval<Base, S>> where S.SchedulerOptions: Sendable
  {
    SendablePublisher<Publishers.MeasureInterval<Base, S>>(
      unchecked: base.measureInterval(using: scheduler, options: options))
  }

  /// Delivers values and the completion on a scheduler.
  ///
  /// Does what ``/PenstockCore/Publisher/receive(on:options:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func receive<S: Scheduler & Sendable>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> SendablePublisher<Publishers.ReceiveOn<Base, S>> where S.SchedulerOptions: Sendable
  {
    SendablePublisher<Publishers.ReceiveOn<Base, S>>(unchecked: base.receive(on: scheduler, options: options))
  }

  /// Subscribes to the upstream publisher, requests values and cancels on a scheduler.
  ///
  /// Does what ``/PenstockCore/Publisher/subscribe(on:options:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func subscribe<S: Scheduler & Sendable>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> SendablePublisher<Publishers.SubscribeOn<Base, S>> where S.SchedulerOptions: Sendable
  {
    SendablePublisher<Publishers.SubscribeOn<Base, S>>(unchecked: base.subscribe(on: scheduler, options: options))
  }

  /// Publishes at most one value in each interval of time.
  ///
  /// Does what ``/PenstockCore/Publisher/throttle(for:scheduler:latest:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func throttle<S: Scheduler & Sendable>(for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool)
    -> SendablePublisher<Publishers.Throttle<Base, S>> where S.SchedulerTimeType.Stride: Sendable
  {
    SendablePublisher<Publishers.Throttle<Base, S>>(
      unchecked: base.throttle(for: interval, scheduler: scheduler, latest: latest))
  }

  /// Ends the stream if no value arrives within a given time.
  ///
  /// Does what ``/PenstockCore/Publisher/timeout(_:scheduler:options:customError:)`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `customError` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func timeout<S: Scheduler & Sendable>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (@Sendable () -> Failure)? = nil
  ) -> SendablePublisher<Publishers.Timeout<Base, S>>
  where S.SchedulerTimeType.Stride: Sendable, S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Timeout<Base, S>>(
      unchecked: base.timeout(interval, scheduler: scheduler, options: options, customError: customError))
  }

  /// Collects values into arrays that are limited in number, in weight and in time.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/collect(upTo:weight:within:scheduler:options:weightOf:)``
  /// does, in a pipeline that is checked for data races.
  ///
  /// `weightOf` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func collect<S: Scheduler & Sendable>(
    upTo count: Int, weight maxWeight: Int, within interval: S.SchedulerTimeType.Stride, scheduler: S,
    options: S.SchedulerOptions? = nil, weightOf: @escaping @Sendable (Output) -> Int
  ) -> SendablePublisher<Publishers.Lifted<[Output], Failure>>
  where S.SchedulerTimeType.Stride: Sendable, S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Lifted<[Output], Failure>>(
      unchecked: base.collect(
        upTo: count, weight: maxWeight, within: interval, scheduler: scheduler, options: options, weightOf: weightOf))
  }

  /// Publishes a value when no other value follows for a time that depends on the value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/debounce(for:scheduler:options:)`` does, in a pipeline
  /// that is checked for data races.
  ///
  /// `dueTime` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func debounce<S: Scheduler & Sendable>(
    for dueTime: @escaping @Sendable (Output) -> S.SchedulerTimeType.Stride, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.debounce(for: dueTime, scheduler: scheduler, options: options))
  }

  /// Subscribes to the upstream publisher some time after the subscription.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/delaySubscription(for:tolerance:scheduler:options:)``
  /// does, in a pipeline that is checked for data races.
  @inlinable
  public func delaySubscription<S: Scheduler & Sendable>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>>
  where S.SchedulerTimeType.Stride: Sendable, S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.delaySubscription(for: interval, tolerance: tolerance, scheduler: scheduler, options: options))
  }

  /// Requests values from upstream at a limited rate, and loses none.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/pace(_:per:burst:scheduler:options:)`` does, in a pipeline
  /// that is checked for data races.
  @inlinable
  public func pace<S: Scheduler & Sendable>(
    _ count: Int, per interval: Duration, burst: Int = 1, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.pace(count, per: interval, burst: burst, scheduler: scheduler, options: options))
  }

  /// Requests values from upstream at a rate that is limited by their costs, and loses none.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/pace(_:per:burst:scheduler:options:cost:)`` does, in a
  /// pipeline that is checked for data races.
  ///
  /// `cost` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func pace<S: Scheduler & Sendable>(
    _ count: Int, per interval: Duration, burst: Int = 1, scheduler: S, options: S.SchedulerOptions? = nil,
    cost: @escaping @Sendable (Output) -> Int
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.pace(count, per: interval, burst: burst, scheduler: scheduler, options: options, cost: cost))
  }

  /// Delivers values and the completion on a scheduler, many in one action.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/receive(on:upTo:options:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func receive<S: Scheduler & Sendable>(on scheduler: S, upTo count: Int, options: S.SchedulerOptions? = nil)
    -> SendablePublisher<Publishers.Lifted<Output, Failure>> where S.SchedulerOptions: Sendable
  {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.receive(on: scheduler, upTo: count, options: options))
  }

  /// Publishes the latest value whenever another publisher delivers one.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/sample(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func sample<Signal: Publisher>(_ signal: SendablePublisher<Signal>) -> SendablePublisher<
    Publishers.Lifted<Output, Failure>
  > where Failure == Signal.Failure {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.sample(signal.base))
  }

  /// Ends the stream if upstream delivers no value for a given time although values have been requested.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/stalled(after:scheduler:options:customError:)`` does, in a
  /// pipeline that is checked for data races.
  ///
  /// `customError` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func stalled<S: Scheduler & Sendable>(
    after interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (@Sendable () -> Failure)? = nil
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>>
  where S.SchedulerTimeType.Stride: Sendable, S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.stalled(after: interval, scheduler: scheduler, options: options, customError: customError))
  }

  /// Publishes at most one value in each interval of time: at its beginning, at its end, or both.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/throttle(for:scheduler:leading:trailing:)`` does, in a
  /// pipeline that is checked for data races.
  @inlinable
  public func throttle<S: Scheduler & Sendable>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, leading: Bool, trailing: Bool
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where S.SchedulerTimeType.Stride: Sendable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.throttle(for: interval, scheduler: scheduler, leading: leading, trailing: trailing))
  }

  /// Publishes at most one value in each interval of time, and merges the values of an interval.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/throttle(for:scheduler:reducing:)`` does, in a pipeline
  /// that is checked for data races.
  ///
  /// `merge` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func throttle<S: Scheduler & Sendable>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S,
    reducing merge: @escaping @Sendable (Output, Output) -> Output
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where S.SchedulerTimeType.Stride: Sendable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.throttle(for: interval, scheduler: scheduler, reducing: merge))
  }

  /// Holds values back while a condition is true, and publishes the latest when it becomes false.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/throttle(while:initialThrottle:on:)`` does, in a pipeline
  /// that is checked for data races.
  @inlinable
  public func throttle<T: Publisher, S: Scheduler & Sendable>(
    while condition: SendablePublisher<T>, initialThrottle: Bool, on scheduler: S
  ) -> SendablePublisher<Publishers.ThrottleWhile<Base, T, S>> where T.Failure == Never, T.Output == Bool {
    SendablePublisher<Publishers.ThrottleWhile<Base, T, S>>(
      unchecked: base.throttle(while: condition.base, initialThrottle: initialThrottle, on: scheduler))
  }

  /// Holds values back while a subject's value is true, and publishes the latest when it becomes false.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/throttle(while:on:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func throttle<T: CurrentValueSubject<Bool, Never> & Sendable, S: Scheduler & Sendable>(
    while condition: T, on scheduler: S
  ) -> SendablePublisher<Publishers.ThrottleWhile<Base, T, S>> {
    SendablePublisher<Publishers.ThrottleWhile<Base, T, S>>(unchecked: base.throttle(while: condition, on: scheduler))
  }

  /// Ends the stream if the first value does not arrive within a given time.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/timeout(first:scheduler:options:customError:)`` does, in a
  /// pipeline that is checked for data races.
  ///
  /// `customError` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func timeout<S: Scheduler & Sendable>(
    first interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (@Sendable () -> Failure)? = nil
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>>
  where S.SchedulerTimeType.Stride: Sendable, S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.timeout(first: interval, scheduler: scheduler, options: options, customError: customError))
  }

  /// Publishes each value together with the time of a scheduler.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/timestamp(using:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func timestamp<S: Scheduler & Sendable>(using scheduler: S) -> SendablePublisher<
    Publishers.Map<Base, (value: Output, time: S.SchedulerTimeType)>
  > where S.SchedulerTimeType: Sendable {
    SendablePublisher<Publishers.Map<Base, (value: Output, time: S.SchedulerTimeType)>>(
      unchecked: base.timestamp(using: scheduler))
  }
}
