// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Lets only those values through for which a closure that may throw says yes.
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
  /// **Demand:** passed to upstream unchanged; for each value held back, one more is asked for. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. An error thrown by the closure cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameter isIncluded: Says whether a value goes through, or throws.
  /// - Returns: A publisher of the values that go through.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher that lets only some values of another through, by a closure that may throw; see
  /// ``Publisher/tryFilter(_:)``.
  public struct TryFilter<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher that this one filters.
    public let upstream: Upstream

    /// The closure that says whether a value goes through.
    public let isIncluded: (Upstream.Output) throws -> Bool

    /// Makes a publisher that lets only some values of another through, by a closure that may throw.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(Managed(FilterStage(ThrowingUnary<_, _, Upstream.Failure>(isIncluded)), to: subscriber))
    }
  }
}

extension Publishers.Filter {
  /// Asks one more closure, which may throw, without one more link in the chain.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

extension Publishers.TryFilter {
  /// Asks one more closure, without one more link in the chain.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }

  /// Asks one more closure, which may throw, without one more link in the chain.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

extension FilterStage: ManagedStage {
  @inlinable
  internal static var rules: ManagedRules { .filterLike }
}
