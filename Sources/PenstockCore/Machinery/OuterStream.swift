// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What an operator does with the signals of an upstream whose values stand for streams.
@usableFromInline
package protocol OuterFlow<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error

  var core: SerialSubscription { get }
  var inlet: Inlet { get }

  /// What upstream is asked for when its subscription comes.
  var demand: Subscribers.Demand { get }

  /// Subscribes to the stream that a value stands for.
  ///
  /// Not called by the owner of the loop: a stream that delivers at once does not keep other threads out.
  func open(_ input: Input)

  /// Called by the owner of the loop, while the stream is open.
  func end(_ completion: Subscribers.Completion<Failure>)
}

/// The subscriber above `flatMap` and `switchToLatest`.
///
/// It opens streams before it has a subscription, too, as in Combine.
@usableFromInline
package struct OuterStream<Flow: OuterFlow>: SplitOperator {
  @usableFromInline package typealias Input = Flow.Input
  @usableFromInline package typealias Failure = Flow.Failure

  @usableFromInline internal let flow: Flow

  @inlinable @inline(__always)
  package init(_ flow: Flow) { self.flow = flow }

  @inlinable
  package var subscription: SerialSubscription { flow.core }

  @inlinable
  package func receive(subscription: any Subscription) {
    if flow.inlet.slot.attach(subscription) { subscription.request(flow.demand) }
  }

  @inlinable
  package func receive(_ input: Flow.Input) -> Subscribers.Demand {
    // The flow holds the inlet: a reference from there would be counted for a look at it.
    let hasEnded = Unmanaged.passUnretained(flow.inlet)._withUnsafeGuaranteedRef { $0.hasEnded }
    if !hasEnded, !flow.core.isClosed { flow.open(input) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Flow.Failure>) {
    guard flow.inlet.slot.finish() || flow.inlet.slot.cancel(early: true) else { return }
    flow.core.submit { [flow] in flow.end(completion) }
  }
}
