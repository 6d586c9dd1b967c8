// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Replaces a failure with the values of another publisher, or with an error that the closure throws.
  ///
  /// ![The closure could return another publisher. It throws, and the output fails with its error.](try-catch)
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
  /// **Completion:** `.finished` is forwarded, from upstream and from the replacement.
  ///
  /// **Failure:** a failure of upstream is passed to the closure. An error that the closure throws, and a failure of
  /// the replacement, are forwarded.
  ///
  /// **Concurrency:** as for ``catch(_:)``.
  ///
  /// Use ``catch(_:)`` if the closure cannot throw, and ``mapError(_:)`` to change only the error.
  ///
  /// - Parameter handler: A closure that turns the failure into the publisher to continue with, or throws.
  /// - Returns: A publisher whose failure can be any error.
  @_alwaysEmitIntoClient
  public consuming func tryCatch<P: Publisher>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where Output == P.Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that replaces an upstream failure with the values of another publisher, with a throwing closure; see
  /// ``Publisher/tryCatch(_:)``.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher, _DerivedTypes
  where Upstream.Output == NewPublisher.Output {
    public typealias _Origin = Empty<Upstream.Output, any Error>

    /// The publisher that may fail.
    public let upstream: Upstream

    /// The closure that turns the failure into the replacement.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// Creates a publisher that replaces an upstream failure with the values of another publisher, with a throwing
    /// closure.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, S.Failure == any Error {
      SequentialSubscriber(CatchRule(ThrowingUnary<_, _, NewPublisher.Failure>(handler)), to: subscriber).begin(
        with: upstream, upstreamOf: S.self)
    }
  }
}
