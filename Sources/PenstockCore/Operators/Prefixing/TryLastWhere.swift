// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers the last value to which a closure, which may throw, says yes, when the stream has finished.
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
  /// **Demand:** upstream is asked for everything at once. The value waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the value. A stream without such a value gives none; its `.finished`, too, waits
  /// for a request.
  ///
  /// **Failure:** forwarded at once; the value so far is dropped. An error thrown by the closure cancels upstream and
  /// becomes the failure.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the value goes out there or where it is requested.
  ///
  /// - Parameter predicate: Says whether a value is one to deliver if no other follows, or throws.
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that delivers the last value of another to which a closure, which may throw, says yes; see
  /// ``Publisher/tryLast(where:)``.
  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose values are looked at.
    public let upstream: Upstream

    /// The closure that says whether a value is one to deliver if no other follows.
    public let predicate: (Output) throws -> Bool

    /// Makes a publisher that delivers the last value of another to which a closure, which may throw, says yes.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(Collecting(LastWhereStage(ThrowingUnary<_, _, Upstream.Failure>(predicate)), to: subscriber))
    }
  }
}
