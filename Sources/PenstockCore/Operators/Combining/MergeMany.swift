// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes the values of this publisher and another one of the same type as they arrive.
  ///
  /// ![The values of both are published as they come. The output finishes when both have finished.](merge)
  ///
  /// It works as the other forms of `merge`, but each further publisher is added to a list, so that the type stays the
  /// same.
  ///
  /// ```swift
  /// let both = [1, 2].publisher.merge(with: [3, 4].publisher)
  /// let cancellable = both.merge(with: [5].publisher).collect().sink { print($0) }
  /// // Prints "[1, 2, 3, 4, 5]"
  /// ```
  ///
  /// **Demand:** one value at a time is requested from each upstream, and unlimited values once downstream has
  /// unlimited demand. A value that has not been requested waits, and no other is requested from its upstream. Values
  /// that wait are delivered in the order of the upstreams. `request(.none)` is ignored.
  ///
  /// **Completion:** when all upstreams have finished and no value waits; at once if there are no upstreams.
  ///
  /// **Failure:** the first failure ends the stream: all upstreams are cancelled, and values that wait are dropped.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// arrives while another thread is delivering is queued, and delivered by that thread.
  ///
  /// Use ``merge(with:)->Publishers.Merge<Self,P>`` for publishers of different types, and
  /// ``flatMap(maxPublishers:_:)-tkly`` for publishers that are created from values.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of the values of both.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany(self, other)
  }
}

extension Publishers {
  /// A publisher of the values of any number of publishers of one type as they arrive; see ``Publisher``'s `merge`.
  public struct MergeMany<Upstream: Publisher>: MergeOperator, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publishers that are merged.
    public let publishers: [Upstream]

    /// Creates a publisher of the values of the given publishers as they arrive.
    @_alwaysEmitIntoClient
    public init(_ upstream: Upstream...) {
      publishers = upstream
    }

    /// Creates a publisher of the values of the publishers in a sequence as they arrive.
    @_alwaysEmitIntoClient
    public init<S: Swift.Sequence>(_ upstream: S) where Upstream == S.Element {
      publishers = Array(upstream)
    }

    /// Merges one more publisher, as part of the same operator.
    @_alwaysEmitIntoClient
    public func merge(with other: Upstream) -> Publishers.MergeMany<Upstream> {
      Publishers.MergeMany(publishers + [other])
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient
    package var upstreamCount: Int { publishers.count }

    @_alwaysEmitIntoClient
    package func join<Downstream: Subscriber>(
      _ core: MergeCore<Self.Output, Failure>, upstreamOf downstream: Downstream.Type
    )
    where Downstream.Input == Self.Output, Downstream.Failure == Failure {
      for (place, publisher) in publishers.enumerated() { core.join(publisher, at: place, upstreamOf: Downstream.self) }
    }
  }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

extension Publishers.MergeMany: Sendable where Upstream: Sendable {}
