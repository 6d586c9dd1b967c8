// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Leaves out a value that a closure that may throw calls the same as the one before it.
  ///
  /// The first value always goes through. Each other one is compared with the last one that upstream delivered, whether
  /// that went through or not.
  ///
  /// ```swift
  /// struct Backwards: Error {}
  /// let cancellable = [1, 1, 2, 0].publisher
  ///   .tryRemoveDuplicates { old, new in
  ///     guard old <= new else { throw Backwards() }
  ///     return old == new
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "1", "2", "failure(Backwards())" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value left out, one more is asked for. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. An error thrown by the closure cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameter predicate: Says whether the second value is the same as the first, or throws.
  /// - Returns: A publisher in which no value is the same as the one before it.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that leaves out repeated values of another, by a closure that may throw; see
  /// ``Publisher/tryRemoveDuplicates(by:)``.
  public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher that may repeat values.
    public let upstream: Upstream

    /// The closure that says whether the second value is the same as the first.
    public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Makes a publisher that leaves out repeated values of another, by a closure that may throw.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(
        Managed(RemoveDuplicatesStage(ThrowingBinary<_, _, _, Upstream.Failure>(predicate)), to: subscriber))
    }
  }
}
