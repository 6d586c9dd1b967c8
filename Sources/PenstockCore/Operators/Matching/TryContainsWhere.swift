// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes whether any value satisfies a throwing predicate.
  ///
  /// ![The predicate throws before a value satisfies it: upstream is cancelled, and the output
  /// fails.](try-contains-where)
  ///
  /// It publishes `true` as soon as such a value arrives, and `false` if the upstream publisher finishes without one.
  ///
  /// ```swift
  /// struct NotANumber: Error {}
  /// let cancellable = ["1", "two", "3"].publisher
  ///   .tryContains { text in
  ///     guard let number = Int(text) else { throw NotANumber() }
  ///     return number > 2
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "failure(NotANumber())"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A result of `true` cancels upstream first.
  ///
  /// **Failure:** forwarded at once. An error that the closure throws cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread on
  /// which it is decided, or on the one that requests it.
  ///
  /// Use ``contains(where:)`` if the predicate cannot throw: it keeps the failure type.
  ///
  /// - Parameter predicate: A closure that tests a value, or throws.
  /// - Returns: A publisher of one Boolean value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func tryContains(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryContainsWhere<Self> {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether any upstream value satisfies a throwing predicate; see ``Publisher/tryContains(where:)``.
  public struct TryContainsWhere<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Bool, any Error>

    /// The publisher whose values are tested.
    public let upstream: Upstream

    /// The closure that tests a value.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates a publisher of whether any upstream value satisfies a throwing predicate.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Bool, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> ContainsWhereStage<ThrowingPredicate<Upstream.Output, Upstream.Failure>> {
      ContainsWhereStage(ThrowingPredicate(predicate))
    }
  }
}

extension Publishers.TryContainsWhere: QueuedOperator {}
