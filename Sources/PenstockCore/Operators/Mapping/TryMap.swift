// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Puts each value through a closure that may throw.
  ///
  /// ```swift
  /// struct TooLarge: Error {}
  /// let cancellable = [1, 2, 300].publisher
  ///   .tryMap { value in
  ///     guard let byte = UInt8(exactly: value) else { throw TooLarge() }
  ///     return byte
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "1", "2", "failure(TooLarge())" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. An error thrown by the closure cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameter transform: Makes a new value of each value, or throws.
  /// - Returns: A publisher of the new values.
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that puts each value of another through a closure that may throw; see ``Publisher/tryMap(_:)``.
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher that this one transforms.
    public let upstream: Upstream

    /// The closure that makes a new value of each value.
    public let transform: (Upstream.Output) throws -> Output

    /// Makes a publisher that puts each value of another through a closure that may throw.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(Managed(MapStage(ThrowingUnary<_, _, Upstream.Failure>(transform)), to: subscriber))
    }
  }
}

extension Publishers.Map {
  /// Puts each value through one more closure, which may throw, without one more link in the chain.
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
  }
}

extension Publishers.TryMap {
  /// Puts each value through one more closure, without one more link in the chain.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { transform(try first($0)) }
  }

  /// Puts each value through one more closure, which may throw, without one more link in the chain.
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
  }
}

extension MapStage: ManagedStage {
  /// Values are forwarded in every state of the stream, as in Combine, unless the closure has thrown.
  @inlinable
  internal static var rules: ManagedRules {
    ManagedRules(earlyValue: .pass, lateValue: .pass, acceptsNothing: true)
  }
}
