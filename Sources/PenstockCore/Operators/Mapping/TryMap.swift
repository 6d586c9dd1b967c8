// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Transforms each value with a throwing closure.
  ///
  /// ![6 and 8 become their halves. The closure throws for 5: upstream is cancelled, and the output fails.](try-map)
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
  /// **Failure:** forwarded. An error that the closure throws cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use `map(_:)` if the closure cannot throw: it keeps the failure type. ``tryCompactMap(_:)`` also skips values that
  /// become `nil`.
  ///
  /// - Parameter transform: A closure that turns a value into a new one, or throws.
  /// - Returns: A publisher of the transformed values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms each upstream value with a throwing closure; see ``Publisher/tryMap(_:)``.
  public struct TryMap<Upstream: Publisher, Output>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Never, any Error>

    /// The publisher whose values are transformed.
    public let upstream: Upstream

    /// The closure that transforms a value.
    public let transform: (Upstream.Output) throws -> Output

    /// Creates a publisher that transforms each upstream value with a throwing closure.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> MapStage<ThrowingUnary<Upstream.Output, Output, Upstream.Failure>> {
      MapStage(ThrowingUnary(transform))
    }
  }
}

extension Publishers.Map {
  /// Transforms each value with one more throwing closure, as part of the same operator.
  @_alwaysEmitIntoClient
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
  }
}

extension Publishers.TryMap: _OwnMap {
  /// Transforms each value with one more closure, as part of the same operator.
  @_alwaysEmitIntoClient
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { transform(try first($0)) }
  }

  /// Transforms each value with one more throwing closure, as part of the same operator.
  @_alwaysEmitIntoClient
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
  }
}

extension Publishers.TryMap: ManagedOperator {}

extension MapStage: ManagedStage {
  /// Values are forwarded in every state of the stream, as in Combine, unless the closure has thrown.
  @_alwaysEmitIntoClient
  internal static var rules: ManagedRules {
    ManagedRules(earlyValue: .pass, lateValue: .pass, acceptsZeroDemand: true)
  }
}
