// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
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

  /// Republishes whichever of this publisher and another one delivers first.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/amb(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func amb<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    Publishers.Lifted<Output, Failure>
  > where Failure == Other.Failure, Output == Other.Output {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.amb(other.base))
  }

  /// Publishes whether the latest values of two publishers are both true.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/and(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func and<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    Publishers.Map<Publishers.CombineLatest<Base, Other>, Bool>
  > where Failure == Other.Failure, Output == Bool, Other.Output == Bool {
    SendablePublisher<Publishers.Map<Publishers.CombineLatest<Base, Other>, Bool>>(unchecked: base.and(other.base))
  }

  /// Publishes whether at least one of the latest values of two publishers is true.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/or(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func or<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    Publishers.Map<Publishers.CombineLatest<Base, Other>, Bool>
  > where Failure == Other.Failure, Output == Bool, Other.Output == Bool {
    SendablePublisher<Publishers.Map<Publishers.CombineLatest<Base, Other>, Bool>>(unchecked: base.or(other.base))
  }

  /// Ignores this publisher's values, and republishes another publisher when this one has finished.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/andThen(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func andThen<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    Publishers.Concatenate<Publishers.CompactMap<Base, Other.Output>, Other>
  > where Failure == Other.Failure {
    SendablePublisher<Publishers.Concatenate<Publishers.CompactMap<Base, Other.Output>, Other>>(
      unchecked: base.andThen(other.base))
  }

  /// Republishes the values of this publisher and another one, and delays a failure until both have ended.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/mergeDelayingErrors(with:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func mergeDelayingErrors<Other: Publisher>(with other: SendablePublisher<Other>) -> SendablePublisher<
    Publishers.Lifted<Output, CompositeFailure<Failure>>
  > where Failure == Other.Failure, Output == Other.Output {
    SendablePublisher<Publishers.Lifted<Output, CompositeFailure<Failure>>>(
      unchecked: base.mergeDelayingErrors(with: other.base))
  }

  /// Publishes the latest values of this publisher and another one as pairs, and delays a failure until both have
  /// ended.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/combineLatestDelayingErrors(_:)`` does, in a pipeline that
  /// is checked for data races.
  @inlinable
  public func combineLatestDelayingErrors<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    Publishers.Lifted<(Output, Other.Output), CompositeFailure<Failure>>
  > where Failure == Other.Failure {
    SendablePublisher<Publishers.Lifted<(Output, Other.Output), CompositeFailure<Failure>>>(
      unchecked: base.combineLatestDelayingErrors(other.base))
  }

  /// Subscribes to the upstream publisher again when it has finished, until it has finished a number of times.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/repeat(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func `repeat`(_ times: Int) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.`repeat`(times))
  }

  /// Subscribes to the upstream publisher again whenever it has finished, without an end.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/repeat()`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func `repeat`() -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.`repeat`())
  }

  /// Publishes whether another publisher has equal values, in the same order and number.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/sequenceEqual(_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func sequenceEqual<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    Publishers.Lifted<Bool, Failure>
  > where Failure == Other.Failure, Output: Equatable, Output == Other.Output {
    SendablePublisher<Publishers.Lifted<Bool, Failure>>(unchecked: base.sequenceEqual(other.base))
  }

  /// Publishes whether another publisher has equivalent values, in the same order and number.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/sequenceEqual(_:by:)`` does, in a pipeline that is checked
  /// for data races.
  ///
  /// `areEquivalent` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func sequenceEqual<Other: Publisher>(
    _ other: SendablePublisher<Other>, by areEquivalent: @escaping @Sendable (Output, Other.Output) -> Bool
  ) -> SendablePublisher<Publishers.Lifted<Bool, Failure>> where Failure == Other.Failure {
    SendablePublisher<Publishers.Lifted<Bool, Failure>>(unchecked: base.sequenceEqual(other.base, by: areEquivalent))
  }

  /// Republishes another publisher if this one finishes without a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/switchIfEmpty(_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func switchIfEmpty<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    Publishers.Lifted<Output, Failure>
  > where Failure == Other.Failure, Output == Other.Output {
    SendablePublisher<Publishers.Lifted<Output, Failure>>(unchecked: base.switchIfEmpty(other.base))
  }

  /// Combines each value with the latest values of two other publishers.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:_:)-7v34f`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher, Result: Sendable>(
    _ first: SendablePublisher<A>, _ second: SendablePublisher<B>,
    _ transform: @escaping @Sendable (Output, (A.Output, B.Output)) -> Result
  ) -> SendablePublisher<Publishers.Lifted<Result, Failure>> where Failure == A.Failure, A.Failure == B.Failure {
    SendablePublisher<Publishers.Lifted<Result, Failure>>(
      unchecked: base.withLatestFrom(first.base, second.base, transform))
  }

  /// Combines each value with the latest values of three other publishers.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:_:_:)-y3ud`` does, in a pipeline that
  /// is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher, C: Publisher, Result: Sendable>(
    _ first: SendablePublisher<A>, _ second: SendablePublisher<B>, _ third: SendablePublisher<C>,
    _ transform: @escaping @Sendable (Output, (A.Output, B.Output, C.Output)) -> Result
  ) -> SendablePublisher<Publishers.Lifted<Result, Failure>>
  where Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure {
    SendablePublisher<Publishers.Lifted<Result, Failure>>(
      unchecked: base.withLatestFrom(first.base, second.base, third.base, transform))
  }

  /// Combines each value with the latest values of four other publishers.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:_:_:_:)`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher, C: Publisher, D: Publisher, Result: Sendable>(
    _ first: SendablePublisher<A>, _ second: SendablePublisher<B>, _ third: SendablePublisher<C>,
    _ fourth: SendablePublisher<D>,
    _ transform: @escaping @Sendable (Output, (A.Output, B.Output, C.Output, D.Output)) -> Result
  ) -> SendablePublisher<Publishers.Lifted<Result, Failure>>
  where Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    SendablePublisher<Publishers.Lifted<Result, Failure>>(
      unchecked: base.withLatestFrom(first.base, second.base, third.base, fourth.base, transform))
  }

  /// Publishes the latest values of two other publishers whenever this publisher delivers a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:)-6m0rf`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher>(_ first: SendablePublisher<A>, _ second: SendablePublisher<B>)
    -> SendablePublisher<Publishers.Lifted<(A.Output, B.Output), Failure>>
  where Failure == A.Failure, A.Failure == B.Failure {
    SendablePublisher<Publishers.Lifted<(A.Output, B.Output), Failure>>(
      unchecked: base.withLatestFrom(first.base, second.base))
  }

  /// Publishes the latest values of three other publishers whenever this publisher delivers a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:_:)-9vwo`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher, C: Publisher>(
    _ first: SendablePublisher<A>, _ second: SendablePublisher<B>, _ third: SendablePublisher<C>
  ) -> SendablePublisher<Publishers.Lifted<(A.Output, B.Output, C.Output), Failure>>
  where Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure {
    SendablePublisher<Publishers.Lifted<(A.Output, B.Output, C.Output), Failure>>(
      unchecked: base.withLatestFrom(first.base, second.base, third.base))
  }

  /// Publishes the latest values of four other publishers whenever this publisher delivers a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:_:_:)-18h15`` does, in a pipeline that
  /// is checked for data races.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
    _ first: SendablePublisher<A>, _ second: SendablePublisher<B>, _ third: SendablePublisher<C>,
    _ fourth: SendablePublisher<D>
  ) -> SendablePublisher<Publishers.Lifted<(A.Output, B.Output, C.Output, D.Output), Failure>>
  where Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    SendablePublisher<Publishers.Lifted<(A.Output, B.Output, C.Output, D.Output), Failure>>(
      unchecked: base.withLatestFrom(first.base, second.base, third.base, fourth.base))
  }

  /// Combines each value with the latest value of another publisher.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:)-60wop`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func withLatestFrom<Other: Publisher, Result: Sendable>(
    _ other: SendablePublisher<Other>, _ transform: @escaping @Sendable (Output, Other.Output) -> Result
  ) -> SendablePublisher<Publishers.Lifted<Result, Failure>> where Failure == Other.Failure {
    SendablePublisher<Publishers.Lifted<Result, Failure>>(unchecked: base.withLatestFrom(other.base, transform))
  }

  /// Publishes the latest value of another publisher whenever this publisher delivers a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func withLatestFrom<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    Publishers.Lifted<Other.Output, Failure>
  > where Failure == Other.Failure {
    SendablePublisher<Publishers.Lifted<Other.Output, Failure>>(unchecked: base.withLatestFrom(other.base))
  }

  /// Publishes each value together with an object that it does not keep alive, and finishes when the object is gone.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withUnretained(_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func withUnretained<Object: AnyObject & Sendable>(_ object: Object) -> SendablePublisher<
    Publishers.Lifted<(Object, Output), Failure>
  > {
    SendablePublisher<Publishers.Lifted<(Object, Output), Failure>>(unchecked: base.withUnretained(object))
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
  ) -> SendablePublisher<Publishers.Lifted<Result, Failure>> {
    SendablePublisher<Publishers.Lifted<Result, Failure>>(
      unchecked: base.withUnretained(object, resultSelector: resultSelector))
  }
}
