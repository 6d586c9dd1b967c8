// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Leaves out the values up to the first for which a closure that may throw says no.
  ///
  /// That value and all after it go through; the closure is not asked again.
  ///
  /// ```swift
  /// struct Garbled: Error {}
  /// let cancellable = ["-1", "0", "x"].publisher
  ///   .tryDrop { text in
  ///     guard let number = Int(text) else { throw Garbled() }
  ///     return number < 0
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "0", "x", "finished" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value left out, one more is asked for. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. An error thrown by the closure cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameter predicate: Says whether to go on leaving out, or throws.
  /// - Returns: A publisher of the values from there on.
  @inlinable
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that leaves out the first values of another, as far as a closure says that may throw; see
  /// ``Publisher/tryDrop(while:)``.
  public struct TryDropWhile<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose first values are left out.
    public let upstream: Upstream

    /// The closure that says whether to go on leaving out.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes a publisher that leaves out the first values of another, as far as a closure says that may throw.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(Managed(DropWhileStage(ThrowingUnary<_, _, Upstream.Failure>(predicate)), to: subscriber))
    }
  }
}
