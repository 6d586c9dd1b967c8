// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Goes on with another publisher where this one fails, or fails with what the closure throws.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let network = Fail<String, Offline>(error: Offline())
  /// let cancellable = network
  ///   .tryCatch { error in
  ///     guard Bool(true) else { throw error }
  ///     return Just("cached")
  ///   }
  ///   .sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  /// // Prints "cached".
  /// ```
  ///
  /// **Demand:** as for ``catch(_:)``.
  ///
  /// **Completion:** `.finished` is forwarded, upstream's and the replacement's.
  ///
  /// **Failure:** upstream's goes to the closure. What that throws, and the replacement's failure, end the stream.
  ///
  /// **Concurrency:** as for ``catch(_:)``.
  ///
  /// - Parameter handler: Makes the publisher to go on with from the failure, or throws.
  /// - Returns: A publisher that may fail with anything.
  @inlinable
  public func tryCatch<P: Publisher>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where Output == P.Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that goes on with another one where its upstream fails, if a closure makes one; see
  /// ``Publisher/tryCatch(_:)``.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher that may fail.
    public let upstream: Upstream

    /// The closure that makes the replacement.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// Makes a publisher that goes on with another one where its upstream fails.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      Handover(CatchRule(ThrowingUnary<_, _, NewPublisher.Failure>(handler)), to: subscriber).begin(with: upstream)
    }
  }
}
