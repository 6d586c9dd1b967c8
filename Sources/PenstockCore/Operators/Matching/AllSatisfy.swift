// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes whether every value satisfies a predicate.
  ///
  /// ![At the first odd number, false is published, and upstream is cancelled.](all-satisfy)
  ///
  /// It publishes `false` as soon as a value does not satisfy the predicate, and `true` if the upstream publisher
  /// finishes before that.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.map { $0 * 10 }.allSatisfy { $0 > 5 }.sink { print($0) }
  /// // Prints "true"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A result of `false` cancels upstream first. A publisher that
  /// finishes without values gives `true`.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread on
  /// which it is decided, or on the one that requests it.
  ///
  /// Use ``contains(where:)`` to find out whether any value satisfies the predicate, and ``tryAllSatisfy(_:)`` if the
  /// predicate can throw.
  ///
  /// - Parameter predicate: A closure that tests a value.
  /// - Returns: A publisher of one Boolean value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether every upstream value satisfies a predicate; see ``Publisher/allSatisfy(_:)``.
  public struct AllSatisfy<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Bool, Upstream.Failure>

    /// The publisher whose values are tested.
    public let upstream: Upstream

    /// The closure that tests a value.
    public let predicate: (Upstream.Output) -> Bool

    /// Creates a publisher of whether every upstream value satisfies a predicate.
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
    internal func makeStage() -> AllSatisfyStage<PassingPredicate<Upstream.Output, Failure>> {
      AllSatisfyStage(PassingPredicate(predicate))
    }
  }
}

extension Publishers.AllSatisfy: QueuedOperator {}

/// The stage of `allSatisfy` and `tryAllSatisfy`.
@usableFromInline
internal final class AllSatisfyStage<Predicate: UnaryClosure>: ReducingStage where Predicate.Output == Bool {
  @usableFromInline internal typealias Input = Predicate.Input
  @usableFromInline internal typealias Channel = Predicate.Channel

  @usableFromInline internal let predicate: Predicate
  @exclusivity(unchecked) @usableFromInline internal var areAllSatisfying = true

  @_alwaysEmitIntoClient
  internal init(_ predicate: Predicate) {
    self.predicate = predicate
  }

  // A value may decide before the end, so that is not what it waits for.
  @usableFromInline internal func show(in link: inout LinkState) {}

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "AllSatisfy" }

  @_alwaysEmitIntoClient
  internal static var initial: Bool? { true }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Bool, Channel.Downstream> {
    if try predicate(input) { return .absorb }
    areAllSatisfying = false
    return .finish
  }

  @_alwaysEmitIntoClient
  internal var result: Bool? { areAllSatisfying }
}
