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
  @_alwaysEmitIntoClient
  package func begin() {}
}

/// The shape of operators that return `.none` for every value, and request downstream's additional demand from upstream
/// after the delivery.
@usableFromInline
package final class RequestingSubscriber<Work: RequestingStage, Failure: Error>: ManagedSubscription, Subscriber {
  @usableFromInline package typealias Input = Work.Input

  @usableFromInline internal let stage: Work

  @inlinable @inline(never)
  package convenience init<Downstream: Subscriber>(_ stage: Work, to downstream: __owned Downstream)
  where Downstream.Input == Work.Output, Downstream.Failure == Failure {
    self.init(stage, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(_ stage: Work, downstream: __owned SubscriberCalls) {
    self.stage = stage
    super.init(name: Work.name, rules: ManagedRules(acceptsZeroDemand: true), downstream: downstream)
  }

  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { .first }

  @_alwaysEmitIntoClient
  package func receive(subscription: any Subscription) {
    guard slot.attach(subscription) else { return }
    stage.begin()
    deliver(subscription: self)
  }

  @_alwaysEmitIntoClient
  package func receive(_ input: Work.Input) -> Subscribers.Demand {
    guard slot.phase == .active else { return .none }
    let more = deliver(value: stage.receive(input))
    if more != .none { slot.request(more) }
    return .none
  }

  @_alwaysEmitIntoClient
  package func receive(completion: Subscribers.Completion<Failure>) {
    if slot.finish() { deliver(ending: completion) }
  }
}
