// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Output: Equatable {
  /// Publishes whether any value equals a given one.
  ///
  /// ![At the first 3, true is published, and upstream is cancelled.](contains)
  ///
  /// It publishes `true` as soon as such a value arrives, and `false` if the upstream publisher finishes without one.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.map { $0 * 10 }.contains(30).sink { print($0) }
  /// // Prints "true"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A result of `true` cancels upstream first.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** the result is delivered on the thread on which it is decided, or on the one that requests it.
  ///
  /// Use ``contains(where:)`` to test with a predicate, and ``first(where:)`` to publish the value itself.
  ///
  /// - Parameter output: The value to find.
  /// - Returns: A publisher of one Boolean value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func contains(_ output: Output) -> Publishers.Contains<Self> {
    Publishers.Contains(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher of whether any upstream value equals a given one; see ``Publisher/contains(_:)``.
  public struct Contains<Upstream: Publisher>: Publisher, _DerivedTypes
  where Upstream.Output: Equatable {
    public typealias _Origin = Empty<Bool, Upstream.Failure>

    /// The publisher whose values are tested.
    public let upstream: Upstream

    /// The value to find.
    public let output: Upstream.Output

    /// Creates a publisher of whether any upstream value equals a given one.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == Bool {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> ContainsStage<Upstream.Output, Failure> {
      ContainsStage(output)
    }
  }
}

extension Publishers.Contains: QueuedOperator {}

/// The stage of `contains(_:)`.
@usableFromInline
internal final class ContainsStage<Input: Equatable, Failure: Error>: ReducingStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let wanted: Input
  @exclusivity(unchecked) @usableFromInline internal var isFound = false

  @_alwaysEmitIntoClient
  internal init(_ wanted: Input) {
    self.wanted = wanted
  }

  // A value may decide before the end, so that is not what it waits for.
  @usableFromInline internal func show(in link: inout LinkState) {}

  @_alwaysEmitIntoClient
  internal static var name: String { "Contains" }

  @_alwaysEmitIntoClient
  internal static var initial: Bool? { false }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Bool, Failure> {
    guard input == wanted else { return .absorb }
    isFound = true
    return .finish
  }

  @_alwaysEmitIntoClient
  internal var result: Bool? { isFound }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

extension Publishers.Contains: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
