// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How an operator handles the signals of an upstream whose values are turned into inner publishers.
@usableFromInline
package protocol OuterFlow<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error

  var core: SerialSubscription { get }
  var inlet: Inlet { get }

  /// The demand that is requested when upstream's subscription arrives.
  var demand: Subscribers.Demand { get }

  /// Subscribes to the inner publisher of a value.
  ///
  /// Not called by the owner of the loop: an inner publisher that delivers at once does not keep other threads out.
  func open(_ input: Input)

  /// Handles the completion; called by the owner of the loop, while the stream is open.
  func end(_ completion: Subscribers.Completion<Failure>)
}

/// The subscriber with which `flatMap` and `switchToLatest` receive from upstream.
///
/// It subscribes to inner publishers even before it has a subscription, as in Combine.
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
    // Unretained, since the flow holds the inlet: reading it would count a reference otherwise.
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
