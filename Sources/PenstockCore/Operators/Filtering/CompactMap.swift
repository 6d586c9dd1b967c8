// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Puts each value through a closure, and leaves out those of which it makes `nil`.
  ///
  /// ```swift
  /// let cancellable = ["1", "two", "3"].publisher.compactMap { Int($0) }.sink { print($0) }
  /// // Prints "1", "3" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value left out, one more is asked for.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameter transform: Makes a new value of a value, or `nil` to leave it out.
  /// - Returns: A publisher of the new values.
  @inlinable
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that puts each value of another through a closure and leaves out `nil`; see
  /// ``Publisher/compactMap(_:)``.
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher that this one transforms.
    public let upstream: Upstream

    /// The closure that makes a new value of a value, or `nil`.
    public let transform: (Upstream.Output) -> Output?

    /// Makes a publisher that puts each value of another through a closure and leaves out `nil`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Transparent(CompactMapStage(PassingUnary<_, _, Failure>(transform)), to: subscriber))
    }
  }
}

extension Publishers.CompactMap {
  /// Puts each value through one more closure, without one more link in the chain.
  @inlinable
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, T>(upstream: upstream) { first($0).flatMap(transform) }
  }

  /// Puts each value through one more closure, without one more link in the chain.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, T>(upstream: upstream) { first($0).map(transform) }
  }
}

/// The stage of `compactMap` and `tryCompactMap`.
@frozen
@usableFromInline
internal struct CompactMapStage<Transform: Unary, Output>: Stage where Transform.Output == Output? {
  @usableFromInline internal typealias Input = Transform.Input
  @usableFromInline internal typealias Channel = Transform.Channel

  @usableFromInline internal let transform: Transform

  @inlinable
  internal init(_ transform: Transform) {
    self.transform = transform
  }

  @inlinable
  internal static var name: String { Channel.namePrefix + "CompactMap" }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Output> {
    if let output = try transform(input) { .emit(output) } else { .drop }
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    Channel.Thrown.self == Never.self ? [] : [("downstream", downstream)]
  }
}
