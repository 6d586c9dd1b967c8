// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes the values that satisfy a throwing predicate.
  ///
  /// ![The even numbers pass. The predicate throws for -1: upstream is cancelled, and the output fails.](try-filter)
  ///
  /// ```swift
  /// struct Garbled: Error {}
  /// let cancellable = ["8", "15", "x"].publisher
  ///   .tryFilter { text in
  ///     guard let number = Int(text) else { throw Garbled() }
  ///     return number > 10
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "15", "failure(Garbled())" on two lines.
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
  /// Use ``filter(_:)`` if the predicate cannot throw: it keeps the failure type.
  ///
  /// - Parameter isIncluded: A closure that returns whether to republish a value, or throws.
  /// - Returns: A publisher of the values that satisfy the predicate.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher that republishes the upstream values that satisfy a throwing predicate; see
  /// ``Publisher/tryFilter(_:)``.
  public struct TryFilter<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Upstream.Output, any Error>

    /// The publisher whose values are filtered.
    public let upstream: Upstream

    /// The closure that returns whether to republish a value.
    public let isIncluded: (Upstream.Output) throws -> Bool

    /// Creates a publisher that republishes the upstream values that satisfy a throwing predicate.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> FilterStage<ThrowingPredicate<Upstream.Output, Upstream.Failure>> {
      FilterStage(ThrowingPredicate(isIncluded))
    }
  }
}

extension Publishers.TryFilter: ManagedOperator {}

extension Publishers.Filter {
  /// Filters the values with one more throwing predicate, as part of the same operator.
  @_alwaysEmitIntoClient
  public func tryFilter(_ isIncluded: @escaping (Self.Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

extension Publishers.TryFilter {
  /// Filters the values with one more predicate, as part of the same operator.
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: @escaping (Self.Output) -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }

  /// Filters the values with one more throwing predicate, as part of the same operator.
  @_alwaysEmitIntoClient
  public func tryFilter(_ isIncluded: @escaping (Self.Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

extension FilterStage: ManagedStage {
  @_alwaysEmitIntoClient
  internal static var rules: ManagedRules { .filterLike }
}
