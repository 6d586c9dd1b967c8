// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The shape of operators that keep out of the way: upstream's own subscription goes to downstream.
///
/// It is a subscriber and nothing else, has no state and checks nothing: what comes is passed on. Demand and cancels
/// bypass it, so `print()` below it shows the name of the nearest publisher above that has a subscription of its own.
/// Its stage cannot throw and cannot end the stream.
///
/// A structure, so that a chain of such operators is one value, and one closure's worth of code.
@usableFromInline
package struct Transparent<Work: Stage, Downstream: Subscriber>: Subscriber
where Work.Channel.Thrown == Never, Work.Output == Downstream.Input, Work.Channel.Downstream == Downstream.Failure {
  @usableFromInline package typealias Input = Work.Input
  @usableFromInline package typealias Failure = Work.Channel.Upstream

  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let stage: Work
  @usableFromInline package let combineIdentifier: CombineIdentifier

  @inlinable @inline(__always)
  package init(_ stage: Work, to downstream: Downstream) {
    self.downstream = downstream
    self.stage = stage
    combineIdentifier = CombineIdentifier()
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    stage.pass(subscription, to: downstream)
  }

  @inlinable
  package func receive(_ input: Work.Input) -> Subscribers.Demand {
    switch stage.receive(input) {
    case .emit(let output): downstream.receive(output)
    case .drop: .max(1)
    case .swallow, .finish, .emitAndFinish: .none
    }
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Work.Channel.Upstream>) {
    downstream.receive(completion: stage.receive(completion: completion))
  }
}

extension Transparent: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  package var description: String { Work.name }

  @usableFromInline
  package var customMirror: Mirror { Mirror(self, children: stage.mirrorChildren(downstream: downstream)) }

  @usableFromInline
  package var playgroundDescription: Any { description }
}

extension Transparent: ChainLink {}
