// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that code outside of it can send values into.
///
/// **Concurrency:** any thread may send, also from inside a delivery of the same subject; see the conforming types for
/// the order that subscribers see.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  ///
  /// **Concurrency:** a subject of the library's that another thread is delivering for queues the value, and returns. The
  /// other way round, a thread that delivers also delivers what others send meanwhile, and returns when nothing is queued:
  /// a thread that must not be held up, such as the main thread, is relieved by `receive(on:)` between the subject and its
  /// subscribers, and a queue that would grow by a bounded form, such as a `buffer` or a current value.
  ///
  /// - Parameter value: The value to send.
  func send(_ value: Output)

  /// Sends a completion to the subscribers.
  ///
  /// It is the last thing they get: what is sent afterwards is ignored.
  ///
  /// - Parameter completion: Whether the stream ends by itself or with an error.
  func send(completion: Subscribers.Completion<Failure>)

  /// Hands the subject the subscription of an upstream publisher that will send into it.
  ///
  /// The subject decides when to ask for values, and cancels the subscription when it is freed.
  ///
  /// - Parameter subscription: The subscription to ask for values.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a signal to the subscribers of a subject whose values carry no information.
  @inlinable
  public func send() {
    send(())
  }
}
