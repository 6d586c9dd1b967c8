// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Transforms each value with a closure.
  ///
  /// Does what ``/PenstockCore/Publisher/map(_:)-7evgd`` does, in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func map<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T) -> SendablePublisher<
    Publishers.Map<Base, T>
  > {
    SendablePublisher<Publishers.Map<Base, T>>(unchecked: base.map(transform))
  }

  /// Converts the error that this publisher may fail with into another error.
  ///
  /// Does what ``/PenstockCore/Publisher/mapError(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func mapError<E: Error>(_ transform: @escaping @Sendable (Failure) -> E) -> SendablePublisher<
    Publishers.MapError<Base, E>
  > {
    SendablePublisher<Publishers.MapError<Base, E>>(unchecked: base.mapError(transform))
  }

  /// Publishes one property of each value.
  ///
  /// Does what ``/PenstockCore/Publisher/map(_:)-78wk1`` does, in a pipeline that is checked for data races.
  @_disfavoredOverload
  @inlinable
  public func map<T: Sendable>(_ keyPath: any KeyPath<Output, T> & Sendable) -> SendablePublisher<
    Publishers.MapKeyPath<Base, T>
  > {
    SendablePublisher<Publishers.MapKeyPath<Base, T>>(unchecked: base.map(keyPath))
  }

  /// Publishes two properties of each value as a tuple.
  ///
  /// Does what ``/PenstockCore/Publisher/map(_:_:)`` does, in a pipeline that is checked for data races.
  @_disfavoredOverload
  @inlinable
  public func map<T0: Sendable, T1: Sendable>(
    _ keyPath0: any KeyPath<Output, T0> & Sendable, _ keyPath1: any KeyPath<Output, T1> & Sendable
  ) -> SendablePublisher<Publishers.MapKeyPath2<Base, T0, T1>> {
    SendablePublisher<Publishers.MapKeyPath2<Base, T0, T1>>(unchecked: base.map(keyPath0, keyPath1))
  }

  /// Publishes three properties of each value as a tuple.
  ///
  /// Does what ``/PenstockCore/Publisher/map(_:_:_:)`` does, in a pipeline that is checked for data races.
  @_disfavoredOverload
  @inlinable
  public func map<T0: Sendable, T1: Sendable, T2: Sendable>(
    _ keyPath0: any KeyPath<Output, T0> & Sendable, _ keyPath1: any KeyPath<Output, T1> & Sendable,
    _ keyPath2: any KeyPath<Output, T2> & Sendable
  ) -> SendablePublisher<Publishers.MapKeyPath3<Base, T0, T1, T2>> {
    SendablePublisher<Publishers.MapKeyPath3<Base, T0, T1, T2>>(unchecked: base.map(keyPath0, keyPath1, keyPath2))
  }

  /// Replaces each `nil` with a given value.
  ///
  /// Does what ``/PenstockCore/Publisher/replaceNil(with:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func replaceNil<T: Sendable>(with output: T) -> SendablePublisher<Publishers.Map<Base, T>> where Output == T? {
    SendablePublisher<Publishers.Map<Base, T>>(unchecked: base.replaceNil(with: output))
  }

  /// Combines each value with the previous result and publishes every intermediate result.
  ///
  /// Does what ``/PenstockCore/Publisher/scan(_:_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `nextPartialResult` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func scan<T: Sendable>(_ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T)
    -> SendablePublisher<Publishers.Scan<Base, T>>
  {
    SendablePublisher<Publishers.Scan<Base, T>>(unchecked: base.scan(initialResult, nextPartialResult))
  }

  /// Gives a publisher that cannot fail a failure type, so that it can be combined with publishers that can fail.
  ///
  /// Does what ``/PenstockCore/Publisher/setFailureType(to:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> SendablePublisher<Publishers.SetFailureType<Base, E>>
  where Failure == Never {
    SendablePublisher<Publishers.SetFailureType<Base, E>>(unchecked: base.setFailureType(to: failureType))
  }

  /// Transforms each value with a throwing closure.
  ///
  /// Does what ``/PenstockCore/Publisher/tryMap(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryMap<T: Sendable>(_ transform: @escaping @Sendable (Output) throws -> T) -> SendablePublisher<
    Publishers.TryMap<Base, T>
  > {
    SendablePublisher<Publishers.TryMap<Base, T>>(unchecked: base.tryMap(transform))
  }

  /// Combines each value with the previous result, with a throwing closure, and publishes every intermediate result.
  ///
  /// Does what ``/PenstockCore/Publisher/tryScan(_:_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `nextPartialResult` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryScan<T: Sendable>(_ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T)
    -> SendablePublisher<Publishers.TryScan<Base, T>>
  {
    SendablePublisher<Publishers.TryScan<Base, T>>(unchecked: base.tryScan(initialResult, nextPartialResult))
  }

  /// Publishes each value together with its index.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/enumerated()`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func enumerated() -> SendablePublisher<Publishers.Lifted<(index: Int, element: Output), Failure>> {
    SendablePublisher<Publishers.Lifted<(index: Int, element: Output), Failure>>(unchecked: base.enumerated())
  }

  /// Republishes the values with a separator between any two of them.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/intersperse(_:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func intersperse(_ separator: Output) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.intersperse(separator))
  }

  /// Transforms each element of each collection, and publishes the results as an array.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/mapMany(_:)`` does, in a pipeline that is checked for data
  /// races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func mapMany<Result: Sendable>(_ transform: @escaping @Sendable (Output.Element) -> Result)
    -> SendablePublisher<Publishers.Lifted<[Result], Failure>> where Output: Sequence
  {
    SendablePublisher<Publishers.Lifted<[Result], Failure>>(unchecked: base.mapMany(transform))
  }

  /// Replaces each value with the same value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/mapToValue(_:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func mapToValue<Value: Sendable>(_ value: Value) -> SendablePublisher<Publishers.Map<Base, Value>> {
    SendablePublisher<Publishers.Map<Base, Value>>(unchecked: base.mapToValue(value))
  }

  /// Replaces each value with `Void`.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/mapToVoid()`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func mapToVoid() -> SendablePublisher<Publishers.Map<Base, Void>> {
    SendablePublisher<Publishers.Map<Base, Void>>(unchecked: base.mapToVoid())
  }

  /// Publishes each value together with a number of its predecessors, as an array.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/nwise(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func nwise(_ size: Int) -> SendablePublisher<Publishers.Lifted<[Output], Failure>> {
    SendablePublisher<Publishers.Lifted<[Output], Failure>>(unchecked: base.nwise(size))
  }

  /// Publishes each value together with its predecessor.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/pairwise()`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func pairwise() -> SendablePublisher<Publishers.Lifted<(Output, Output), Failure>> {
    SendablePublisher<Publishers.Lifted<(Output, Output), Failure>>(unchecked: base.pairwise())
  }

  /// Publishes each value together with its predecessor, the first one with an initial value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/combinePrevious(_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func combinePrevious(_ initial: Output) -> SendablePublisher<Publishers.Lifted<(Output, Output), Failure>> {
    SendablePublisher<Publishers.Lifted<(Output, Output), Failure>>(unchecked: base.combinePrevious(initial))
  }

  /// Updates a result with each value, in place, and publishes it every time.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/scan(into:_:)`` does, in a pipeline that is checked for
  /// data races.
  ///
  /// `update` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func scan<Result: Sendable>(
    into initialResult: Result, _ update: @escaping @Sendable (inout Result, Output) -> Void
  ) -> SendablePublisher<Publishers.Lifted<Result, Failure>> {
    SendablePublisher<Publishers.Lifted<Result, Failure>>(unchecked: base.scan(into: initialResult, update))
  }

  /// Declares an output type for a publisher that has no values.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/setOutputType(to:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func setOutputType<NewOutput: Sendable>(to outputType: NewOutput.Type) -> SendablePublisher<
    Publishers.Map<Base, NewOutput>
  > where Output == Never {
    SendablePublisher<Publishers.Map<Base, NewOutput>>(unchecked: base.setOutputType(to: outputType))
  }

  /// Republishes the opposite of each value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/toggle()`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func toggle() -> SendablePublisher<Publishers.Map<Base, Bool>> where Output == Bool {
    SendablePublisher<Publishers.Map<Base, Bool>>(unchecked: base.toggle())
  }

  /// Republishes the opposite of each value: another name of ``toggle()``, which reads well beside ``and(_:)`` and
  /// ``or(_:)``.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/not()`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func not() -> SendablePublisher<Publishers.Map<Base, Bool>> where Output == Bool {
    SendablePublisher<Publishers.Map<Base, Bool>>(unchecked: base.not())
  }

  /// Transforms each value with a throwing closure, and leaves out the values for which it throws.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/tryMap(skippingFailures:_:)`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `report` and `transform` are `@Sendable`: they may run on any thread, for several subscribers at once.
  @inlinable
  public func tryMap<T: Sendable>(
    skippingFailures report: @escaping @Sendable (any Error, Output) -> Void,
    _ transform: @escaping @Sendable (Output) throws -> T
  ) -> SendablePublisher<Publishers.Lifted<T, Failure>> {
    SendablePublisher<Publishers.Lifted<T, Failure>>(unchecked: base.tryMap(skippingFailures: report, transform))
  }
}
