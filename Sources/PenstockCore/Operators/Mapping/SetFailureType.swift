// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Failure == Never {
  /// Gives a publisher that cannot fail a failure type, so that it can be combined with publishers that can fail.
  ///
  /// ![A publisher that cannot fail gets a failure type, so another publisher that fails can follow
  /// it.](set-failure-type)
  ///
  /// Values pass unchanged. The publisher still never fails.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let stored = [1, 2].publisher.setFailureType(to: Offline.self)
  /// let fresh = Fail<Int, Offline>(error: Offline())
  /// let cancellable = stored.append(fresh)
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "1", "2", "failure(Offline())" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// Use ``mapError(_:)`` to convert the failure of a publisher that can fail, and ``assertNoFailure(_:file:line:)`` or
  /// ``replaceError(with:)`` to get back to `Never`.
  ///
  /// - Parameter failureType: The failure type of the new publisher.
  /// - Returns: A publisher of the same values with that failure type.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// A publisher that cannot fail and has a failure type other than `Never`; see ``Publisher/setFailureType(to:)``.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher, _DerivedTypes
  where Upstream.Failure == Never {
    public typealias _Origin = Upstream

    /// The publisher that cannot fail.
    public let upstream: Upstream

    /// Creates a publisher with another failure type.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal var stage: SetFailureTypeStage<Self.Output, Failure> { SetFailureTypeStage() }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      attach(subscriber)
    }
  }
}

extension Publishers.SetFailureType: TransparentOperator {}

extension Publishers.SetFailureType {
  /// Replaces the failure type, as part of the same operator.
  @_alwaysEmitIntoClient
  public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
    Publishers.SetFailureType(upstream: upstream)
  }
}

@frozen
@usableFromInline
internal struct SetFailureTypeStage<Input, Failure: Error>: Stage, Sendable {
  @usableFromInline internal typealias Channel = ReplacingChannel<Never, Failure>

  @_alwaysEmitIntoClient
  internal init() {}

  @_alwaysEmitIntoClient
  internal static var name: String { "SetFailureType" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Verdict<Input, Channel.Downstream> { .emit(input) }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Never>) -> Subscribers.Completion<Failure> { .finished }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}
