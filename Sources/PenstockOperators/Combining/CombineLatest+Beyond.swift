// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Combines the latest values of this publisher and four others.
  ///
  /// ![Once all five have delivered, each value is published with the latest of the others.](combine-latest-5)
  ///
  /// ```swift
  /// let subjects = (0..<5).map { CurrentValueSubject<Int, Never>($0) }
  /// let cancellable = subjects[0]
  ///   .combineLatest(subjects[1], subjects[2], subjects[3], subjects[4])
  ///   .sink { print($0) }
  /// subjects[4].value = 9
  /// // Prints "(0, 1, 2, 3, 4)", "(0, 1, 2, 3, 9)" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `combineLatest` with one other publisher.
  ///
  /// Use ``Swift/Collection/combineLatest()`` for any number of publishers of one type.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func combineLatest<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output), Failure>
  where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
    Publishers.Lifted(
      CombineLatestList(followed(by: a.followed(by: b.followed(by: c.followed(by: LastPublisher(d)))))).map {
        ($0.0, $0.1.0, $0.1.1.0, $0.1.1.1.0, $0.1.1.1.1)
      })
  }

  /// Combines the latest values of this publisher and five others.
  ///
  /// ![Once all five have delivered, each value is published with the latest of the others.](combine-latest-5)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `combineLatest` with one other publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func combineLatest<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output), Failure>
  where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure {
    Publishers.Lifted(
      CombineLatestList(followed(by: a.followed(by: b.followed(by: c.followed(by: d.followed(by: LastPublisher(e)))))))
        .map { ($0.0, $0.1.0, $0.1.1.0, $0.1.1.1.0, $0.1.1.1.1.0, $0.1.1.1.1.1) })
  }

  /// Combines the latest values of this publisher and six others.
  ///
  /// ![Once all five have delivered, each value is published with the latest of the others.](combine-latest-5)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `combineLatest` with one other publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func combineLatest<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output, F.Output), Failure>
  where
    A.Failure == Failure, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure,
    F.Failure == Failure
  {
    Publishers.Lifted(
      CombineLatestList(
        followed(by: a.followed(by: b.followed(by: c.followed(by: d.followed(by: e.followed(by: LastPublisher(f)))))))
      ).map { ($0.0, $0.1.0, $0.1.1.0, $0.1.1.1.0, $0.1.1.1.1.0, $0.1.1.1.1.1.0, $0.1.1.1.1.1.1) })
  }

  /// Combines the latest values of this publisher and seven others.
  ///
  /// ![Once all five have delivered, each value is published with the latest of the others.](combine-latest-5)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `combineLatest` with one other publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func combineLatest<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Publishers.Lifted<(Output, A.Output, B.Output, C.Output, D.Output, E.Output, F.Output, G.Output), Failure>
  where
    A.Failure == Failure, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure,
    F.Failure == Failure, G.Failure == Failure
  {
    Publishers.Lifted(
      CombineLatestList(
        followed(
          by: a.followed(
            by: b.followed(by: c.followed(by: d.followed(by: e.followed(by: f.followed(by: LastPublisher(g))))))))
      ).map { ($0.0, $0.1.0, $0.1.1.0, $0.1.1.1.0, $0.1.1.1.1.0, $0.1.1.1.1.1.0, $0.1.1.1.1.1.1.0, $0.1.1.1.1.1.1.1) })
  }
}
