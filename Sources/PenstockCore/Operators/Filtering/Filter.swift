// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Lets only those values through for which a closure says yes.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.filter { $0.isMultiple(of: 2) }.sink { print($0) }
  /// // Prints "2", "4" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value held back, one more is asked for.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameter isIncluded: Says whether a value goes through.
  /// - Returns: A publisher of the values that go through.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher that lets only some values of another through; see ``Publisher/filter(_:)``.
  public struct Filter<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that this one filters.
    public let upstream: Upstream

    /// The closure that says whether a value goes through.
    public let isIncluded: (Upstream.Output) -> Bool

    /// Makes a publisher that lets only some values of another through.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Transparent(FilterStage(PassingUnary<_, _, Failure>(isIncluded)), to: subscriber))
    }
  }
}

extension Publishers.Filter {
  /// Asks one more closure, without one more link in the chain.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
    let first = self.isIncluded
    return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
  }
}

/// The stage of `filter` and `tryFilter`.
@frozen
@usableFromInline
internal struct FilterStage<Predicate: Unary>: Stage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let isIncluded: Predicate

  @inlinable
  internal init(_ isIncluded: Predicate) {
    self.isIncluded = isIncluded
  }

  @inlinable
  internal static var name: String { Channel.namePrefix + "Filter" }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input> {
    try isIncluded(input) ? .emit(input) : .drop
  }

  @usableFromInline
  internal func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] {
    Channel.Thrown.self == Never.self ? [] : [("downstream", downstream)]
  }
}
