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

  /// Combines the latest values of this publisher and four others.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/combineLatest(_:_:_:_:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func combineLatest<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
    _ a: SendablePublisher<A>, _ b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>
  ) -> SendablePublisher<Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output), Failure>>
  where Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    SendablePublisher<Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output), Failure>>(
      unchecked: base.combineLatest(a.base, b.base, c.base, d.base))
  }

  /// Combines the latest values of this publisher and five others.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/combineLatest(_:_:_:_:_:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func combineLatest<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ a: SendablePublisher<A>, _ b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>,
    _ e: SendablePublisher<E>
  ) -> SendablePublisher<Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output), Failure>>
  where
    Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure, D.Failure == E.Failure
  {
    SendablePublisher<Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output), Failure>>(
      unchecked: base.combineLatest(a.base, b.base, c.base, d.base, e.base))
  }

  /// Combines the latest values of this publisher and six others.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/combineLatest(_:_:_:_:_:_:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func combineLatest<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    _ a: SendablePublisher<A>, _ b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>,
    _ e: SendablePublisher<E>, _ f: SendablePublisher<F>
  ) -> SendablePublisher<
    Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output, F.Output), Failure>
  >
  where
    Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure,
    D.Failure == E.Failure, E.Failure == F.Failure
  {
    SendablePublisher<Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output, F.Output), Failure>>(
      unchecked: base.combineLatest(a.base, b.base, c.base, d.base, e.base, f.base))
  }

  /// Combines the latest values of this publisher and seven others.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/combineLatest(_:_:_:_:_:_:_:)`` does, in a pipeline that
  /// is checked for data races.
  @inlinable
  public func combineLatest<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >(
    _ a: SendablePublisher<A>, _ b: SendablePublisher<B>, _ c: SendablePublisher<C>, _ d: SendablePublisher<D>,
    _ e: SendablePublisher<E>, _ f: SendablePublisher<F>, _ g: SendablePublisher<G>
  ) -> SendablePublisher<
    Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output, F.Output, G.Output), Failure>
  >
  where
    Failure == A.Failure, A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure,
    D.Failure == E.Failure, E.Failure == F.Failure, F.Failure == G.Failure
  {
    SendablePublisher<
      Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output, F.Output, G.Output), Failure>
    >(unchecked: base.combineLatest(a.base, b.base, c.base, d.base, e.base, f.base, g.base))
  }
}
