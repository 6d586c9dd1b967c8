// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Says whether a closure, which may throw, says yes to any value.
  ///
  /// `true` as soon as such a value comes; `false` when the stream has finished without one.
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
  /// **Demand:** upstream is asked for everything at once. The answer waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the answer. A `true` cancels upstream first.
  ///
  /// **Failure:** forwarded at once. An error thrown by the closure cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the answer goes out there or where it is requested.
  ///
  /// - Parameter predicate: Says whether a value is one to look for, or throws.
  /// - Returns: A publisher of one truth value.
  @inlinable
  public func tryContains(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryContainsWhere<Self> {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that says whether a closure, which may throw, says yes to any value of another; see
  /// ``Publisher/tryContains(where:)``.
  public struct TryContainsWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Bool
    public typealias Failure = any Error

    /// The publisher whose values are looked at.
    public let upstream: Upstream

    /// The closure that says whether a value is one to look for.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes a publisher that says whether a closure, which may throw, says yes to any value of another.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Bool, S.Failure == any Error {
      upstream.subscribe(
        Collecting(ContainsWhereStage(ThrowingUnary<_, _, Upstream.Failure>(predicate)), to: subscriber))
    }
  }
}
