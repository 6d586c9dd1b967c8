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

  /// Republishes the values of this publisher and another one as they arrive.
  ///
  /// Does what ``/PenstockCore/Publisher/merge(with:)-5hfi`` does, in a pipeline that is checked for data races.
  @inlinable
  public func merge<P: Publisher>(with other: SendablePublisher<P>) -> SendablePublisher<Publishers.Merge<Base, P>>
  where Failure == P.Failure, Output == P.Output {
    SendablePublisher<Publishers.Merge<Base, P>>(unchecked: base.merge(with: other.base))
  }

  /// Republishes the values of this publisher and two others as they arrive.
  ///
  /// Does what ``/PenstockCore/Publisher/merge(with:_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func merge<B: Publisher, C: Publisher>(with b: SendablePublisher<B>, _ c: SendablePublisher<C>)
    -> SendablePublisher<Publishers.Merge3<Base, B, C>>
  where Failure == B.Failure, Output == B.Output, B.Failure == C.Failure, B.Output == C.Output {
    SendablePublisher<Publishers.Merge3<Base, B, C>>(unchecked: base.merge(with: b.base, c.base))
  }

  /// Republishes the values of this publisher and three others as they arrive.
  ///
  /// Does what ``/PenstockCore/Publisher/merge(with:_:_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher>(
    with b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>
  ) -> SendablePublisher<Publishers.Merge4<Base, B, C, D>>
  where
    Failure == B.Failure, Output == B.Output, B.Failure == C.Failure, B.Output == C.Output, C.Failure == D.Failure,
    C.Output == D.Output
  {
    SendablePublisher<Publishers.Merge4<Base, B, C, D>>(unchecked: base.merge(with: b.base, c.base, d.base))
  }

  /// Republishes the values of this publisher and four others as they arrive.
  ///
  /// Does what ``/PenstockCore/Publisher/merge(with:_:_:_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    with b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>, _ e: SendablePublisher<E>
  ) -> SendablePublisher<Publishers.Merge5<Base, B, C, D, E>>
  where
    Failure == B.Failure, Output == B.Output, B.Failure == C.Failure, B.Output == C.Output, C.Failure == D.Failure,
    C.Output == D.Output, D.Failure == E.Failure, D.Output == E.Output
  {
    SendablePublisher<Publishers.Merge5<Base, B, C, D, E>>(unchecked: base.merge(with: b.base, c.base, d.base, e.base))
  }

  /// Republishes the values of this publisher and five others as they arrive.
  ///
  /// Does what ``/PenstockCore/Publisher/merge(with:_:_:_:_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    with b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>, _ e: SendablePublisher<E>,
    _ f: SendablePublisher<F>
  ) -> SendablePublisher<Publishers.Merge6<Base, B, C, D, E, F>>
  where
    Failure == B.Failure, Output == B.Output, B.Failure == C.Failure, B.Output == C.Output, C.Failure == D.Failure,
    C.Output == D.Output, D.Failure == E.Failure, D.Output == E.Output, E.Failure == F.Failure, E.Output == F.Output
  {
    SendablePublisher<Publishers.Merge6<Base, B, C, D, E, F>>(
      unchecked: base.merge(with: b.base, c.base, d.base, e.base, f.base))
  }

  /// Republishes the values of this publisher and six others as they arrive.
  ///
  /// Does what ``/PenstockCore/Publisher/merge(with:_:_:_:_:_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
    with b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>, _ e: SendablePublisher<E>,
    _ f: SendablePublisher<F>, _ g: SendablePublisher<G>
  ) -> SendablePublisher<Publishers.Merge7<Base, B, C, D, E, F, G>>
  where
    Failure == B.Failure, Output == B.Output, B.Failure == C.Failure, B.Output == C.Output, C.Failure == D.Failure,
    C.Output == D.Output, D.Failure == E.Failure, D.Output == E.Output, E.Failure == F.Failure, E.Output == F.Output,
    F.Failure == G.Failure, F.Output == G.Output
  {
    SendablePublisher<Publishers.Merge7<Base, B, C, D, E, F, G>>(
      unchecked: base.merge(with: b.base, c.base, d.base, e.base, f.base, g.base))
  }

  /// Republishes the values of this publisher and seven others as they arrive.
  ///
  /// Does what ``/PenstockCore/Publisher/merge(with:_:_:_:_:_:_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher>(
    with b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>, _ e: SendablePublisher<E>,
    _ f: SendablePublisher<F>, _ g: SendablePublisher<G>, _ h: SendablePublisher<H>
  ) -> SendablePublisher<Publishers.Merge8<Base, B, C, D, E, F, G, H>>
  where
    Failure == B.Failure, Output == B.Output, B.Failure == C.Failure, B.Output == C.Output, C.Failure == D.Failure,
    C.Output == D.Output, D.Failure == E.Failure, D.Output == E.Output, E.Failure == F.Failure, E.Output == F.Output,
    F.Failure == G.Failure, F.Output == G.Output, G.Failure == H.Failure, G.Output == H.Output
  {
    SendablePublisher<Publishers.Merge8<Base, B, C, D, E, F, G, H>>(
      unchecked: base.merge(with: b.base, c.base, d.base, e.base, f.base, g.base, h.base))
  }

  /// Republishes the values of this publisher and another one of the same type as they arrive.
  ///
  /// Does what ``/PenstockCore/Publisher/merge(with:)-4w8ui`` does, in a pipeline that is checked for data races.
  @inlinable
  public func merge(with other: SendablePublisher<Base>) -> SendablePublisher<Publishers.MergeMany<Base>> {
    SendablePublisher<Publishers.MergeMany<Base>>(unchecked: base.merge(with: other.base))
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

  /// Republishes whichever of this publisher and another one delivers first.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/amb(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func amb<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    some Publisher<Output, Failure>
  > where Failure == Other.Failure, Output == Other.Output {
    SendablePublisher<_>(unchecked: base.amb(other.base))
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

  /// Waits until this publisher has finished, whatever it publishes, and republishes another one then.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/andThen(_:)`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func andThen<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    some Publisher<Other.Output, Failure>
  > where Failure == Other.Failure {
    SendablePublisher<_>(unchecked: base.andThen(other.base))
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

  /// Republishes another publisher if this one finishes without a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/switchIfEmpty(_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func switchIfEmpty<Other: Publisher>(_ other: SendablePublisher<Other>) -> SendablePublisher<
    some Publisher<Output, Failure>
  > where Failure == Other.Failure, Output == Other.Output {
    SendablePublisher<_>(unchecked: base.switchIfEmpty(other.base))
  }

  /// Combines each value with the latest values of two other publishers.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:_:)-6b5cz`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher, Result: Sendable>(
    _ first: SendablePublisher<A>, _ second: SendablePublisher<B>,
    _ transform: @escaping @Sendable (Output, (A.Output, B.Output)) -> Result
  ) -> SendablePublisher<some Publisher<Result, Failure>> where Failure == A.Failure, A.Failure == B.Failure {
    SendablePublisher<_>(unchecked: base.withLatestFrom(first.base, second.base, transform))
  }

  /// Combines each value with the latest values of three other publishers.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:_:_:)-316fh`` does, in a pipeline that
  /// is checked for data races.
  ///
  /// `transform` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher, C: Publisher, Result: Sendable>(
    _ first: SendablePublisher<A>, _ second: SendablePublisher<B>, _ third: SendablePublisher<C>,
    _ transform: @escaping @Sendable (Output, (A.Output, B.Output, C.Output)) -> Result
  ) -> SendablePublisher<some Publisher<Result, Failure>>
  where Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure {
    SendablePublisher<_>(unchecked: base.withLatestFrom(first.base, second.base, third.base, transform))
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
  ) -> SendablePublisher<some Publisher<Result, Failure>>
  where Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    SendablePublisher<_>(unchecked: base.withLatestFrom(first.base, second.base, third.base, fourth.base, transform))
  }

  /// Publishes the latest values of two other publishers whenever this publisher delivers a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:)-7nwl4`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher>(_ first: SendablePublisher<A>, _ second: SendablePublisher<B>)
    -> SendablePublisher<some Publisher<(A.Output, B.Output), Failure>>
  where Failure == A.Failure, A.Failure == B.Failure {
    SendablePublisher<_>(unchecked: base.withLatestFrom(first.base, second.base))
  }

  /// Publishes the latest values of three other publishers whenever this publisher delivers a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:_:)-7ttr6`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher, C: Publisher>(
    _ first: SendablePublisher<A>, _ second: SendablePublisher<B>, _ third: SendablePublisher<C>
  ) -> SendablePublisher<some Publisher<(A.Output, B.Output, C.Output), Failure>>
  where Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure {
    SendablePublisher<_>(unchecked: base.withLatestFrom(first.base, second.base, third.base))
  }

  /// Publishes the latest values of four other publishers whenever this publisher delivers a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:_:_:)-49s8o`` does, in a pipeline that
  /// is checked for data races.
  @inlinable
  public func withLatestFrom<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
    _ first: SendablePublisher<A>, _ second: SendablePublisher<B>, _ third: SendablePublisher<C>,
    _ fourth: SendablePublisher<D>
  ) -> SendablePublisher<some Publisher<(A.Output, B.Output, C.Output, D.Output), Failure>>
  where Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    SendablePublisher<_>(unchecked: base.withLatestFrom(first.base, second.base, third.base, fourth.base))
  }

  /// Combines each value with the latest value of another publisher.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/withLatestFrom(_:_:)-1dc4r`` does, in a pipeline that is
  /// checked for data races.
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

  /// Pairs the values of this publisher and four others.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/zip(_:_:_:_:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func zip<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
    _ a: SendablePublisher<A>, _ b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>
  ) -> SendablePublisher<some Publisher<(Output, A.Output, B.Output, C.Output, D.Output), Failure>>
  where Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    SendablePublisher<_>(unchecked: base.zip(a.base, b.base, c.base, d.base))
  }

  /// Pairs the values of this publisher and five others.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/zip(_:_:_:_:_:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func zip<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ a: SendablePublisher<A>, _ b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>,
    _ e: SendablePublisher<E>
  ) -> SendablePublisher<some Publisher<(Output, A.Output, B.Output, C.Output, D.Output, E.Output), Failure>>
  where
    Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure, D.Failure == E.Failure
  {
    SendablePublisher<_>(unchecked: base.zip(a.base, b.base, c.base, d.base, e.base))
  }

  /// Pairs the values of this publisher and six others.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/zip(_:_:_:_:_:_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func zip<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    _ a: SendablePublisher<A>, _ b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>,
    _ e: SendablePublisher<E>, _ f: SendablePublisher<F>
  ) -> SendablePublisher<some Publisher<(Output, A.Output, B.Output, C.Output, D.Output, E.Output, F.Output), Failure>>
  where
    Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure,
    D.Failure == E.Failure, E.Failure == F.Failure
  {
    SendablePublisher<_>(unchecked: base.zip(a.base, b.base, c.base, d.base, e.base, f.base))
  }

  /// Pairs the values of this publisher and seven others.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/zip(_:_:_:_:_:_:_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func zip<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
    _ a: SendablePublisher<A>, _ b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>,
    _ e: SendablePublisher<E>, _ f: SendablePublisher<F>, _ g: SendablePublisher<G>
  ) -> SendablePublisher<
    some Publisher<(Output, A.Output, B.Output, C.Output, D.Output, E.Output, F.Output, G.Output), Failure>
  >
  where
    Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure,
    D.Failure == E.Failure, E.Failure == F.Failure, F.Failure == G.Failure
  {
    SendablePublisher<_>(unchecked: base.zip(a.base, b.base, c.base, d.base, e.base, f.base, g.base))
  }
}
