// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes whether any value satisfies a predicate.
  ///
  /// ![No value is above 10, so false is published when upstream finishes.](contains-where)
  ///
  /// It publishes `true` as soon as such a value arrives, and `false` if the upstream publisher finishes without one.
  ///
  /// ```swift
  /// let cancellable = ["gate", "pipe"].publisher.map(\.count).contains { $0 > 4 }.sink { print($0) }
  /// // Prints "false"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A result of `true` cancels upstream first.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread on
  /// which it is decided, or on the one that requests it.
  ///
  /// Use ``contains(_:)`` to look for an equal value, ``allSatisfy(_:)`` to test every value, ``first(where:)`` to
  /// publish the value itself, and ``tryContains(where:)`` if the predicate can throw.
  ///
  /// - Parameter predicate: A closure that tests a value.
  /// - Returns: A publisher of one Boolean value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether any upstream value satisfies a predicate; see ``Publisher/contains(where:)``.
  public struct ContainsWhere<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Bool, Upstream.Failure>

    /// The publisher whose values are tested.
    public let upstream: Upstream

    /// The closure that tests a value.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates a publisher of whether any upstream value satisfies a predicate.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == Bool {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> ContainsWhereStage<PassingPredicate<Upstream.Output, Failure>> {
      ContainsWhereStage(PassingPredicate(predicate))
    }
  }
}

extension Publishers.ContainsWhere: QueuedOperator {}

/// The stage of `contains(where:)` and `tryContains(where:)`.
@usableFromInline
internal final class ContainsWhereStage<Predicate: UnaryClosure>: ReducingStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate
  @exclusivity(unchecked) @usableFromInline internal var isFound = false

  @_alwaysEmitIntoClient
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  // A value may decide before the end, so that is not what it waits for.
  @usableFromInline internal func show(in link: inout LinkState) {}

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "ContainsWhere" }

  @_alwaysEmitIntoClient
  internal static var initial: Bool? { false }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Bool, Channel.Downstream> {
    guard try predicate(input) else { return .absorb }
    isFound = true
    return .finish
  }

  @_alwaysEmitIntoClient
  internal var result: Bool? { isFound }
}
