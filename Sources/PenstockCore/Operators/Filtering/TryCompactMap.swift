// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Puts each value through a closure that may throw, and leaves out those of which it makes `nil`.
  ///
  /// ```swift
  /// struct Negative: Error {}
  /// let cancellable = ["1", "two", "-3"].publisher
  ///   .tryCompactMap { text -> Int? in
  ///     guard let number = Int(text) else { return nil }
  ///     guard number >= 0 else { throw Negative() }
  ///     return number
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "1", "failure(Negative())" on two lines.
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
  /// - Parameter transform: Makes a new value of a value, or `nil` to leave it out, or throws.
  /// - Returns: A publisher of the new values.
  @inlinable
  public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Self, T> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that puts each value of another through a closure that may throw, and leaves out `nil`; see
  /// ``Publisher/tryCompactMap(_:)``.
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher that this one transforms.
    public let upstream: Upstream

    /// The closure that makes a new value of a value, or `nil`.
    public let transform: (Upstream.Output) throws -> Output?

    /// Makes a publisher that puts each value of another through a closure that may throw, and leaves out `nil`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(Managed(CompactMapStage(ThrowingUnary<_, _, Upstream.Failure>(transform)), to: subscriber))
    }
  }
}

extension Publishers.TryCompactMap {
  /// Puts each value through one more closure, which may throw, without one more link in the chain.
  @inlinable
  public func compactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryCompactMap<Upstream, T>(upstream: upstream) { try first($0).flatMap(transform) }
  }
}

extension CompactMapStage: ManagedStage {
  @inlinable
  internal static var rules: ManagedRules { .filterLike }
}
