// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Turns a value into a publisher, and ignores further values until that publisher has finished.
  ///
  /// ![A letter that comes while the publisher of another one runs is left out.](flat-map-first)
  ///
  /// ```swift
  /// let (taps, answer) = (PassthroughSubject<String, Never>(), PassthroughSubject<Int, Never>())
  /// let cancellable = taps.flatMapFirst { tap in answer.first().map { "\(tap): \($0)" } }.sink { print($0) }
  /// taps.send("a")
  /// taps.send("b")
  /// answer.send(1)
  /// taps.send("c")
  /// answer.send(2)
  /// // Prints "a: 1", "c: 2" on two lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream. The inner publisher is requested one value at a time until
  /// downstream's demand is unlimited; a value without demand waits, and counts as delivered. `request(.none)` traps.
  ///
  /// **Completion:** this publisher finishes when upstream and the inner publisher have finished.
  ///
  /// **Failure:** a failure of either is forwarded, and cancels the other.
  ///
  /// **Concurrency:** upstream and the inner publisher may deliver on different threads; downstream receives one signal
  /// at a time. The closure is called on upstream's thread.
  ///
  /// Use `switchToLatest()` after `map` to replace the inner publisher with the next, and
  /// `flatMap(maxPublishers: .max(1))` to request a value only when the inner publisher has finished.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the inner publishers' values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapFirst<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, Failure> where P.Failure == Failure {
    Publishers.Lifted(flatMap(by: FlatMapFirst.self, transform))
  }
}

extension Publisher where Failure == Never {
  /// Turns a value into a publisher that can fail, and ignores further values until that publisher has finished; upstream cannot fail.
  ///
  /// ![A letter that comes while the publisher of another one runs is left out.](flat-map-first)
  ///
  /// It works as ``flatMapFirst(_:)-1w8j7``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the inner publishers' values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapFirst<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, P.Failure> {
    setFailureType(to: P.Failure.self).flatMapFirst(transform)
  }

  /// Turns a value into a publisher, and ignores further values until that publisher has finished; neither side can fail.
  ///
  /// ![A letter that comes while the publisher of another one runs is left out.](flat-map-first)
  ///
  /// It works as ``flatMapFirst(_:)-1w8j7``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the inner publishers' values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapFirst<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, Never> where P.Failure == Never {
    Publishers.Lifted(flatMap(by: FlatMapFirst.self, transform))
  }
}

extension Publisher {
  /// Turns a value into a publisher that cannot fail, and ignores further values until that publisher has finished.
  ///
  /// ![A letter that comes while the publisher of another one runs is left out.](flat-map-first)
  ///
  /// It works as ``flatMapFirst(_:)-1w8j7``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the inner publishers' values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapFirst<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.Lifted<P.Output, Failure> where P.Failure == Never {
    flatMapFirst { transform($0).setFailureType(to: Failure.self) }
  }
}

/// The policy of `flatMapFirst`.
@usableFromInline
internal enum FlatMapFirst: FlatMapPolicy {
  @inlinable
  internal static var name: String { "FlatMapFirst" }

  @inlinable
  internal static func opens(whileRunning running: UInt) -> Bool { running == 0 }
}
