// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes three properties of each value as a tuple.
  ///
  /// ![Of each time of day, the hour, the minute and the second are published as a tuple.](map-3-key-paths)
  ///
  /// ```swift
  /// let cancellable = [-3, 4].publisher
  ///   .map(\.magnitude, \.bitWidth, \.nonzeroBitCount)
  ///   .sink { print($0) }
  /// // Prints "(3, 64, 63)", "(4, 64, 1)" on two lines.
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
  /// Use `map(_:)` with one key path for a single property, and ``map(_:_:)`` for two.
  ///
  /// - Parameters:
  ///   - keyPath0: The key path of the first property.
  ///   - keyPath1: The key path of the second property.
  ///   - keyPath2: The key path of the third property.
  /// - Returns: A publisher of tuples of three.
  @_alwaysEmitIntoClient
  public consuming func map<T0, T1, T2>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>, _ keyPath2: KeyPath<Output, T2>
  ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
    Publishers.MapKeyPath3(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
  }
}

extension Publishers {
  /// A publisher of three properties of each upstream value; see ``Publisher/map(_:_:_:)``.
  public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<(Output0, Output1, Output2), Upstream.Failure>

    @usableFromInline internal let read0: KeyPathReader<Upstream.Output, Output0>
    @usableFromInline internal let read1: KeyPathReader<Upstream.Output, Output1>
    @usableFromInline internal let read2: KeyPathReader<Upstream.Output, Output2>

    /// The publisher of the values that the properties are read from.
    public let upstream: Upstream

    /// The key path of the first property.
    public var keyPath0: KeyPath<Upstream.Output, Output0> { read0.keyPath }

    /// The key path of the second property.
    public var keyPath1: KeyPath<Upstream.Output, Output1> { read1.keyPath }

    /// The key path of the third property.
    public var keyPath2: KeyPath<Upstream.Output, Output2> { read2.keyPath }

    @inlinable
    internal init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>, keyPath1: KeyPath<Upstream.Output, Output1>,
      keyPath2: KeyPath<Upstream.Output, Output2>
    ) {
      self.upstream = upstream
      read0 = KeyPathReader(keyPath0)
      read1 = KeyPathReader(keyPath1)
      read2 = KeyPathReader(keyPath2)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: ValueForKeys3Stage<Upstream.Output, Output0, Output1, Output2, PassingChannel<Failure>> {
      ValueForKeys3Stage(read0, read1, read2)
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }
  }
}

extension Publishers.MapKeyPath3: TransparentOperator {}

@frozen
@usableFromInline
internal struct ValueForKeys3Stage<Input, Output0, Output1, Output2, Channel: ForwardingChannel>: Stage
where Channel.Thrown == Never {
  @usableFromInline internal let read0: KeyPathReader<Input, Output0>
  @usableFromInline internal let read1: KeyPathReader<Input, Output1>
  @usableFromInline internal let read2: KeyPathReader<Input, Output2>

  @_alwaysEmitIntoClient
  internal init(
    _ read0: KeyPathReader<Input, Output0>, _ read1: KeyPathReader<Input, Output1>,
    _ read2: KeyPathReader<Input, Output2>
  ) {
    self.read0 = read0
    self.read1 = read1
    self.read2 = read2
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "ValueForKeys" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<(Output0, Output1, Output2), Channel.Downstream> {
    .emit((read0(input), read1(input), read2(input)))
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    [("keyPath0", read0.keyPath), ("keyPath1", read1.keyPath), ("keyPath2", read2.keyPath)]
  }
}
