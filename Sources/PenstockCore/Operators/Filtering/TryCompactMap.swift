// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Transforms each value with a throwing closure and publishes the results that are not `nil`.
  ///
  /// ![What is a number is published, the word is left out, and the closure throws for “?”: the output
  /// fails.](try-compact-map)
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
  /// **Demand:** passed to upstream unchanged; for each skipped value, one more is requested. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. An error that the closure throws cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``compactMap(_:)`` if the closure cannot throw: it keeps the failure type. ``tryMap(_:)`` publishes every
  /// result.
  ///
  /// - Parameter transform: A closure that turns a value into a new one, returns `nil` to skip it, or throws.
  /// - Returns: A publisher of the transformed values.
  @_alwaysEmitIntoClient
  public consuming func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?)
    -> Publishers.TryCompactMap<Self, T>
  {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms each upstream value with a throwing closure, and skips `nil`; see
  /// ``Publisher/tryCompactMap(_:)``.
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Never, any Error>

    /// The publisher whose values are transformed.
    public let upstream: Upstream

    /// The closure that transforms a value, or returns `nil` to skip it.
    public let transform: (Upstream.Output) throws -> Output?

    /// Creates a publisher that transforms each upstream value with a throwing closure, and skips `nil`.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> CompactMapStage<ThrowingUnary<Upstream.Output, Output?, Upstream.Failure>, Output> {
      CompactMapStage(ThrowingUnary(transform))
    }
  }
}

extension Publishers.TryCompactMap: ManagedOperator {}

extension Publishers.TryCompactMap {
  /// Transforms each value with one more throwing closure, as part of the same operator.
  @_alwaysEmitIntoClient
  public func compactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryCompactMap<Upstream, T>(upstream: upstream) { try first($0).flatMap(transform) }
  }
}

extension CompactMapStage: ManagedStage {
  @_alwaysEmitIntoClient
  internal static var rules: ManagedRules { .filterLike }
}
