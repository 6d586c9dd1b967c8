// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes the last value that satisfies a throwing predicate when the upstream publisher finishes.
  ///
  /// ![The predicate throws: upstream is cancelled, and the output fails without a value.](try-last-where)
  ///
  /// ```swift
  /// struct NotANumber: Error {}
  /// let cancellable = ["1", "22", "3"].publisher
  ///   .tryLast { text in
  ///     guard let number = Int(text) else { throw NotANumber() }
  ///     return number > 9
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "22", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The value waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the value. A publisher without such a value gives none; its `.finished` also
  /// waits for a request.
  ///
  /// **Failure:** forwarded at once; the value kept so far is dropped. An error that the closure throws cancels
  /// upstream and becomes the failure.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread
  /// that finishes upstream, or on the one that requests it.
  ///
  /// Use ``last(where:)`` if the predicate cannot throw: it keeps the failure type.
  ///
  /// - Parameter predicate: A closure that returns whether a value may be the one to publish, or throws.
  /// - Returns: A publisher of at most one value.
  @_alwaysEmitIntoClient
  public consuming func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the last upstream value that satisfies a throwing predicate; see ``Publisher/tryLast(where:)``.
  public struct TryLastWhere<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Upstream.Output, any Error>

    /// The publisher whose values are tested.
    public let upstream: Upstream

    /// The closure that returns whether a value may be the one to publish.
    public let predicate: (Self.Output) throws -> Bool

    /// Creates a publisher of the last upstream value that satisfies a throwing predicate.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, predicate: @escaping (Self.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> LastWhereStage<ThrowingPredicate<Upstream.Output, Upstream.Failure>> {
      LastWhereStage(ThrowingPredicate(predicate))
    }
  }
}

extension Publishers.TryLastWhere: QueuedOperator {}
