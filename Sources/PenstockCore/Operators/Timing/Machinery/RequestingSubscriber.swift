// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The transformation of values in an operator of the requesting shape.
@usableFromInline
package protocol RequestingStage {
  associatedtype Input
  associatedtype Output

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Called when upstream's subscription has arrived.
  func begin()

  func receive(_ input: Input) -> Output
}

extension RequestingStage {
  @inlinable
  package func begin() {}
}

/// The shape of operators that return `.none` for every value, and request downstream's additional demand from upstream
/// after the delivery.
@usableFromInline
package final class RequestingSubscriber<Work: RequestingStage, Downstream: Subscriber>: ManagedSubscription, Subscriber
where Work.Output == Downstream.Input {
  @usableFromInline package typealias Input = Work.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline internal let stage: Work
  @usableFromInline internal let downstream: Downstream

  @inlinable @inline(__always)
  package init(_ stage: Work, to downstream: Downstream) {
    self.stage = stage
    self.downstream = downstream
    super.init(name: Work.name, rules: ManagedRules(acceptsZeroDemand: true))
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard slot.attach(subscription) else { return }
    stage.begin()
    downstream.receive(subscription: self)
  }

  @inlinable
  package func receive(_ input: Work.Input) -> Subscribers.Demand {
    guard slot.phase == .active else { return .none }
    let more = downstream.receive(stage.receive(input))
    if more != .none { slot.request(more) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if slot.finish() { downstream.receive(completion: completion) }
  }
}

extension RequestingSubscriber: LinkSubscriber {}
