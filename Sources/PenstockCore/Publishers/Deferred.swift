// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that is made anew for each subscriber.
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
/// Around a ``Future``, it puts the work off until somebody subscribes, and repeats it for each subscriber.
///
/// **Demand:** the subscriber is handed to the publisher made for it; nothing stands between the two.
///
/// **Completion:** that of the publisher made.
///
/// **Failure:** that of the publisher made.
///
/// **Concurrency:** the closure runs once a subscription, on the thread that subscribes, before anything else.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure

  /// The closure that makes a publisher for a subscriber.
  public let createPublisher: () -> DeferredPublisher

  /// Makes a publisher that is made anew for each subscriber.
  ///
  /// - Parameter createPublisher: Makes a publisher for a subscriber.
  @inlinable
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    createPublisher().subscribe(subscriber)
  }
}
