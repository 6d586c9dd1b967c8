// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What an operator does with one value.
///
/// A stage is all that is particular to most operators. The shapes, ``Transparent`` and ``Managed``, know the rest:
/// subscriptions, demand, completions and texts. The throwing twin of an operator is the same stage over another
/// ``ErrorChannel``.
///
/// Methods do not mutate: a shape never copies its stage for a value. A stage with state is a final class.
@usableFromInline
package protocol Stage<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype Channel: ErrorChannel

  /// What `print()` shows for the operator.
  static var name: String { get }

  /// Judges one value.
  func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Output>

  /// Turns the completion from above into the one below.
  func receive(completion: Subscribers.Completion<Channel.Upstream>) -> Subscribers.Completion<Channel.Downstream>

  /// Hands upstream's subscription to downstream.
  ///
  /// The managed shape does not ask: it hands out one of its own.
  func pass<S: Subscriber>(_ subscription: any Subscription, to downstream: S)

  /// What a debugger shows of this stage.
  ///
  /// - Parameter downstream: The subscriber below, for those that show it.
  func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)]
}

extension Stage where Channel: ForwardingChannel {
  @inlinable
  package func receive(
    completion: Subscribers.Completion<Channel.Upstream>
  ) -> Subscribers.Completion<Channel.Downstream> {
    completion.mapError(Channel.forward)
  }
}

extension Stage {
  @inlinable
  package func pass<S: Subscriber>(_ subscription: any Subscription, to downstream: S) {
    downstream.receive(subscription: subscription)
  }

  @inlinable
  package func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] { [] }
}

/// What becomes of a value.
@usableFromInline
package enum Verdict<Output> {
  /// This goes downstream.
  case emit(Output)
  /// Nothing goes downstream; upstream is asked for one more in its place.
  case drop
  /// Nothing goes downstream, and nothing is asked for in its place.
  case swallow
  /// The stream ends here.
  case finish
  /// This goes downstream, and the stream ends behind it.
  case emitAndFinish(Output)
}
