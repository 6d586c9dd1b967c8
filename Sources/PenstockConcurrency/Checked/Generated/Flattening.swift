// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Turns each value into a publisher and republishes the values of all those publishers.
  ///
  /// Does what ``/PenstockCore/Publisher/flatMap(maxPublishers:_:)-tkly`` does, in a pipeline that is checked for
  /// data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMap<T: Sendable, P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.FlatMap<P, Base>> where T == P.Output, Failure == P.Failure {
    SendablePublisher<Publishers.FlatMap<P, Base>>(
      unchecked: base.flatMap(maxPublishers: maxPublishers, { transform($0).base }))
  }

  /// Turns each value of a publisher that cannot fail into a publisher that can, and republishes the values of all of
  /// them.
  ///
  /// Does what ``/PenstockCore/Publisher/flatMap(maxPublishers:_:)-6tvgd`` does, in a pipeline that is checked for
  /// data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.FlatMap<P, Publishers.SetFailureType<Base, P.Failure>>> where Failure == Never {
    SendablePublisher<Publishers.FlatMap<P, Publishers.SetFailureType<Base, P.Failure>>>(
      unchecked: base.flatMap(maxPublishers: maxPublishers, { transform($0).base }))
  }

  /// Turns each value into a publisher and republishes the values of all of them; neither side can fail.
  ///
  /// Does what ``/PenstockCore/Publisher/flatMap(maxPublishers:_:)-75k5u`` does, in a pipeline that is checked for
  /// data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.FlatMap<P, Base>> where Failure == Never, P.Failure == Never {
    SendablePublisher<Publishers.FlatMap<P, Base>>(
      unchecked: base.flatMap(maxPublishers: maxPublishers, { transform($0).base }))
  }

  /// Turns each value into a publisher that cannot fail and republishes the values of all of them.
  ///
  /// Does what ``/PenstockCore/Publisher/flatMap(maxPublishers:_:)-7ibdl`` does, in a pipeline that is checked for
  /// data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Base>> where P.Failure == Never {
    SendablePublisher<Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Base>>(
      unchecked: base.flatMap(maxPublishers: maxPublishers, { transform($0).base }))
  }

  /// Turns each value into a publisher of further values, and does the same with those.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/expand(maxPublishers:_:)-74ux9`` does, in a pipeline that
  /// is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func expand<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where Failure == P.Failure, Output == P.Output {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.expand(maxPublishers: maxPublishers, { transform($0).base }))
  }

  /// Turns each value into a publisher of further values that can fail, and does the same with those; upstream cannot
  /// fail.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/expand(maxPublishers:_:)-4psof`` does, in a pipeline that
  /// is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func expand<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<Output, P.Failure>> where Failure == Never, Output == P.Output {
    SendablePublisher<Publishers.Lifted<Output, P.Failure>>(
      unchecked: base.expand(maxPublishers: maxPublishers, { transform($0).base }))
  }

  /// Turns each value into a publisher of further values, and does the same with those; neither side can fail.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/expand(maxPublishers:_:)-9gxim`` does, in a pipeline that
  /// is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func expand<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<Output, Never>>
  where Failure == Never, Output == P.Output, P.Failure == Never {
    SendablePublisher<Publishers.Lifted<Output, Never>>(
      unchecked: base.expand(maxPublishers: maxPublishers, { transform($0).base }))
  }

  /// Turns each value into a publisher of further values that cannot fail, and does the same with those.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/expand(maxPublishers:_:)-25nkr`` does, in a pipeline that
  /// is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func expand<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where Output == P.Output, P.Failure == Never {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.expand(maxPublishers: maxPublishers, { transform($0).base }))
  }

  /// Turns a value into a publisher, and ignores further values until that publisher has finished.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapFirst(_:)-1w8j7`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapFirst<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.Lifted<P.Output, Failure>> where Failure == P.Failure
  {
    SendablePublisher<Publishers.Lifted<P.Output, Failure>>(unchecked: base.flatMapFirst({ transform($0).base }))
  }

  /// Turns a value into a publisher that can fail, and ignores further values until that publisher has finished;
  /// upstream cannot fail.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapFirst(_:)-80af3`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapFirst<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.Lifted<P.Output, P.Failure>> where Failure == Never
  {
    SendablePublisher<Publishers.Lifted<P.Output, P.Failure>>(unchecked: base.flatMapFirst({ transform($0).base }))
  }

  /// Turns a value into a publisher, and ignores further values until that publisher has finished; neither side can
  /// fail.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapFirst(_:)-235ra`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapFirst<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.Lifted<P.Output, Never>> where Failure == Never, P.Failure == Never
  {
    SendablePublisher<Publishers.Lifted<P.Output, Never>>(unchecked: base.flatMapFirst({ transform($0).base }))
  }

  /// Turns a value into a publisher that cannot fail, and ignores further values until that publisher has finished.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapFirst(_:)-2hwdl`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapFirst<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.Lifted<P.Output, Failure>> where P.Failure == Never
  {
    SendablePublisher<Publishers.Lifted<P.Output, Failure>>(unchecked: base.flatMapFirst({ transform($0).base }))
  }

  /// Turns each value into a publisher, and republishes the newest of them.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapLatest(_:)-3uxl5`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapLatest<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.SwitchToLatest<P, Publishers.Map<Base, P>>> where Failure == P.Failure
  {
    SendablePublisher<Publishers.SwitchToLatest<P, Publishers.Map<Base, P>>>(
      unchecked: base.flatMapLatest({ transform($0).base }))
  }

  /// Turns each value into a publisher that can fail, and republishes the newest of them; upstream cannot fail.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapLatest(_:)-83k4z`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapLatest<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.SwitchToLatest<P, Publishers.Map<Publishers.SetFailureType<Base, P.Failure>, P>>>
  where Failure == Never {
    SendablePublisher<Publishers.SwitchToLatest<P, Publishers.Map<Publishers.SetFailureType<Base, P.Failure>, P>>>(
      unchecked: base.flatMapLatest({ transform($0).base }))
  }

  /// Turns each value into a publisher, and republishes the newest of them; neither side can fail.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapLatest(_:)-laa2`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapLatest<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.SwitchToLatest<P, Publishers.Map<Base, P>>>
  where Failure == Never, P.Failure == Never {
    SendablePublisher<Publishers.SwitchToLatest<P, Publishers.Map<Base, P>>>(
      unchecked: base.flatMapLatest({ transform($0).base }))
  }

  /// Turns each value into a publisher that cannot fail, and republishes the newest of them.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapLatest(_:)-yhr9`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapLatest<P: Publisher>(_ transform: @escaping @Sendable (Output) -> SendablePublisher<P>)
    -> SendablePublisher<
      Publishers.SwitchToLatest<
        Publishers.SetFailureType<P, Failure>, Publishers.Map<Base, Publishers.SetFailureType<P, Failure>>
      >
    > where P.Failure == Never
  {
    SendablePublisher<
      Publishers.SwitchToLatest<
        Publishers.SetFailureType<P, Failure>, Publishers.Map<Base, Publishers.SetFailureType<P, Failure>>
      >
    >(unchecked: base.flatMapLatest({ transform($0).base }))
  }

  /// Turns each value into a publisher, runs several of these at a time, and republishes them in the order of the
  /// values.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapSequential(maxPublishers:prefetch:_:)-4kyzy`` does,
  /// in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapSequential<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, prefetch: Int = 32,
    _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<P.Output, Failure>> where Failure == P.Failure {
    SendablePublisher<Publishers.Lifted<P.Output, Failure>>(
      unchecked: base.flatMapSequential(maxPublishers: maxPublishers, prefetch: prefetch, { transform($0).base }))
  }

  /// Turns each value into a publisher that can fail, runs several at a time, and republishes them in order; upstream
  /// cannot fail.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapSequential(maxPublishers:prefetch:_:)-4jlzz`` does,
  /// in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapSequential<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, prefetch: Int = 32,
    _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<P.Output, P.Failure>> where Failure == Never {
    SendablePublisher<Publishers.Lifted<P.Output, P.Failure>>(
      unchecked: base.flatMapSequential(maxPublishers: maxPublishers, prefetch: prefetch, { transform($0).base }))
  }

  /// Turns each value into a publisher, runs several at a time, and republishes them in order; neither side can fail.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapSequential(maxPublishers:prefetch:_:)-18aan`` does,
  /// in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapSequential<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, prefetch: Int = 32,
    _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<P.Output, Never>> where Failure == Never, P.Failure == Never {
    SendablePublisher<Publishers.Lifted<P.Output, Never>>(
      unchecked: base.flatMapSequential(maxPublishers: maxPublishers, prefetch: prefetch, { transform($0).base }))
  }

  /// Turns each value into a publisher that cannot fail, runs several at a time, and republishes them in order.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/flatMapSequential(maxPublishers:prefetch:_:)-12c48`` does,
  /// in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func flatMapSequential<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, prefetch: Int = 32,
    _ transform: @escaping @Sendable (Output) -> SendablePublisher<P>
  ) -> SendablePublisher<Publishers.Lifted<P.Output, Failure>> where P.Failure == Never {
    SendablePublisher<Publishers.Lifted<P.Output, Failure>>(
      unchecked: base.flatMapSequential(maxPublishers: maxPublishers, prefetch: prefetch, { transform($0).base }))
  }
}
