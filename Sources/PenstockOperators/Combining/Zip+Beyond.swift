// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Pairs the values of this publisher and four others.
  ///
  /// ![The first values of all five go together, then the second ones.](zip-5)
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher
  ///   .zip(["a", "b"].publisher, [true, false].publisher, [1.5, 2.5].publisher, ["x", "y"].publisher)
  ///   .sink { print($0) }
  /// // Prints:
  /// // (1, "a", true, 1.5, "x")
  /// // (2, "b", false, 2.5, "y")
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `zip` with one other publisher.
  ///
  /// Use ``Swift/Collection/zip()`` for any number of publishers of one type.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func zip<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output), Failure>
  where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
    Publishers.Lifted(
      ZipList(followed(by: a.followed(by: b.followed(by: c.followed(by: LastPublisher(d)))))).map {
        ($0.0, $0.1.0, $0.1.1.0, $0.1.1.1.0, $0.1.1.1.1)
      })
  }

  /// Pairs the values of this publisher and five others.
  ///
  /// ![The first values of all five go together, then the second ones.](zip-5)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `zip` with one other publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func zip<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output), Failure>
  where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure {
    Publishers.Lifted(
      ZipList(followed(by: a.followed(by: b.followed(by: c.followed(by: d.followed(by: LastPublisher(e))))))).map {
        ($0.0, $0.1.0, $0.1.1.0, $0.1.1.1.0, $0.1.1.1.1.0, $0.1.1.1.1.1)
      })
  }

  /// Pairs the values of this publisher and six others.
  ///
  /// ![The first values of all five go together, then the second ones.](zip-5)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `zip` with one other publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func zip<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output, F.Output), Failure>
  where
    A.Failure == Failure, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure,
    F.Failure == Failure
  {
    Publishers.Lifted(
      ZipList(
        followed(by: a.followed(by: b.followed(by: c.followed(by: d.followed(by: e.followed(by: LastPublisher(f)))))))
      ).map { ($0.0, $0.1.0, $0.1.1.0, $0.1.1.1.0, $0.1.1.1.1.0, $0.1.1.1.1.1.0, $0.1.1.1.1.1.1) })
  }

  /// Pairs the values of this publisher and seven others.
  ///
  /// ![The first values of all five go together, then the second ones.](zip-5)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `zip` with one other publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func zip<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output, F.Output, G.Output), Failure>
  where
    A.Failure == Failure, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure,
    F.Failure == Failure, G.Failure == Failure
  {
    Publishers.Lifted(
      ZipList(
        followed(
          by: a.followed(
            by: b.followed(by: c.followed(by: d.followed(by: e.followed(by: f.followed(by: LastPublisher(g))))))))
      ).map { ($0.0, $0.1.0, $0.1.1.0, $0.1.1.1.0, $0.1.1.1.1.0, $0.1.1.1.1.1.0, $0.1.1.1.1.1.1.0, $0.1.1.1.1.1.1.1) })
  }
}
