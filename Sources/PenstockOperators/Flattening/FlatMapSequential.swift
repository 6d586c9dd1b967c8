// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Turns each value into a publisher, runs several of these at a time, and republishes them in the order of the values.
  ///
  /// ![Both publishers run at the same time. The values of the second wait until the first has
  /// finished.](flat-map-sequential)
  ///
  /// ```swift
  /// let answers = [1: PassthroughSubject<String, Never>(), 2: PassthroughSubject<String, Never>()]
  /// let cancellable = [1, 2].publisher.flatMapSequential { answers[$0]!.first() }.sink { print($0) }
  /// answers[2]!.send("the second")
  /// answers[1]!.send("the first")
  /// // Prints "the first", "the second" on two lines.
  /// ```
  ///
  /// **Demand:** `maxPublishers` values are requested from upstream, and one more whenever all values of a publisher
  /// have been delivered and it has finished. `prefetch` values are requested from each publisher, and one more for
  /// each that is delivered: so at most that many values of each publisher wait for their turn. A `prefetch` of `.max`
  /// requests everything. `request(.none)` traps.
  ///
  /// **Completion:** when upstream and all publishers have finished, and the values that wait have been delivered.
  ///
  /// **Failure:** a failure of upstream or of any publisher is forwarded at once; the values that wait are dropped, and
  /// the others are cancelled.
  ///
  /// **Concurrency:** upstream and the publishers may deliver on different threads; downstream receives one signal at a
  /// time. The closure is called on upstream's thread.
  ///
  /// **Traps:** a `prefetch` below one; a `maxPublishers` of none.
  ///
  /// Use `flatMap(maxPublishers:_:)` when the order doesn't matter, and ``concatMap(_:)-9d5a`` to run one at a time.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many publishers run at a time.
  ///   - prefetch: How many values of each publisher may wait.
  ///   - transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the values of all publishers, in order.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapSequential<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, prefetch: Int = 32, _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, Failure> where P.Failure == Failure {
    makeSequential(maxPublishers: maxPublishers, prefetch: prefetch, transform)
  }
}

extension Publisher {
  @inlinable
  internal func makeSequential<P: Publisher>(
    maxPublishers: Subscribers.Demand, prefetch: Int, _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, Failure> where P.Failure == Failure {
    if prefetch < 1 || maxPublishers == .none {
      trap(.countBelowOne(operator: "flatMapSequential(maxPublishers:prefetch:_:)"))
    }
    return Publishers.Lifted(
      FlatMapSequentialPublisher(
        upstream: self, maxPublishers: maxPublishers, prefetch: prefetch == .max ? .unlimited : .max(prefetch),
        transform: transform))
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher that can fail, runs several at a time, and republishes them in order; upstream cannot fail.
  ///
  /// ![Both publishers run at the same time. The values of the second wait until the first has
  /// finished.](flat-map-sequential)
  ///
  /// It works as ``flatMapSequential(maxPublishers:prefetch:_:)-4kyzy``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many publishers run at a time.
  ///   - prefetch: How many values of each publisher may wait.
  ///   - transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the values of all publishers, in order.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapSequential<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, prefetch: Int = 32, _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, P.Failure> {
    setFailureType(to: P.Failure.self).flatMapSequential(maxPublishers: maxPublishers, prefetch: prefetch, transform)
  }

  /// Turns each value into a publisher, runs several at a time, and republishes them in order; neither side can fail.
  ///
  /// ![Both publishers run at the same time. The values of the second wait until the first has
  /// finished.](flat-map-sequential)
  ///
  /// It works as ``flatMapSequential(maxPublishers:prefetch:_:)-4kyzy``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many publishers run at a time.
  ///   - prefetch: How many values of each publisher may wait.
  ///   - transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the values of all publishers, in order.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapSequential<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, prefetch: Int = 32, _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, Never> where P.Failure == Never {
    makeSequential(maxPublishers: maxPublishers, prefetch: prefetch, transform)
  }
}

extension Publisher {
  /// Turns each value into a publisher that cannot fail, runs several at a time, and republishes them in order.
  ///
  /// ![Both publishers run at the same time. The values of the second wait until the first has
  /// finished.](flat-map-sequential)
  ///
  /// It works as ``flatMapSequential(maxPublishers:prefetch:_:)-4kyzy``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many publishers run at a time.
  ///   - prefetch: How many values of each publisher may wait.
  ///   - transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the values of all publishers, in order.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapSequential<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, prefetch: Int = 32, _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, Failure> where P.Failure == Never {
    flatMapSequential(maxPublishers: maxPublishers, prefetch: prefetch) {
      transform($0).setFailureType(to: Failure.self)
    }
  }
}
