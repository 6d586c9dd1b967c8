// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher with methods to send values and a completion.
///
/// **Concurrency:** any thread may send, even during a delivery of the same subject; see the conforming types for the
/// order that subscribers receive.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  ///
  /// **Concurrency:** if another thread is delivering, a subject of this library queues the value, and the call
  /// returns. In turn, a thread that delivers also delivers what other threads send meanwhile, and returns when nothing
  /// is queued. To keep a thread such as the main thread from that work, put `receive(on:)` between the subject and its
  /// subscribers. The queue has no limit, and no operator bounds it: keep each delivery short, or limit the senders, as
  /// <doc:Contract> describes in rule 4.
  ///
  /// - Parameter value: The value to send.
  func send(_ value: Output)

  /// Sends a completion to the subscribers.
  ///
  /// It ends the subject: later values and completions are ignored.
  ///
  /// - Parameter completion: Whether the subject finishes or fails.
  func send(completion: Subscribers.Completion<Failure>)

  /// Passes the subject the subscription of an upstream publisher that will send into it.
  ///
  /// The subject decides when to request values, and cancels the subscription when it is deallocated.
  ///
  /// - Parameter subscription: The subscription to request values from.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a signal to the subscribers of a subject of type `Void`.
  @inlinable
  public func send() {
    send(())
  }
}
