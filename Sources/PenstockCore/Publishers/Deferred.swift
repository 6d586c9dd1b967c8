// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that creates a new publisher for each subscriber.
///
/// ```swift
/// var attempts = 0
/// let attempt = Deferred {
///   attempts += 1
///   return Just("attempt \(attempts)")
/// }
/// let first = attempt.sink { print($0) }
/// let second = attempt.sink { print($0) }
/// // Prints "attempt 1", "attempt 2" on two lines.
/// ```
///
/// Around a ``Future``, it starts the work only at a subscription, and repeats it for each subscriber.
///
/// **Demand:** the subscriber is attached to the created publisher itself; no operator stands between the two.
///
/// **Completion:** that of the created publisher.
///
/// **Failure:** that of the created publisher.
///
/// **Concurrency:** the closure runs once for each subscription, on the subscribing thread, before anything else.
public struct Deferred<DeferredPublisher: Publisher>: Publisher, _DerivedTypes {
  public typealias _Origin = DeferredPublisher

  /// The closure that creates a publisher for a subscriber.
  public let createPublisher: () -> DeferredPublisher

  /// Creates a publisher that creates a new publisher for each subscriber.
  ///
  /// - Parameter createPublisher: A closure that creates a publisher for a subscriber.
  @_alwaysEmitIntoClient
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  @_alwaysEmitIntoClient @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Self.Output, S.Failure == Failure {
    createPublisher().subscribe(subscriber)
  }

  @_alwaysEmitIntoClient @inline(__always)
  public static var _offer: _Offer { .values }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Self.Output, Target.Failure == Failure {
    guard Target._traits.resolvesPublishers, target._isReady else { return target._subscribe(to: self) }
    return createPublisher()._fuse(into: ResolvedTarget(target))
  }
}
