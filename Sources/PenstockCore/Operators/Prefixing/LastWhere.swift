// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes the last value that satisfies a predicate when the upstream publisher finishes.
  ///
  /// ![The last even number is published when upstream finishes.](last-where)
  ///
  /// ```swift
  /// let cancellable = (1...9).publisher.map { $0 * $0 }.last { $0 < 50 }.sink { print($0) }
  /// // Prints "49"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The value waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the value. A publisher without such a value gives none; its `.finished` also
  /// waits for a request.
  ///
  /// **Failure:** forwarded at once; the value kept so far is dropped.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread
  /// that finishes upstream, or on the one that requests it.
  ///
  /// Use ``filter(_:)`` for all values that satisfy the predicate, ``first(where:)`` for the first one, and
  /// ``tryLast(where:)`` if the predicate can throw.
  ///
  /// - Parameter predicate: A closure that returns whether a value may be the one to publish.
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the last upstream value that satisfies a predicate; see ``Publisher/last(where:)``.
  public struct LastWhere<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are tested.
    public let upstream: Upstream

    /// The closure that returns whether a value may be the one to publish.
    public let predicate: (Self.Output) -> Bool

    /// Creates a publisher of the last upstream value that satisfies a predicate.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, predicate: @escaping (Self.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> LastWhereStage<PassingPredicate<Upstream.Output, Failure>> {
      LastWhereStage(PassingPredicate(predicate))
    }
  }
}

extension Publishers.LastWhere: QueuedOperator {}

/// The stage of `last(where:)` and `tryLast(where:)`.
@usableFromInline
internal final class LastWhereStage<Predicate: UnaryClosure>: ReducingStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate
  @exclusivity(unchecked) @usableFromInline internal var result: Input?

  @_alwaysEmitIntoClient
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "LastWhere" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input, Channel.Downstream> {
    if try predicate(input) { dispose(of: displace(&result, with: input)) }
    return .absorb
  }
}
