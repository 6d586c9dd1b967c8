// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes the number of values when the upstream publisher finishes.
  ///
  /// ![The number of values is published when upstream finishes.](count)
  ///
  /// ```swift
  /// let cancellable = ["gate", "pipe", "turbine"].publisher.filter { $0.count == 4 }.count().sink { print($0) }
  /// // Prints "2"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The number waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the number. A publisher that finishes without values gives 0.
  ///
  /// **Failure:** forwarded at once; the number so far is dropped.
  ///
  /// **Concurrency:** the number is delivered on the thread that finishes upstream, or on the one that requests it.
  ///
  /// Use ``scan(_:_:)`` for a running count, and ``reduce(_:_:)`` to compute anything else from all values.
  ///
  /// - Returns: A publisher of one number.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func count() -> Publishers.Count<Self> {
    Publishers.Count(upstream: self)
  }
}

extension Publishers {
  /// A publisher of the number of upstream values; see ``Publisher/count()``.
  public struct Count<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Int, Upstream.Failure>

    /// The publisher whose values are counted.
    public let upstream: Upstream

    /// Creates a publisher of the number of upstream values.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == Int {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> CountStage<Upstream.Output, Failure> {
      CountStage()
    }
  }
}

extension Publishers.Count: QueuedOperator {}

/// The stage of `count()`.
@usableFromInline
internal final class CountStage<Input, Failure: Error>: ReducingStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @exclusivity(unchecked) @usableFromInline internal var count = 0

  @_alwaysEmitIntoClient
  internal init() {}

  @_alwaysEmitIntoClient
  internal static var name: String { "Count" }

  @_alwaysEmitIntoClient
  internal static var initial: Int? { 0 }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Int, Failure> {
    count += 1
    return .absorb
  }

  @_alwaysEmitIntoClient
  internal var result: Int? { count }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}

extension Publishers.Count: Sendable where Upstream: Sendable {}
