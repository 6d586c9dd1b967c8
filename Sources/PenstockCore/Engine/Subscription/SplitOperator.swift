// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An operator in two halves: a typed subscriber for upstream, and an untyped subscription for downstream.
///
/// From outside the two look like one object, as in Combine: they have one identity and the same descriptions, and a
/// publisher may use the subscriber that it receives as a subscription.
@usableFromInline
package protocol SplitOperator: Subscriber, Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  associatedtype Half: BaseSubscription

  /// The half that downstream gets.
  var subscription: Half { get }
}

extension SplitOperator {
  @usableFromInline
  package var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) { subscription.request(demand) }

  @usableFromInline
  package func cancel() { subscription.cancel() }

  @usableFromInline
  package var description: String { subscription.description }

  @usableFromInline
  package var customMirror: Mirror { Mirror(self, children: subscription.mirrorChildren) }

  @usableFromInline
  package var playgroundDescription: Any { subscription.description }
}
