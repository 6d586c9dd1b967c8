// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore

extension SendablePublisher {
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
}
