// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Failure == Never {
  /// Gives a publisher that cannot fail the error type of another one, so that the two can be combined.
  ///
  /// Values go through as they are. The stream still never fails.
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
  /// **Failure:** there is none.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// - Parameter failureType: The error type to appear with.
  /// - Returns: A publisher of the same values, with that error type.
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// A publisher that cannot fail, and has an error type all the same; see ``Publisher/setFailureType(to:)``.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
    public typealias Output = Upstream.Output

    /// The publisher that cannot fail.
    public let upstream: Upstream

    /// Makes a publisher that appears with another error type.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Transparent(SetFailureTypeStage<Output, Failure>(), to: subscriber))
    }
  }
}

extension Publishers.SetFailureType {
  /// Replaces the error type, without one more link in the chain.
  @inlinable
  public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
    Publishers.SetFailureType(upstream: upstream)
  }
}

@frozen
@usableFromInline
internal struct SetFailureTypeStage<Input, Failure: Error>: Stage, Sendable {
  @usableFromInline internal typealias Channel = Replacing<Never, Failure>

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "SetFailureType" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input> { .emit(input) }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Never>) -> Subscribers.Completion<Failure> { .finished }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}
