// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The transformation of one value: the part of an operator that is particular to it.
///
/// Most operators consist of a stage only. The shapes ``TransparentSubscriber`` and ``ManagedSubscriber`` provide the
/// rest: subscriptions, demand, completions and descriptions. The throwing twin of an operator is the same stage with
/// another ``ErrorChannel``.
///
/// Methods do not mutate, so that a shape never copies its stage for a value. A stage with state is a final class; its
/// state is accessed only while upstream delivers, serially, and so needs neither a lock nor run-time exclusivity
/// checks.
@usableFromInline
package protocol Stage<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype Channel: ErrorChannel

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Decides what to do with one value.
  func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Output, Channel.Downstream>

  /// Converts upstream's completion to the one for downstream.
  func receive(completion: Subscribers.Completion<Channel.Upstream>) -> Subscribers.Completion<Channel.Downstream>

  /// Forwards upstream's subscription to downstream.
  ///
  /// The managed shape does not call this: it delivers a subscription of its own.
  func forward<S: Subscriber>(_ subscription: any Subscription, to downstream: S)

  /// The children that a debugger shows for this stage.
  ///
  /// - Parameter downstream: The subscriber downstream, for stages that show it.
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
  @_alwaysEmitIntoClient
  package func forward<S: Subscriber>(_ subscription: any Subscription, to downstream: S) {
    downstream.receive(subscription: subscription)
  }

  @_alwaysEmitIntoClient
  package func mirrorChildren(downstream: Any) -> [(label: String?, value: Any)] { [] }
}

/// A stage's decision about one value.
@usableFromInline
package enum Verdict<Output, Failure: Error> {
  /// Deliver this value.
  case emit(Output)
  /// Deliver nothing, and request one more value in its place.
  case skip
  /// Deliver nothing, and request nothing in its place.
  case absorb
  /// Complete.
  case finish
  /// Deliver this value, then complete.
  case emitAndFinish(Output)
  /// Fail.
  case fail(Failure)
}
