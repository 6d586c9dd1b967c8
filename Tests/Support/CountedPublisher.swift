// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher that counts, from any thread, how often it is subscribed to and cancelled.
///
/// `@unchecked`: apart from a subject, all of its state is behind a lock.
public final class CountedPublisher<Output, Failure: Error>: Publisher, @unchecked Sendable {
  public let subject = PassthroughSubject<Output, Failure>()
  public let subscribed = Locked(0)
  public let cancelled = Locked(0)

  public init() {}

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subject.handleEvents(receiveCancel: { self.cancelled.change { $0 += 1 } }).subscribe(subscriber)
    // Counted after the subscription: code that waits for a subscriber wants to send to it, and values that it has not
    // requested by then would be dropped.
    subscribed.change { $0 += 1 }
  }
}
