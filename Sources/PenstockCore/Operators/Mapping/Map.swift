// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Transforms each value with a closure.
  ///
  /// ![Each number becomes ten times that number.](map)
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher.map { $0 * 10 }.sink { print($0) }
  /// // Prints "10", "20", "30" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``tryMap(_:)`` if the closure can throw, ``compactMap(_:)`` to skip values that become `nil`, and
  /// ``flatMap(maxPublishers:_:)-tkly`` if the closure returns a publisher.
  ///
  /// - Parameter transform: A closure that turns a value into a new one.
  /// - Returns: A publisher of the transformed values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms each upstream value with a closure; see `Publisher.map(_:)`.
  public struct Map<Upstream: Publisher, Output>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are transformed.
    public let upstream: Upstream

    /// The closure that transforms a value.
    public let transform: (Upstream.Output) -> Output

    /// Creates a publisher that transforms each upstream value with a closure.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: MapStage<PassingUnary<Upstream.Output, Output, Failure>> { MapStage(PassingUnary(transform)) }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Upstream.Failure == S.Failure {
      attach(subscriber)
    }
  }
}

extension Publishers.Map: TransparentOperator {}

extension Publishers.Map: _OwnMap {
  /// Transforms each value with one more closure, as part of the same operator.
  @_alwaysEmitIntoClient
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
    let first = self.transform
    return Publishers.Map<Upstream, T>(upstream: upstream) { transform(first($0)) }
  }
}

/// The stage of `map` and `tryMap`.
@frozen
@usableFromInline
internal struct MapStage<Transform: UnaryClosure>: Stage {
  @usableFromInline internal typealias Input = Transform.Input
  @usableFromInline internal typealias Channel = Transform.Channel

  @usableFromInline internal let transform: Transform

  @_alwaysEmitIntoClient
  internal init(_ transform: Transform) {
    self.transform = transform
  }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "Map" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Transform.Output, Channel.Downstream> {
    .emit(try transform(input))
  }
}
