// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Converts the error that this publisher may fail with into another error.
  ///
  /// ![The values pass, and the failure “timed out” becomes the failure “offline”.](map-error)
  ///
  /// Values pass unchanged.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// struct Report: Error { let cause: any Error }
  /// let cancellable = Fail<Int, Offline>(error: Offline())
  ///   .mapError { Report(cause: $0) }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { _ in })
  /// // Prints "failure(Report(cause: Offline()))"
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** `.finished` is forwarded.
  ///
  /// **Failure:** replaced by the error that the closure returns.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the failure.
  ///
  /// Use ``setFailureType(to:)`` for a publisher that cannot fail, ``replaceError(with:)`` to end with a value instead,
  /// and ``catch(_:)`` to continue with another publisher.
  ///
  /// - Parameter transform: A closure that turns the upstream error into a new one.
  /// - Returns: A publisher of the same values that fails with the new error.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that converts the upstream failure into another error; see ``Publisher/mapError(_:)``.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose failure is converted.
    public let upstream: Upstream

    /// The closure that converts the error.
    public let transform: (Upstream.Failure) -> Failure

    /// Creates a publisher that converts the upstream failure into another error.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Creates a publisher that converts the upstream failure into another error.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.init(upstream: upstream, transform: map)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: MapErrorStage<Self.Output, Upstream.Failure, Failure> { MapErrorStage(transform) }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }
  }
}

extension Publishers.MapError: TransparentOperator {}

@frozen
@usableFromInline
internal struct MapErrorStage<Input, Failure: Error, NewFailure: Error>: Stage {
  @usableFromInline internal typealias Channel = ReplacingChannel<Failure, NewFailure>

  @usableFromInline internal let transform: (Failure) -> NewFailure

  @_alwaysEmitIntoClient
  internal init(_ transform: @escaping (Failure) -> NewFailure) {
    self.transform = transform
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "MapError" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Input, Channel.Downstream> { .emit(input) }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<NewFailure> {
    completion.mapError(transform)
  }
}
