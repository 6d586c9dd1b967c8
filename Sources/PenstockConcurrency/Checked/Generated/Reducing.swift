// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Collects all values into one array, and publishes it when the upstream publisher finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/collect()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func collect() -> SendablePublisher<Publishers.Collect<Base>> {
    SendablePublisher<Publishers.Collect<Base>>(unchecked: base.collect())
  }

  /// Collects values into arrays of a given size.
  ///
  /// Does what ``/PenstockCore/Publisher/collect(_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func collect(_ count: Int) -> SendablePublisher<Publishers.CollectByCount<Base>> {
    SendablePublisher<Publishers.CollectByCount<Base>>(unchecked: base.collect(count))
  }

  /// Publishes the smallest value when the upstream publisher finishes; of equal values, the first.
  ///
  /// Does what ``/PenstockCore/Publisher/min()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func min() -> SendablePublisher<Publishers.Comparison<Base>> where Output: Comparable {
    SendablePublisher<Publishers.Comparison<Base>>(unchecked: base.min())
  }

  /// Publishes the largest value when the upstream publisher finishes; of equal values, the first.
  ///
  /// Does what ``/PenstockCore/Publisher/max()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func max() -> SendablePublisher<Publishers.Comparison<Base>> where Output: Comparable {
    SendablePublisher<Publishers.Comparison<Base>>(unchecked: base.max())
  }

  /// Publishes the smallest value, in the order that a closure defines, when the upstream publisher finishes; of
  /// equal values, the first.
  ///
  /// Does what ``/PenstockCore/Publisher/min(by:)`` does, in a pipeline that is checked for data races.
  ///
  /// `areInIncreasingOrder` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func min(by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool) -> SendablePublisher<
    Publishers.Comparison<Base>
  > {
    SendablePublisher<Publishers.Comparison<Base>>(unchecked: base.min(by: areInIncreasingOrder))
  }

  /// Publishes the largest value, in the order that a closure defines, when the upstream publisher finishes; of equal
  /// values, the first.
  ///
  /// Does what ``/PenstockCore/Publisher/max(by:)`` does, in a pipeline that is checked for data races.
  ///
  /// `areInIncreasingOrder` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func max(by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool) -> SendablePublisher<
    Publishers.Comparison<Base>
  > {
    SendablePublisher<Publishers.Comparison<Base>>(unchecked: base.max(by: areInIncreasingOrder))
  }

  /// Publishes the number of values when the upstream publisher finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/count()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func count() -> SendablePublisher<Publishers.Count<Base>> {
    SendablePublisher<Publishers.Count<Base>>(unchecked: base.count())
  }

  /// Ignores all values, and republishes only the completion.
  ///
  /// Does what ``/PenstockCore/Publisher/ignoreOutput()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func ignoreOutput() -> SendablePublisher<Publishers.IgnoreOutput<Base>> {
    SendablePublisher<Publishers.IgnoreOutput<Base>>(unchecked: base.ignoreOutput())
  }

  /// Combines all values into one result, and publishes it when the upstream publisher finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/reduce(_:_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `nextPartialResult` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func reduce<T: Sendable>(_ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T)
    -> SendablePublisher<Publishers.Reduce<Base, T>>
  {
    SendablePublisher<Publishers.Reduce<Base, T>>(unchecked: base.reduce(initialResult, nextPartialResult))
  }

  /// Publishes the smallest value, in the order that a throwing closure defines, when the upstream publisher
  /// finishes; of equal values, the first.
  ///
  /// Does what ``/PenstockCore/Publisher/tryMin(by:)`` does, in a pipeline that is checked for data races.
  ///
  /// `areInIncreasingOrder` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryMin(by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool) -> SendablePublisher<
    Publishers.TryComparison<Base>
  > {
    SendablePublisher<Publishers.TryComparison<Base>>(unchecked: base.tryMin(by: areInIncreasingOrder))
  }

  /// Publishes the largest value, in the order that a throwing closure defines, when the upstream publisher finishes;
  /// of equal values, the first.
  ///
  /// Does what ``/PenstockCore/Publisher/tryMax(by:)`` does, in a pipeline that is checked for data races.
  ///
  /// `areInIncreasingOrder` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryMax(by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool) -> SendablePublisher<
    Publishers.TryComparison<Base>
  > {
    SendablePublisher<Publishers.TryComparison<Base>>(unchecked: base.tryMax(by: areInIncreasingOrder))
  }

  /// Combines all values into one result with a throwing closure, and publishes it when the upstream publisher
  /// finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/tryReduce(_:_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `nextPartialResult` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryReduce<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
  ) -> SendablePublisher<Publishers.TryReduce<Base, T>> {
    SendablePublisher<Publishers.TryReduce<Base, T>>(unchecked: base.tryReduce(initialResult, nextPartialResult))
  }

  /// Ignores all values, and declares another output type.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/ignoreOutput(setOutputType:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func ignoreOutput<NewOutput: Sendable>(setOutputType outputType: NewOutput.Type) -> SendablePublisher<
    Publishers.Map<Publishers.IgnoreOutput<Base>, NewOutput>
  > {
    SendablePublisher<Publishers.Map<Publishers.IgnoreOutput<Base>, NewOutput>>(
      unchecked: base.ignoreOutput(setOutputType: outputType))
  }
}
