// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes what a closure makes of this publisher; all uses within the closure share one subscription to it.
  ///
  /// ![The values and their number come of one subscription, which begins when both branches are there.](multicast-in)
  ///
  /// The closure is called for each subscriber, with a publisher that it may use in several *branches*. Upstream is
  /// subscribed to once, after the closure's publisher has been subscribed to: so no branch misses a value, as it could
  /// with `share()` and an upstream that sends at once.
  ///
  /// ```swift
  /// let numbers = (1...4).publisher.multicast { shared in
  ///   shared.filter { $0 % 2 == 0 }.map { "even \($0)" }
  ///     .merge(with: shared.count().map { "\($0) in all" })
  /// }
  /// let cancellable = numbers.sink { print($0) }
  /// // Prints "even 2", "even 4", "4 in all" on three lines.
  /// ```
  ///
  /// **Demand:** each branch requests what the closure's publisher requests of it, and the branch that has taken the
  /// fewest values decides: with `.bounded(n)`, upstream is asked for up to `n` values more than that branch has taken.
  /// The other policies of ``share(buffering:)`` are possible, too.
  ///
  /// **Completion:** that of the closure's publisher. Upstream's is delivered to each branch after the values that wait
  /// for it.
  ///
  /// **Failure:** that of the closure's publisher; upstream's reaches each branch.
  ///
  /// **Concurrency:** the closure runs on the thread that subscribes. The branches are served like the subscribers of
  /// ``share(buffering:)``. When all branches have cancelled, upstream is cancelled; a branch that subscribes after
  /// that starts it again.
  ///
  /// A branch that gets ahead of another one waits for it: if one value at a time is requested, `zip` of a branch with
  /// a branch that drops `k` values needs a bound of `k` or more; with a smaller bound nothing is ever published.
  ///
  /// Use ``share(buffering:)`` for subscribers that come and go independently.
  ///
  /// - Parameters:
  ///   - buffering: What happens to a value for which a branch has no demand. A negative number traps, and so does a bound
  ///     of 0.
  ///   - body: A closure that makes a publisher from one whose subscribers share the subscription.
  /// - Returns: A publisher that shares one upstream subscription among the branches of each subscriber.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func multicast<Result: Publisher>(
    buffering: ShareBufferingPolicy = .bounded(1), in body: @escaping (AnyPublisher<Output, Failure>) -> Result
  ) -> Publishers.Lifted<Result.Output, Result.Failure> {
    buffering.check()
    return Publishers.Lifted(MulticastIn(upstream: self, buffering: buffering, body: body))
  }
}

/// The publisher of `multicast(in:)`.
@usableFromInline
internal struct MulticastIn<Upstream: Publisher, Result: Publisher>: Publisher {
  @usableFromInline internal typealias Output = Result.Output
  @usableFromInline internal typealias Failure = Result.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let buffering: ShareBufferingPolicy
  @usableFromInline internal let body: (AnyPublisher<Upstream.Output, Upstream.Failure>) -> Result

  @inlinable
  internal init(
    upstream: Upstream, buffering: ShareBufferingPolicy,
    body: @escaping (AnyPublisher<Upstream.Output, Upstream.Failure>) -> Result
  ) {
    self.upstream = upstream
    self.buffering = buffering
    self.body = body
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let branches = MulticastBranches(upstream: upstream, buffering: buffering)
    body(branches.eraseToAnyPublisher()).subscribe(subscriber)
    branches.connect()
  }
}
