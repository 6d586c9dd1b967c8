// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes the values of this publisher and another one, and delays a failure until both have ended.
  ///
  /// ![The first failure waits: the other publisher's values still come. Then both failures are
  /// published.](merge-delaying-errors)
  ///
  /// A publisher that fails has ended, like one that finishes; the values of the other publisher still arrive.
  ///
  /// ```swift
  /// struct Offline: Error { let host: String }
  /// let (near, far) = (PassthroughSubject<Int, Offline>(), PassthroughSubject<Int, Offline>())
  /// let cancellable = near.mergeDelayingErrors(with: far).sink(
  ///   receiveCompletion: { completion in
  ///     if case .failure(let failure) = completion { print(failure.failures.map(\.host)) }
  ///   },
  ///   receiveValue: { print($0) })
  /// near.send(completion: .failure(Offline(host: "near")))
  /// far.send(1)
  /// far.send(completion: .finished)
  /// // Prints "1", "["near"]" on two lines.
  /// ```
  ///
  /// **Demand:** as for `merge(with:)`: one value at a time of each while demand is limited. `request(.none)` traps.
  ///
  /// **Completion:** finishes when both have finished.
  ///
  /// **Failure:** when both have ended and one or both have failed, in a ``CompositeFailure`` with all failures.
  ///
  /// **Concurrency:** both may deliver on any thread; downstream receives one signal at a time.
  ///
  /// Use `merge(with:)` to fail with the first failure, and ``mapToResult()`` before this operator to see each failure
  /// when it occurs.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of the values of both, which fails at its end.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func mergeDelayingErrors<Other: Publisher>(
    with other: Other
  ) -> Publishers.Lifted<Output, CompositeFailure<Failure>> where Other.Output == Output, Other.Failure == Failure {
    let upstream = self
    return Publishers.Lifted(deferring: {
      let failures = CollectedFailures<Failure>()
      return upstream.lift { CollectFailureStage<Output, Failure>(failures) }
        .merge(with: other.lift { CollectFailureStage<Output, Failure>(failures) })
        .lift { CompositeFailureStage<Output, Failure>(failures) }
    })
  }

  /// Publishes the latest values of this publisher and another one as pairs, and delays a failure until both have
  /// ended.
  ///
  /// ![The first failure waits: pairs with that publisher's latest value still come. Then it is
  /// published.](combine-latest-delaying-errors)
  ///
  /// The latest value of a publisher that has failed stays part of the pairs, as that of a finished publisher does.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let (names, counts) = (PassthroughSubject<String, Offline>(), PassthroughSubject<Int, Offline>())
  /// let cancellable = names.combineLatestDelayingErrors(counts).sink(
  ///   receiveCompletion: { completion in
  ///     if case .failure(let failure) = completion { print(failure.failures.count) }
  ///   },
  ///   receiveValue: { print($0, $1) })
  /// names.send("a")
  /// names.send(completion: .failure(Offline()))
  /// counts.send(1)
  /// counts.send(2)
  /// counts.send(completion: .finished)
  /// // Prints "a 1", "a 2", "1" on three lines.
  /// ```
  ///
  /// **Demand:** as for `combineLatest(_:)`: passed to each. `request(.none)` traps.
  ///
  /// **Completion:** as for `combineLatest(_:)`, where none has failed.
  ///
  /// **Failure:** when `combineLatest(_:)` would finish and one or both have failed, in a ``CompositeFailure`` with all
  /// failures.
  ///
  /// **Concurrency:** both may deliver on any thread; downstream receives one signal at a time.
  ///
  /// Use `combineLatest(_:)` to fail with the first failure.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of pairs, which fails at its end.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func combineLatestDelayingErrors<Other: Publisher>(
    _ other: Other
  ) -> Publishers.Lifted<(Output, Other.Output), CompositeFailure<Failure>> where Other.Failure == Failure {
    let upstream = self
    return Publishers.Lifted(deferring: {
      let failures = CollectedFailures<Failure>()
      return upstream.lift { CollectFailureStage<Output, Failure>(failures) }
        .combineLatest(other.lift { CollectFailureStage<Other.Output, Failure>(failures) })
        .lift { CompositeFailureStage<(Output, Other.Output), Failure>(failures) }
    })
  }
}
