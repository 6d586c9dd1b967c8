// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport

/// A publisher that hands its subscriber over, so that the subscriber that a method such as `sink` attaches can be
/// verified on its own.
struct Handoff<Output, Failure: Error>: Publisher {
  private let subscriber = Locked<AnySubscriber<Output, Failure>?>(nil)

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    self.subscriber.change { $0 = AnySubscriber(subscriber) }
  }

  /// Returns the subscriber that has been attached, with the object that keeps it and the way to cancel it.
  func attached(_ owner: Any, cancel: @escaping () -> Void) -> Attached<Output, Failure> {
    Attached(subscriber: subscriber.change { $0.take() }!, owner: owner, cancel: cancel)
  }

  func attached(_ cancellable: AnyCancellable) -> Attached<Output, Failure> {
    attached(cancellable, cancel: { cancellable.cancel() })
  }
}

/// A subscriber that was attached to a ``Handoff``.
struct Attached<Input, Failure: Error>: Subscriber {
  fileprivate let subscriber: AnySubscriber<Input, Failure>
  fileprivate let owner: Any
  let cancel: () -> Void

  var combineIdentifier: CombineIdentifier { subscriber.combineIdentifier }

  fileprivate init(subscriber: AnySubscriber<Input, Failure>, owner: Any, cancel: @escaping () -> Void) {
    (self.subscriber, self.owner, self.cancel) = (subscriber, owner, cancel)
  }

  func receive(subscription: any Subscription) { subscriber.receive(subscription: subscription) }
  func receive(_ input: Input) -> Subscribers.Demand { subscriber.receive(input) }
  func receive(completion: Subscribers.Completion<Failure>) { subscriber.receive(completion: completion) }
}
