// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes the last value when the upstream publisher finishes.
  ///
  /// ![The last value is published when upstream finishes.](last)
  ///
  /// ```swift
  /// let cancellable = (1...3).publisher.map { $0 * 10 }.last().sink { print($0) }
  /// // Prints "30"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The value waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the value. A publisher that finishes without values gives none; its
  /// `.finished` also waits for a request.
  ///
  /// **Failure:** forwarded at once; the value kept so far is dropped.
  ///
  /// **Concurrency:** the value is delivered on the thread that finishes upstream, or on the one that requests it.
  ///
  /// Use ``last(where:)`` for the last value that satisfies a predicate, ``first()`` for the first value, and
  /// ``collect()`` for all of them.
  ///
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the last upstream value; see ``Publisher/last()``.
  public struct Last<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose last value is published.
    public let upstream: Upstream

    /// Creates a publisher of the last upstream value.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> LastStage<Upstream.Output, Failure> {
      LastStage()
    }
  }
}

extension Publishers.Last: QueuedOperator {}

/// The stage of `last()`.
@usableFromInline
internal final class LastStage<Input, Failure: Error>: ReducingStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @exclusivity(unchecked) @usableFromInline internal var result: Input?

  @_alwaysEmitIntoClient
  internal init() {}

  @_alwaysEmitIntoClient
  internal static var name: String { "Last" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Input, Failure> {
    dispose(of: displace(&result, with: input))
    return .absorb
  }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publishers.Last: Sendable where Upstream: Sendable {}
