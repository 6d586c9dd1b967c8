// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Picks a property of each value.
  ///
  /// ```swift
  /// let cancellable = ["gate", "pipe", "turbine"].publisher.map(\.count).sink { print($0) }
  /// // Prints "4", "4", "7" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the property is read where upstream delivers.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: A publisher of the property's values.
  @inlinable
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }
}

extension Publishers {
  /// A publisher of a property of another publisher's values; see `Publisher.map(_:)`.
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values have the property.
    public let upstream: Upstream

    /// The property.
    public let keyPath: KeyPath<Upstream.Output, Output>

    @inlinable
    internal init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
      self.upstream = upstream
      self.keyPath = keyPath
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Transparent(ValueForKeyStage<_, _, Passing<Failure>>(keyPath), to: subscriber))
    }
  }
}

@frozen
@usableFromInline
internal struct ValueForKeyStage<Input, Output, Channel: ForwardingChannel>: Stage
where Channel.Thrown == Never {
  @usableFromInline internal let keyPath: KeyPath<Input, Output>

  @inlinable
  internal init(_ keyPath: KeyPath<Input, Output>) {
    self.keyPath = keyPath
  }

  @inlinable
  internal static var name: String { "ValueForKey" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Output> { .emit(input[keyPath: keyPath]) }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] { [("keyPath", keyPath)] }
}
