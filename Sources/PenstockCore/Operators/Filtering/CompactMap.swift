// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Transforms each value with a closure and publishes the results that are not `nil`.
  ///
  /// ![What is a number is published as one; the word is left out.](compact-map)
  ///
  /// ```swift
  /// let cancellable = ["1", "two", "3"].publisher.compactMap { Int($0) }.sink { print($0) }
  /// // Prints "1", "3" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each skipped value, one more is requested.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``tryCompactMap(_:)`` if the closure can throw, ``replaceNil(with:)`` to replace `nil` instead of skipping it,
  /// and ``filter(_:)`` to select values without transforming them.
  ///
  /// - Parameter transform: A closure that turns a value into a new one, or returns `nil` to skip it.
  /// - Returns: A publisher of the transformed values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms each upstream value and skips `nil`; see ``Publisher/compactMap(_:)``.
  public struct CompactMap<Upstream: Publisher, Output>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are transformed.
    public let upstream: Upstream

    /// The closure that transforms a value, or returns `nil` to skip it.
    public let transform: (Upstream.Output) -> Output?

    /// Creates a publisher that transforms each upstream value and skips `nil`.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: CompactMapStage<PassingUnary<Upstream.Output, Output?, Failure>, Output> {
      CompactMapStage(PassingUnary(transform))
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }
  }
}

extension Publishers.CompactMap: TransparentOperator {}

extension Publishers.CompactMap: _OwnMap {
  /// Transforms each value with one more closure, as part of the same operator.
  @_alwaysEmitIntoClient
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, T>(upstream: upstream) { first($0).flatMap(transform) }
  }

  /// Transforms each value with one more closure, as part of the same operator.
  @_alwaysEmitIntoClient
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, T>(upstream: upstream) { first($0).map(transform) }
  }
}

/// The stage of `compactMap` and `tryCompactMap`.
@frozen
@usableFromInline
internal struct CompactMapStage<Transform: UnaryClosure, Output>: Stage where Transform.Output == Output? {
  @usableFromInline internal typealias Input = Transform.Input
  @usableFromInline internal typealias Channel = Transform.Channel

  @usableFromInline internal let transform: Transform

  @_alwaysEmitIntoClient
  internal init(_ transform: Transform) {
    self.transform = transform
  }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "CompactMap" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Output, Channel.Downstream> {
    if let output = try transform(input) { .emit(output) } else { .skip }
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    Channel.Thrown.self == Never.self ? [] : [("downstream", downstream)]
  }
}
