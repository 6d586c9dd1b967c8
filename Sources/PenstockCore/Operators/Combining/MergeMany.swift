// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers the values of this publisher and of another of the same type, as they come.
  ///
  /// The same as the other forms of `merge`, with a type that does not grow: further publishers are appended to a list.
  ///
  /// ```swift
  /// let both = [1, 2].publisher.merge(with: [3, 4].publisher)
  /// let cancellable = both.merge(with: [5].publisher).collect().sink { print($0) }
  /// // Prints "[1, 2, 3, 4, 5]"
  /// ```
  ///
  /// **Demand:** every upstream is asked for one value at a time, and for everything once downstream wants everything.
  /// A value that has not been asked for waits, and its upstream is asked for no other. What waits goes out in the
  /// order of the upstreams. `request(.none)` is ignored.
  ///
  /// **Completion:** when all upstreams have finished and nothing waits; at once where there are none.
  ///
  /// **Failure:** the first one ends the stream: all upstreams are cancelled, and what waits is dropped.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// comes while another thread is delivering is queued, and delivered by that thread.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of the values of both.
  @inlinable
  public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany(self, other)
  }
}

extension Publishers {
  /// A publisher that delivers the values of any number of others as they come; see ``Publisher``'s `merge`.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publishers.
    public let publishers: [Upstream]

    /// Makes a publisher that delivers the values of those given, as they come.
    @inlinable
    public init(_ upstream: Upstream...) {
      publishers = upstream
    }

    /// Makes a publisher that delivers the values of those in a sequence, as they come.
    @inlinable
    public init<S: Swift.Sequence>(_ upstream: S) where Upstream == S.Element {
      publishers = Array(upstream)
    }

    /// Delivers the values of one more publisher as well.
    @inlinable
    public func merge(with other: Upstream) -> Publishers.MergeMany<Upstream> {
      Publishers.MergeMany(publishers + [other])
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      let core = MergeCore(publishers.count, to: subscriber)
      core.start()
      for (place, publisher) in publishers.enumerated() { core.join(publisher, at: place) }
      core.endJoining()
    }
  }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

extension Publishers.MergeMany: Sendable where Upstream: Sendable {}
