// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes the first value that satisfies a predicate, and finishes.
  ///
  /// ![The first value above 10 is published, and upstream is cancelled.](first-where)
  ///
  /// ```swift
  /// let cancellable = (1...9).publisher.map { $0 * $0 }.first { $0 > 10 }.sink { print($0) }
  /// // Prints "16"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once; upstream is cancelled when the value arrives.
  /// The value waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the value. A publisher without such a value gives none; its `.finished` also
  /// waits for a request.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the same
  /// thread, or on the one that requests it.
  ///
  /// Use ``filter(_:)`` for all values that satisfy the predicate, ``last(where:)`` for the last one, and
  /// ``tryFirst(where:)`` if the predicate can throw.
  ///
  /// - Parameter predicate: A closure that returns whether a value is the one to publish.
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the first upstream value that satisfies a predicate; see ``Publisher/first(where:)``.
  public struct FirstWhere<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are tested.
    public let upstream: Upstream

    /// The closure that returns whether a value is the one to publish.
    public let predicate: (Self.Output) -> Bool

    /// Creates a publisher of the first upstream value that satisfies a predicate.
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
    internal func makeStage() -> FirstWhereStage<PassingPredicate<Upstream.Output, Failure>> {
      FirstWhereStage(PassingPredicate(predicate))
    }
  }
}

extension Publishers.FirstWhere: QueuedOperator {}

/// The stage of `first(where:)` and `tryFirst(where:)`.
@usableFromInline
internal final class FirstWhereStage<Predicate: UnaryClosure>: ReducingStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate
  @exclusivity(unchecked) @usableFromInline internal var result: Input?

  @_alwaysEmitIntoClient
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  /// Combine's names: even the operator that cannot throw is called `TryFirst`.
  // A value may decide before the end, so that is not what it waits for.
  @usableFromInline internal func show(in link: inout LinkState) {}

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.Thrown.self == Never.self ? "TryFirst" : "TryFirstWhere" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input, Channel.Downstream> {
    guard try predicate(input) else { return .absorb }
    dispose(of: displace(&result, with: input))
    return .finish
  }
}
