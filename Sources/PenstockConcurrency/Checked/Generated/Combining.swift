// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Combines the latest values of this publisher and another one, and publishes them as a tuple whenever either
  /// delivers.
  ///
  /// Does what ``/PenstockCore/Publisher/combineLatest(_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func combineLatest<P: Publisher>(_ other: SendablePublisher<P>) -> SendablePublisher<
    Publishers.CombineLatest<Base, P>
  > where Failure == P.Failure {
    SendablePublisher<Publishers.CombineLatest<Base, P>>(unchecked: base.combineLatest(other.base))
  }

  /// Combines the latest values of this publisher and another one with a closure, and publishes the result whenever
  /// either delivers.
  ///
  /// Does what ``/PenstockCore/Publisher/combineLatest(_:_:)-3msut`` does, in a pipeline that is checked for data
  /// races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func combineLatest<P: Publisher, T: Sendable>(
    _ other: SendablePublisher<P>, _ transform: @escaping @Sendable (Output, P.Output) -> T
  ) -> SendablePublisher<Publishers.Map<Publishers.CombineLatest<Base, P>, T>> where Failure == P.Failure {
    SendablePublisher<Publishers.Map<Publishers.CombineLatest<Base, P>, T>>(
      unchecked: base.combineLatest(other.base, transform))
  }

  /// Combines the latest values of this publisher and two others, and publishes them as a tuple whenever one of them
  /// delivers.
  ///
  /// Does what ``/PenstockCore/Publisher/combineLatest(_:_:)-5nrn`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher>(
    _ publisher1: SendablePublisher<P>, _ publisher2: SendablePublisher<Q>
  ) -> SendablePublisher<Publishers.CombineLatest3<Base, P, Q>> where Failure == P.Failure, P.Failure == Q.Failure {
    SendablePublisher<Publishers.CombineLatest3<Base, P, Q>>(
      unchecked: base.combineLatest(publisher1.base, publisher2.base))
  }

  /// Combines the latest values of this publisher and two others with a closure, and publishes the result whenever
  /// one of them delivers.
  ///
  /// Does what ``/PenstockCore/Publisher/combineLatest(_:_:_:)-35hx4`` does, in a pipeline that is checked for data
  /// races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, T: Sendable>(
    _ publisher1: SendablePublisher<P>, _ publisher2: SendablePublisher<Q>,
    _ transform: @escaping @Sendable (Output, P.Output, Q.Output) -> T
  ) -> SendablePublisher<Publishers.Map<Publishers.CombineLatest3<Base, P, Q>, T>>
  where Failure == P.Failure, P.Failure == Q.Failure {
    SendablePublisher<Publishers.Map<Publishers.CombineLatest3<Base, P, Q>, T>>(
      unchecked: base.combineLatest(publisher1.base, publisher2.base, transform))
  }

  /// Combines the latest values of this publisher and three others, and publishes them as a tuple whenever one of
  /// them delivers.
  ///
  /// Does what ``/PenstockCore/Publisher/combineLatest(_:_:_:)-2ztge`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: SendablePublisher<P>, _ publisher2: SendablePublisher<Q>, _ publisher3: SendablePublisher<R>
  ) -> SendablePublisher<Publishers.CombineLatest4<Base, P, Q, R>>
  where Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure {
    SendablePublisher<Publishers.CombineLatest4<Base, P, Q, R>>(
      unchecked: base.combineLatest(publisher1.base, publisher2.base, publisher3.base))
  }

  /// Combines the latest values of this publisher and three others with a closure, and publishes the result whenever
  /// one of them delivers.
  ///
  /// Does what ``/PenstockCore/Publisher/combineLatest(_:_:_:_:)`` does, in a pipeline that is checked for data
  /// races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T: Sendable>(
    _ publisher1: SendablePublisher<P>, _ publisher2: SendablePublisher<Q>, _ publisher3: SendablePublisher<R>,
    _ transform: @escaping @Sendable (Output, P.Output, Q.Output, R.Output) -> T
  ) -> SendablePublisher<Publishers.Map<Publishers.CombineLatest4<Base, P, Q, R>, T>>
  where Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure {
    SendablePublisher<Publishers.Map<Publishers.CombineLatest4<Base, P, Q, R>, T>>(
      unchecked: base.combineLatest(publisher1.base, publisher2.base, publisher3.base, transform))
  }

  /// Publishes given values after this publisher has finished.
  ///
  /// Does what ``/PenstockCore/Publisher/append(_:)-5r6ps`` does, in a pipeline that is checked for data races.
  @inlinable
  public func append(_ elements: Output...) -> SendablePublisher<
    Publishers.Concatenate<Base, Publishers.Sequence<[Output], Failure>>
  > {
    SendablePublisher<Publishers.Concatenate<Base, Publishers.Sequence<[Output], Failure>>>(
      unchecked: base.append(elements))
  }

  /// Publishes the elements of a sequence after this publisher has finished.
  ///
  /// Does what ``/PenstockCore/Publisher/append(_:)-1n67w`` does, in a pipeline that is checked for data races.
  @inlinable
  public func append<S: Sequence & Sendable>(_ elements: S) -> SendablePublisher<
    Publishers.Concatenate<Base, Publishers.Sequence<S, Failure>>
  > where Output == S.Element {
    SendablePublisher<Publishers.Concatenate<Base, Publishers.Sequence<S, Failure>>>(unchecked: base.append(elements))
  }

  /// Republishes the values of another publisher after this one has finished.
  ///
  /// Does what ``/PenstockCore/Publisher/append(_:)-1py9c`` does, in a pipeline that is checked for data races.
  @inlinable
  public func append<P: Publisher>(_ publisher: SendablePublisher<P>) -> SendablePublisher<
    Publishers.Concatenate<Base, P>
  > where Failure == P.Failure, Output == P.Output {
    SendablePublisher<Publishers.Concatenate<Base, P>>(unchecked: base.append(publisher.base))
  }

  /// Publishes given values before those of this publisher.
  ///
  /// Does what ``/PenstockCore/Publisher/prepend(_:)-6il4s`` does, in a pipeline that is checked for data races.
  @inlinable
  public func prepend(_ elements: Output...) -> SendablePublisher<
    Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Base>
  > {
    SendablePublisher<Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Base>>(
      unchecked: base.prepend(elements))
  }

  /// Publishes the elements of a sequence before the values of this publisher.
  ///
  /// Does what ``/PenstockCore/Publisher/prepend(_:)-7wlkp`` does, in a pipeline that is checked for data races.
  @inlinable
  public func prepend<S: Sequence & Sendable>(_ elements: S) -> SendablePublisher<
    Publishers.Concatenate<Publishers.Sequence<S, Failure>, Base>
  > where Output == S.Element {
    SendablePublisher<Publishers.Concatenate<Publishers.Sequence<S, Failure>, Base>>(unchecked: base.prepend(elements))
  }

  /// Republishes the values of another publisher before those of this one.
  ///
  /// Does what ``/PenstockCore/Publisher/prepend(_:)-75rq3`` does, in a pipeline that is checked for data races.
  @inlinable
  public func prepend<P: Publisher>(_ publisher: SendablePublisher<P>) -> SendablePublisher<
    Publishers.Concatenate<P, Base>
  > where Failure == P.Failure, Output == P.Output {
    SendablePublisher<Publishers.Concatenate<P, Base>>(unchecked: base.prepend(publisher.base))
  }

  /// Combines the values of this publisher and another one in pairs: first with first, second with second.
  ///
  /// Does what ``/PenstockCore/Publisher/zip(_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func zip<P: Publisher>(_ other: SendablePublisher<P>) -> SendablePublisher<Publishers.Zip<Base, P>>
  where Failure == P.Failure {
    SendablePublisher<Publishers.Zip<Base, P>>(unchecked: base.zip(other.base))
  }

  /// Combines the values of this publisher and another one with a closure: first with first, second with second.
  ///
  /// Does what ``/PenstockCore/Publisher/zip(_:_:)-88ug3`` does, in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func zip<P: Publisher, T: Sendable>(
    _ other: SendablePublisher<P>, _ transform: @escaping @Sendable (Output, P.Output) -> T
  ) -> SendablePublisher<Publishers.Map<Publishers.Zip<Base, P>, T>> where Failure == P.Failure {
    SendablePublisher<Publishers.Map<Publishers.Zip<Base, P>, T>>(unchecked: base.zip(other.base, transform))
  }

  /// Combines the values of this publisher and two others into tuples: first with first, second with second.
  ///
  /// Does what ``/PenstockCore/Publisher/zip(_:_:)-8im77`` does, in a pipeline that is checked for data races.
  @inlinable
  public func zip<P: Publisher, Q: Publisher>(_ publisher1: SendablePublisher<P>, _ publisher2: SendablePublisher<Q>)
    -> SendablePublisher<Publishers.Zip3<Base, P, Q>> where Failure == P.Failure, P.Failure == Q.Failure
  {
    SendablePublisher<Publishers.Zip3<Base, P, Q>>(unchecked: base.zip(publisher1.base, publisher2.base))
  }

  /// Combines the values of this publisher and two others with a closure: first with first, second with second.
  ///
  /// Does what ``/PenstockCore/Publisher/zip(_:_:_:)-18wm3`` does, in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, T: Sendable>(
    _ publisher1: SendablePublisher<P>, _ publisher2: SendablePublisher<Q>,
    _ transform: @escaping @Sendable (Output, P.Output, Q.Output) -> T
  ) -> SendablePublisher<Publishers.Map<Publishers.Zip3<Base, P, Q>, T>>
  where Failure == P.Failure, P.Failure == Q.Failure {
    SendablePublisher<Publishers.Map<Publishers.Zip3<Base, P, Q>, T>>(
      unchecked: base.zip(publisher1.base, publisher2.base, transform))
  }

  /// Combines the values of this publisher and three others into tuples: first with first, second with second.
  ///
  /// Does what ``/PenstockCore/Publisher/zip(_:_:_:)-9hyug`` does, in a pipeline that is checked for data races.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: SendablePublisher<P>, _ publisher2: SendablePublisher<Q>, _ publisher3: SendablePublisher<R>
  ) -> SendablePublisher<Publishers.Zip4<Base, P, Q, R>>
  where Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure {
    SendablePublisher<Publishers.Zip4<Base, P, Q, R>>(
      unchecked: base.zip(publisher1.base, publisher2.base, publisher3.base))
  }

  /// Combines the values of this publisher and three others with a closure: first with first, second with second.
  ///
  /// Does what ``/PenstockCore/Publisher/zip(_:_:_:_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher, T: Sendable>(
    _ publisher1: SendablePublisher<P>, _ publisher2: SendablePublisher<Q>, _ publisher3: SendablePublisher<R>,
    _ transform: @escaping @Sendable (Output, P.Output, Q.Output, R.Output) -> T
  ) -> SendablePublisher<Publishers.Map<Publishers.Zip4<Base, P, Q, R>, T>>
  where Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure {
    SendablePublisher<Publishers.Map<Publishers.Zip4<Base, P, Q, R>, T>>(
      unchecked: base.zip(publisher1.base, publisher2.base, publisher3.base, transform))
  }

  /// Publishes whether the latest values of two publishers are both true.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/and(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func and<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    some Publisher<Bool, Failure>
  > where Failure == Other.Failure, Output == Bool, Other.Output == Bool {
    SendablePublisher<_>(unchecked: base.and(other.base))
  }

  /// Publishes whether at least one of the latest values of two publishers is true.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/or(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func or<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    some Publisher<Bool, Failure>
  > where Failure == Other.Failure, Output == Bool, Other.Output == Bool {
    SendablePublisher<_>(unchecked: base.or(other.base))
  }

  /// Subscribes to the upstream publisher again when it has finished, until it has finished a number of times.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/repeat(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func `repeat`(_ times: Int) -> SendablePublisher<some Publisher<Output, Failure>> {
    SendablePublisher<_>(unchecked: base.`repeat`(times))
  }

  /// Subscribes to the upstream publisher again whenever it has finished, without an end.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/repeat()`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func `repeat`() -> SendablePublisher<some Publisher<Output, Failure>> {
    SendablePublisher<_>(unchecked: base.`repeat`())
  }

  /// Combines each value with the latest value of another publisher.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:)`` does, in a pipeline that is checked
  /// for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func withLatestFrom<Other: Publisher, Result: Sendable>(
    _ other: SendablePublisher<Other>, _ transform: @escaping @Sendable (Output, Other.Output) -> Result
  ) -> SendablePublisher<some Publisher<Result, Failure>> where Failure == Other.Failure {
    SendablePublisher<_>(unchecked: base.withLatestFrom(other.base, transform))
  }

  /// Publishes the latest value of another publisher whenever this publisher delivers a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func withLatestFrom<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    some Publisher<Other.Output, Failure>
  > where Failure == Other.Failure {
    SendablePublisher<_>(unchecked: base.withLatestFrom(other.base))
  }

  /// Publishes each value together with an object that it does not keep alive, and finishes when the object is gone.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withUnretained(_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func withUnretained<Object: AnyObject & Sendable>(_ object: Object) -> SendablePublisher<
    some Publisher<(Object, Output), Failure>
  > {
    SendablePublisher<_>(unchecked: base.withUnretained(object))
  }

  /// Combines each value with an object that it does not keep alive, and finishes when the object is gone.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withUnretained(_:resultSelector:)`` does, in a pipeline
  /// that is checked for data races.
  ///
  /// `resultSelector` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func withUnretained<Object: AnyObject & Sendable, Result: Sendable>(
    _ object: Object, resultSelector: @escaping @Sendable (Object, Output) -> Result
  ) -> SendablePublisher<some Publisher<Result, Failure>> {
    SendablePublisher<_>(unchecked: base.withUnretained(object, resultSelector: resultSelector))
  }
}
