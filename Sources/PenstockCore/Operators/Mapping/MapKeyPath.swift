// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes one property of each value.
  ///
  /// ![Of each time of day, the hour is published.](map-key-path)
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
  /// **Concurrency:** adds no thread and no lock; the property is read on the thread that delivers the value.
  ///
  /// Use ``map(_:_:)`` or ``map(_:_:_:)`` for two or three properties, and ``map(_:)`` with a closure for anything
  /// else.
  ///
  /// - Parameter keyPath: The key path of the property.
  /// - Returns: A publisher of the property's values.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public consuming func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }
}

// Either every `map` is disfavoured in `Publisher`, or none: otherwise, for a closure with a mistake, the compiler
// would try the one for key paths, and report nothing useful. Where a publisher's own `map(_:)` is favoured, so is the
// one for key paths.

/// A publisher whose type has a `map(_:)` with a closure of its own.
@_documentation(visibility: internal)
public protocol _OwnMap: Publisher {}

extension _OwnMap {
  /// Publishes one property of each value.
  @_alwaysEmitIntoClient
  public consuming func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }
}

extension Publishers {
  /// A publisher of one property of each upstream value; see `Publisher.map(_:)`.
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    @usableFromInline internal let read: KeyPathReader<Upstream.Output, Output>

    /// The publisher of the values that the property is read from.
    public let upstream: Upstream

    /// The key path of the property.
    public var keyPath: KeyPath<Upstream.Output, Output> { read.keyPath }

    @_alwaysEmitIntoClient
    internal init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
      self.upstream = upstream
      read = KeyPathReader(keyPath)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: ValueForKeyStage<Upstream.Output, Output, PassingChannel<Failure>> { ValueForKeyStage(read) }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }
  }
}

extension Publishers.MapKeyPath: TransparentOperator {}

@frozen
@usableFromInline
internal struct ValueForKeyStage<Input, Output, Channel: ForwardingChannel>: Stage
where Channel.Thrown == Never {
  @usableFromInline internal let read: KeyPathReader<Input, Output>

  @_alwaysEmitIntoClient
  internal init(_ read: KeyPathReader<Input, Output>) {
    self.read = read
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "ValueForKey" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Output, Channel.Downstream> { .emit(read(input)) }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] { [("keyPath", read.keyPath)] }
}
