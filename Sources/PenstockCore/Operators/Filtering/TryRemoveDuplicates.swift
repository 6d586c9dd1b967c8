// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Suppresses values that a throwing predicate considers equal to their predecessor.
  ///
  /// ![Equal neighbours are left out, until the predicate throws: upstream is cancelled, and the output
  /// fails.](try-remove-duplicates)
  ///
  /// The first value is always republished. Each other value is compared with the value that upstream delivered before
  /// it, whether that was republished or not.
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
  /// **Demand:** passed to upstream unchanged; for each skipped value, one more is requested. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. An error that the closure throws cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``removeDuplicates(by:)`` if the predicate cannot throw: it keeps the failure type.
  ///
  /// - Parameter predicate: A closure that returns whether its second argument counts as equal to its first, the
  ///   predecessor, or throws.
  /// - Returns: A publisher in which no value counts as equal to its predecessor.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that suppresses upstream values equal to their predecessor, with a throwing predicate; see
  /// ``Publisher/tryRemoveDuplicates(by:)``.
  public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Upstream.Output, any Error>

    /// The publisher that may repeat values.
    public let upstream: Upstream

    /// The closure that returns whether its second argument counts as equal to its first.
    public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Creates a publisher that suppresses upstream values equal to their predecessor, with a throwing predicate.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> RemoveDuplicatesStage<ThrowingComparison<Upstream.Output, Upstream.Failure>> {
      RemoveDuplicatesStage(ThrowingComparison(predicate))
    }
  }
}

extension Publishers.TryRemoveDuplicates: ManagedOperator {}
