// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes the values that satisfy a predicate.
  ///
  /// ![Of four numbers, the even ones pass.](filter)
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.filter { $0.isMultiple(of: 2) }.sink { print($0) }
  /// // Prints "2", "4" on two lines.
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
  /// Use ``compactMap(_:)`` to filter and transform in one step, ``removeDuplicates()`` to skip repeated values, and
  /// ``tryFilter(_:)`` if the predicate can throw.
  ///
  /// - Parameter isIncluded: A closure that returns whether to republish a value.
  /// - Returns: A publisher of the values that satisfy the predicate.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher that republishes the upstream values that satisfy a predicate; see ``Publisher/filter(_:)``.
  public struct Filter<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are filtered.
    public let upstream: Upstream

    /// The closure that returns whether to republish a value.
    public let isIncluded: (Upstream.Output) -> Bool

    /// Creates a publisher that republishes the upstream values that satisfy a predicate.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: FilterStage<PassingPredicate<Upstream.Output, Failure>> {
      FilterStage(PassingPredicate(isIncluded))
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }
  }
}

extension Publishers.Filter: TransparentOperator {}

extension Publishers.Filter {
  /// Filters the values with one more predicate, as part of the same operator.
  @_alwaysEmitIntoClient
  public func filter(_ isIncluded: @escaping (Self.Output) -> Bool) -> Publishers.Filter<Upstream> {
    let first = self.isIncluded
    return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
  }
}

/// The stage of `filter` and `tryFilter`.
@frozen
@usableFromInline
internal struct FilterStage<Predicate: UnaryClosure>: Stage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let isIncluded: Predicate

  @_alwaysEmitIntoClient
  internal init(_ isIncluded: Predicate) {
    self.isIncluded = isIncluded
  }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "Filter" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input, Channel.Downstream> {
    try isIncluded(input) ? .emit(input) : .skip
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    Channel.Thrown.self == Never.self ? [] : [("downstream", downstream)]
  }
}
