// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes whether every value satisfies a throwing predicate.
  ///
  /// ![The predicate throws while all values satisfy it: upstream is cancelled, and the output fails.](try-all-satisfy)
  ///
  /// It publishes `false` as soon as a value does not satisfy the predicate, and `true` if the upstream publisher
  /// finishes before that.
  ///
  /// ```swift
  /// struct NotANumber: Error {}
  /// let cancellable = ["1", "two"].publisher
  ///   .tryAllSatisfy { text in
  ///     guard let number = Int(text) else { throw NotANumber() }
  ///     return number > 0
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "failure(NotANumber())"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A result of `false` cancels upstream first. A publisher that
  /// finishes without values gives `true`.
  ///
  /// **Failure:** forwarded at once. An error that the closure throws cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread on
  /// which it is decided, or on the one that requests it.
  ///
  /// Use ``allSatisfy(_:)`` if the predicate cannot throw: it keeps the failure type.
  ///
  /// - Parameter predicate: A closure that tests a value, or throws.
  /// - Returns: A publisher of one Boolean value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryAllSatisfy<Self>
  {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether every upstream value satisfies a throwing predicate; see ``Publisher/tryAllSatisfy(_:)``.
  public struct TryAllSatisfy<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Bool, any Error>

    /// The publisher whose values are tested.
    public let upstream: Upstream

    /// The closure that tests a value.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Creates a publisher of whether every upstream value satisfies a throwing predicate.
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
    internal func makeStage() -> AllSatisfyStage<ThrowingPredicate<Upstream.Output, Upstream.Failure>> {
      AllSatisfyStage(ThrowingPredicate(predicate))
    }
  }
}

extension Publishers.TryAllSatisfy: QueuedOperator {}
