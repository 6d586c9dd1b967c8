// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers the first value to which a closure, which may throw, says yes, and finishes.
  ///
  /// ```swift
  /// struct NotANumber: Error {}
  /// let cancellable = ["1", "22", "three"].publisher
  ///   .tryFirst { text in
  ///     guard let number = Int(text) else { throw NotANumber() }
  ///     return number > 9
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "22", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once, and cancelled when the value has come. The value waits until
  /// it has been asked for.
  ///
  /// **Completion:** `.finished` follows the value. A stream without such a value gives none; its `.finished`, too, waits
  /// for a request.
  ///
  /// **Failure:** forwarded at once. An error thrown by the closure cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the value goes out there or where it is requested.
  ///
  /// - Parameter predicate: Says whether a value is the one to deliver, or throws.
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that delivers the first value of another to which a closure, which may throw, says yes; see
  /// ``Publisher/tryFirst(where:)``.
  public struct TryFirstWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose values are looked at.
    public let upstream: Upstream

    /// The closure that says whether a value is the one to deliver.
    public let predicate: (Output) throws -> Bool

    /// Makes a publisher that delivers the first value of another to which a closure, which may throw, says yes.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(Collecting(FirstWhereStage(ThrowingUnary<_, _, Upstream.Failure>(predicate)), to: subscriber))
    }
  }
}
