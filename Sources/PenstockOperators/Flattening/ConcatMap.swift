// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Turns each value into a publisher, and republishes these one after the other.
  ///
  /// ![The publisher of a letter is subscribed to when the one before has finished. The next letter is requested
  /// then.](concat-map)
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.concatMap { [$0, $0 * 10].publisher }.sink { print($0) }
  /// // Prints "1", "10", "2", "20" on four lines.
  /// ```
  ///
  /// **Demand:** one value is requested from upstream; the next when the publisher of the one before it has finished, and
  /// all its values have been delivered. A publisher is requested one value at a time until downstream's demand is
  /// unlimited, the first in advance. `request(.none)` traps.
  ///
  /// **Completion:** when upstream and the last publisher have finished.
  ///
  /// **Failure:** a failure of upstream or of a publisher is forwarded, and cancels the other.
  ///
  /// **Concurrency:** upstream and a publisher may deliver on different threads; downstream receives one signal at a
  /// time. The closure is called on upstream's thread.
  ///
  /// A subject drops values that have not been requested from it: put a `buffer` after it.
  /// `flatMap(maxPublishers: .max(1))` differs in one point, as in Combine: it asks upstream for more as soon as a
  /// publisher has finished, even if its value has not been requested.
  ///
  /// Use ``flatMapSequential(maxPublishers:prefetch:_:)-4kyzy`` to run several at a time, and ``flatMapLatest(_:)-3uxl5`` when only
  /// the newest counts.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the values of all publishers, in order.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func concatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, Failure> where P.Failure == Failure {
    Publishers.Lifted(flatMap(by: ConcatMap.self, transform))
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher that can fail, and republishes these one after the other; upstream cannot fail.
  ///
  /// ![The publisher of a letter is subscribed to when the one before has finished. The next letter is requested
  /// then.](concat-map)
  ///
  /// It works as ``concatMap(_:)-9d5a``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the values of all publishers, in order.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func concatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, P.Failure> {
    setFailureType(to: P.Failure.self).concatMap(transform)
  }

  /// Turns each value into a publisher, and republishes these one after the other; neither side can fail.
  ///
  /// ![The publisher of a letter is subscribed to when the one before has finished. The next letter is requested
  /// then.](concat-map)
  ///
  /// It works as ``concatMap(_:)-9d5a``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the values of all publishers, in order.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func concatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, Never> where P.Failure == Never {
    Publishers.Lifted(flatMap(by: ConcatMap.self, transform))
  }
}

extension Publisher {
  /// Turns each value into a publisher that cannot fail, and republishes these one after the other.
  ///
  /// ![The publisher of a letter is subscribed to when the one before has finished. The next letter is requested
  /// then.](concat-map)
  ///
  /// It works as ``concatMap(_:)-9d5a``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the values of all publishers, in order.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func concatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, Failure> where P.Failure == Never {
    concatMap { transform($0).setFailureType(to: Failure.self) }
  }
}

/// The policy of `concatMap`.
@usableFromInline
internal enum ConcatMap: FlatMapPolicy {
  @inlinable
  internal static var name: String { "ConcatMap" }

  @inlinable
  internal static var maxPublishers: Subscribers.Demand { .max(1) }

  @inlinable
  internal static var holdsBack: Bool { true }
}
