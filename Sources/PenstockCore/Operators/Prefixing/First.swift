// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes the first value, and finishes.
  ///
  /// ![The first value is published, and upstream is cancelled.](first)
  ///
  /// ```swift
  /// let cancellable = (1...3).publisher.map { $0 * 10 }.first().sink { print($0) }
  /// // Prints "10"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once; upstream is cancelled when the value arrives.
  /// The value waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the value. A publisher that finishes without values gives none; its
  /// `.finished` also waits for a request.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** the value is delivered on the thread on which upstream delivers it, or on the one that requests
  /// it.
  ///
  /// Use ``first(where:)`` for the first value that satisfies a predicate, ``prefix(_:)`` for several values, and
  /// ``last()`` for the last one.
  ///
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the first upstream value; see ``Publisher/first()``.
  public struct First<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose first value is published.
    public let upstream: Upstream

    /// Creates a publisher of the first upstream value.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> FirstStage<Upstream.Output, Failure> {
      FirstStage()
    }
  }
}

extension Publishers.First: QueuedOperator {}

/// The stage of `first()`.
@usableFromInline
internal final class FirstStage<Input, Failure: Error>: ReducingStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @exclusivity(unchecked) @usableFromInline internal var result: Input?

  @_alwaysEmitIntoClient
  internal init() {}

  // A value may decide before the end, so that is not what it waits for.
  @usableFromInline internal func show(in link: inout LinkState) {}

  @_alwaysEmitIntoClient
  internal static var name: String { "First" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Input, Failure> {
    dispose(of: displace(&result, with: input))
    return .finish
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publishers.First: Sendable where Upstream: Sendable {}
