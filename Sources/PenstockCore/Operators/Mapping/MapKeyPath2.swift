// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes two properties of each value as a tuple.
  ///
  /// ![Of each time of day, the hour and the minute are published as a tuple.](map-key-paths)
  ///
  /// ```swift
  /// let cancellable = [-3, 4].publisher.map(\.magnitude, \.bitWidth).sink { print($0) }
  /// // Prints "(3, 64)", "(4, 64)" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the properties are read on the thread that delivers the value.
  ///
  /// Use `map(_:)` with one key path for a single property, and ``map(_:_:_:)`` for three.
  ///
  /// - Parameters:
  ///   - keyPath0: The key path of the first property.
  ///   - keyPath1: The key path of the second property.
  /// - Returns: A publisher of tuples of two.
  @_alwaysEmitIntoClient
  public consuming func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.MapKeyPath2<Self, T0, T1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }
}

extension Publishers {
  /// A publisher of two properties of each upstream value; see ``Publisher/map(_:_:)``.
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<(Output0, Output1), Upstream.Failure>

    @usableFromInline internal let read0: KeyPathReader<Upstream.Output, Output0>
    @usableFromInline internal let read1: KeyPathReader<Upstream.Output, Output1>

    /// The publisher of the values that the properties are read from.
    public let upstream: Upstream

    /// The key path of the first property.
    public var keyPath0: KeyPath<Upstream.Output, Output0> { read0.keyPath }

    /// The key path of the second property.
    public var keyPath1: KeyPath<Upstream.Output, Output1> { read1.keyPath }

    @inlinable
    internal init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>, keyPath1: KeyPath<Upstream.Output, Output1>
    ) {
      self.upstream = upstream
      read0 = KeyPathReader(keyPath0)
      read1 = KeyPathReader(keyPath1)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: ValueForKeys2Stage<Upstream.Output, Output0, Output1, PassingChannel<Failure>> {
      ValueForKeys2Stage(read0, read1)
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }
  }
}

extension Publishers.MapKeyPath2: TransparentOperator {}

@frozen
@usableFromInline
internal struct ValueForKeys2Stage<Input, Output0, Output1, Channel: ForwardingChannel>: Stage
where Channel.Thrown == Never {
  @usableFromInline internal let read0: KeyPathReader<Input, Output0>
  @usableFromInline internal let read1: KeyPathReader<Input, Output1>

  @_alwaysEmitIntoClient
  internal init(_ read0: KeyPathReader<Input, Output0>, _ read1: KeyPathReader<Input, Output1>) {
    self.read0 = read0
    self.read1 = read1
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "ValueForKeys" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<(Output0, Output1), Channel.Downstream> {
    .emit((read0(input), read1(input)))
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    [("keyPath0", read0.keyPath), ("keyPath1", read1.keyPath)]
  }
}
