// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Skips a number of values, and republishes the rest.
  ///
  /// Does what ``/PenstockCore/Publisher/dropFirst(_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> SendablePublisher<Publishers.Drop<Base>> {
    SendablePublisher<Publishers.Drop<Base>>(unchecked: base.dropFirst(count))
  }

  /// Skips values until another publisher delivers one.
  ///
  /// Does what ``/PenstockCore/Publisher/drop(untilOutputFrom:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func drop<P: Publisher>(untilOutputFrom publisher: SendablePublisher<P>) -> SendablePublisher<
    Publishers.DropUntilOutput<Base, P>
  > where Failure == P.Failure {
    SendablePublisher<Publishers.DropUntilOutput<Base, P>>(unchecked: base.drop(untilOutputFrom: publisher.base))
  }

  /// Skips values until one does not satisfy a predicate.
  ///
  /// Does what ``/PenstockCore/Publisher/drop(while:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func drop(while predicate: @escaping @Sendable (Output) -> Bool) -> SendablePublisher<
    Publishers.DropWhile<Base>
  > {
    SendablePublisher<Publishers.DropWhile<Base>>(unchecked: base.drop(while: predicate))
  }

  /// Publishes the first value, and finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/first()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func first() -> SendablePublisher<Publishers.First<Base>> {
    SendablePublisher<Publishers.First<Base>>(unchecked: base.first())
  }

  /// Publishes the first value that satisfies a predicate, and finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/first(where:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func first(where predicate: @escaping @Sendable (Output) -> Bool) -> SendablePublisher<
    Publishers.FirstWhere<Base>
  > {
    SendablePublisher<Publishers.FirstWhere<Base>>(unchecked: base.first(where: predicate))
  }

  /// Publishes the last value when the upstream publisher finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/last()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func last() -> SendablePublisher<Publishers.Last<Base>> {
    SendablePublisher<Publishers.Last<Base>>(unchecked: base.last())
  }

  /// Publishes the last value that satisfies a predicate when the upstream publisher finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/last(where:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func last(where predicate: @escaping @Sendable (Output) -> Bool) -> SendablePublisher<
    Publishers.LastWhere<Base>
  > {
    SendablePublisher<Publishers.LastWhere<Base>>(unchecked: base.last(where: predicate))
  }

  /// Republishes values up to a maximum number, and finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/prefix(_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func prefix(_ maxLength: Int) -> SendablePublisher<Publishers.Output<Base>> {
    SendablePublisher<Publishers.Output<Base>>(unchecked: base.prefix(maxLength))
  }

  /// Publishes the value at an index, and finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/output(at:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func output(at index: Int) -> SendablePublisher<Publishers.Output<Base>> {
    SendablePublisher<Publishers.Output<Base>>(unchecked: base.output(at: index))
  }

  /// Publishes the values in a range of indices, and finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/output(in:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func output<R: RangeExpression>(in range: R) -> SendablePublisher<Publishers.Output<Base>>
  where R.Bound == Int {
    SendablePublisher<Publishers.Output<Base>>(unchecked: base.output(in: range))
  }

  /// Republishes values until another publisher delivers one, and then finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/prefix(untilOutputFrom:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func prefix<P: Publisher>(untilOutputFrom publisher: SendablePublisher<P>) -> SendablePublisher<
    Publishers.PrefixUntilOutput<Base, P>
  > {
    SendablePublisher<Publishers.PrefixUntilOutput<Base, P>>(unchecked: base.prefix(untilOutputFrom: publisher.base))
  }

  /// Republishes values while they satisfy a predicate, and then finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/prefix(while:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func prefix(while predicate: @escaping @Sendable (Output) -> Bool) -> SendablePublisher<
    Publishers.PrefixWhile<Base>
  > {
    SendablePublisher<Publishers.PrefixWhile<Base>>(unchecked: base.prefix(while: predicate))
  }

  /// Skips values until one does not satisfy a throwing predicate.
  ///
  /// Does what ``/PenstockCore/Publisher/tryDrop(while:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryDrop(while predicate: @escaping @Sendable (Output) throws -> Bool) -> SendablePublisher<
    Publishers.TryDropWhile<Base>
  > {
    SendablePublisher<Publishers.TryDropWhile<Base>>(unchecked: base.tryDrop(while: predicate))
  }

  /// Publishes the first value that satisfies a throwing predicate, and finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/tryFirst(where:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryFirst(where predicate: @escaping @Sendable (Output) throws -> Bool) -> SendablePublisher<
    Publishers.TryFirstWhere<Base>
  > {
    SendablePublisher<Publishers.TryFirstWhere<Base>>(unchecked: base.tryFirst(where: predicate))
  }

  /// Publishes the last value that satisfies a throwing predicate when the upstream publisher finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/tryLast(where:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryLast(where predicate: @escaping @Sendable (Output) throws -> Bool) -> SendablePublisher<
    Publishers.TryLastWhere<Base>
  > {
    SendablePublisher<Publishers.TryLastWhere<Base>>(unchecked: base.tryLast(where: predicate))
  }

  /// Republishes values while they satisfy a throwing predicate, and then finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/tryPrefix(while:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryPrefix(while predicate: @escaping @Sendable (Output) throws -> Bool) -> SendablePublisher<
    Publishers.TryPrefixWhile<Base>
  > {
    SendablePublisher<Publishers.TryPrefixWhile<Base>>(unchecked: base.tryPrefix(while: predicate))
  }

  /// Skips values for a time, and republishes those that follow.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/drop(duration:tolerance:on:options:)`` does, in a pipeline
  /// that is checked for data races.
  @inlinable
  public func drop<S: Scheduler & Sendable>(
    duration: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, on scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>>
  where S.SchedulerTimeType.Stride: Sendable, S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.drop(duration: duration, tolerance: tolerance, on: scheduler, options: options))
  }

  /// Republishes all values but the last ones.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/dropLast(_:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func dropLast(_ count: Int = 1) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.dropLast(count))
  }

  /// Republishes values for a time, and then finishes.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/prefix(duration:tolerance:on:options:)`` does, in a
  /// pipeline that is checked for data races.
  @inlinable
  public func prefix<S: Scheduler & Sendable>(
    duration: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, on scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>>
  where S.SchedulerTimeType.Stride: Sendable, S.SchedulerOptions: Sendable {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(
      unchecked: base.prefix(duration: duration, tolerance: tolerance, on: scheduler, options: options))
  }

  /// Republishes values until an object is deinitialised, and then finishes at once.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/prefix(untilDeinitOf:)-5imvo`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func prefix(untilDeinitOf lifetime: Lifetime) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.prefix(untilDeinitOf: lifetime))
  }

  /// Republishes values as long as an object exists, and finishes at the first value after its end.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/prefix(untilDeinitOf:)-526ja`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func prefix<Object: AnyObject & Sendable>(untilDeinitOf object: Object) -> SendablePublisher<
    Publishers.Lifted<Output, Failure>
  > {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.prefix(untilDeinitOf: object))
  }

  /// Republishes values while they satisfy a predicate, with or without the first one that does not, and then
  /// finishes.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/prefix(while:behavior:)`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func prefix(while predicate: @escaping @Sendable (Output) -> Bool, behavior: PrefixWhileBehavior)
    -> SendablePublisher<Publishers.Lifted<Output, Failure>>
  {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.prefix(while: predicate, behavior: behavior))
  }

  /// Publishes the only value of the upstream publisher, and fails if there is none, or more than one.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/single()`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func single() -> SendablePublisher<Publishers.Lifted<Output, SingleValueError>> where Failure == Never {
    SendablePublisher<Publishers.Lifted<Output, SingleValueError>>(unchecked: base.single())
  }

  /// Publishes the only value of the upstream publisher, and fails with an error of its type if there is none, or
  /// more than one.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/single(failingWith:)`` does, in a pipeline that is checked
  /// for data races.
  ///
  /// `failure` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func single(failingWith failure: @escaping @Sendable (SingleValueError) -> Failure) -> SendablePublisher<
    Publishers.Lifted<Output, Failure>
  > {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.single(failingWith: failure))
  }

  /// Publishes the last values, up to a number of them, when the upstream publisher finishes.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/takeLast(_:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func takeLast(_ count: Int) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.takeLast(count))
  }
}
