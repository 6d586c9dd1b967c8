// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The shape of operators that forward upstream's own subscription to downstream.
///
/// It is a subscriber only, without state and without checks: it forwards every signal it receives. Requests and
/// cancels bypass it, so `print()` downstream shows the name of the nearest publisher upstream that has its own
/// subscription. Its stage can neither throw nor end the stream.
///
/// It is a structure, so that a chain of such operators is one value whose code is specialised as a whole.
@usableFromInline
package struct TransparentSubscriber<Work: Stage, Downstream: Subscriber>: Subscriber
where Work.Channel.Thrown == Never, Work.Output == Downstream.Input, Work.Channel.Downstream == Downstream.Failure {
  @usableFromInline package typealias Input = Work.Input
  @usableFromInline package typealias Failure = Work.Channel.Upstream

  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let stage: Work

  @_alwaysEmitIntoClient @inline(__always)
  package init(_ stage: Work, to downstream: Downstream) {
    self.downstream = downstream
    self.stage = stage
  }

  /// Computed: to make one costs an atomic operation, and few are ever asked for.
  @usableFromInline
  package var combineIdentifier: CombineIdentifier { CombineIdentifier(upstreamOf: downstream.combineIdentifier) }

  @_alwaysEmitIntoClient
  package func receive(subscription: any Subscription) {
    stage.forward(subscription, to: downstream)
  }

  @_alwaysEmitIntoClient
  package func receive(_ input: Work.Input) -> Subscribers.Demand {
    switch stage.receive(input) {
    case .emit(let output): downstream.receive(output)
    case .skip: .max(1)
    case .absorb, .finish, .emitAndFinish, .fail: .none
    }
  }

  @_alwaysEmitIntoClient
  package func receive(completion: Subscribers.Completion<Work.Channel.Upstream>) {
    downstream.receive(completion: stage.receive(completion: completion))
  }
}

extension TransparentSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  package var description: String { Work.name }

  @usableFromInline
  package var customMirror: Mirror { Mirror(self, children: stage.mirrorChildren(downstream: downstream)) }

  @usableFromInline
  package var playgroundDescription: Any { description }
}

extension TransparentSubscriber: LinkSubscriber {}
