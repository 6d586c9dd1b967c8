// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Lets the values through up to the first for which a closure that may throw says no, and ends the stream there.
  ///
  /// That value is not delivered.
  ///
  /// ```swift
  /// struct Garbled: Error {}
  /// let cancellable = ["1", "x", "30"].publisher
  ///   .tryPrefix { text in
  ///     guard let number = Int(text) else { throw Garbled() }
  ///     return number < 10
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "1", "failure(Garbled())" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded. The first value that does not go through cancels upstream and finishes the stream.
  ///
  /// **Failure:** forwarded. An error thrown by the closure cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameter predicate: Says whether a value still goes through, or throws.
  /// - Returns: A publisher of the values up to there.
  @inlinable
  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self> {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the first values of another, as far as a closure says that may throw; see
  /// ``Publisher/tryPrefix(while:)``.
  public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose first values go through.
    public let upstream: Upstream

    /// The closure that says whether a value still goes through.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes a publisher of the first values of another, as far as a closure says that may throw.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(Managed(PrefixWhileStage(ThrowingUnary<_, _, Upstream.Failure>(predicate)), to: subscriber))
    }
  }
}
