// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What an operator of the asking shape does with a value.
@usableFromInline
package protocol AskingStage {
  associatedtype Input
  associatedtype Output

  /// What `print()` shows for the operator.
  static var name: String { get }

  /// The subscription has come.
  func begin()

  func receive(_ input: Input) -> Output
}

/// The shape of operators that answer every value with `.none`, and ask upstream for what downstream has returned when
/// its delivery is over.
@usableFromInline
package final class Asking<Work: AskingStage, Downstream: Subscriber>: ManagedSubscription, Subscriber
where Work.Output == Downstream.Input {
  @usableFromInline package typealias Input = Work.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline internal let stage: Work
  @usableFromInline internal let downstream: Downstream

  @inlinable @inline(__always)
  package init(_ stage: Work, to downstream: Downstream) {
    self.stage = stage
    self.downstream = downstream
    super.init(name: Work.name, rules: ManagedRules(acceptsNothing: true))
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

extension Asking: ChainLink {}
