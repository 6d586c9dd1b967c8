// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// One upstream subscription of a ``ReplayFanOut``.
@usableFromInline
internal final class ReplayUpstream {
  @usableFromInline internal let slot = SubscriptionSlot()
  /// The number of the subscription.
  @usableFromInline internal let generation: UInt

  @inlinable
  internal init(generation: UInt) { self.generation = generation }
}

/// The subscriber that feeds upstream's signals into a ``ReplayFanOut``.
///
/// It does not keep the publisher alive; the publisher cancels it.
@usableFromInline
internal struct ReplaySubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline internal let fanOut: ReplayFanOut<Input, Failure>
  @usableFromInline internal let upstream: ReplayUpstream

  @inlinable @inline(__always)
  internal init(_ fanOut: ReplayFanOut<Input, Failure>, _ upstream: ReplayUpstream) {
    self.fanOut = fanOut
    self.upstream = upstream
  }

  @inlinable
  internal var combineIdentifier: CombineIdentifier { CombineIdentifier(upstream) }

  @inlinable
  internal func receive(subscription: any Subscription) {
    if upstream.slot.attach(subscription) { subscription.request(.unlimited) }
  }

  @inlinable
  internal func receive(_ input: Input) -> Subscribers.Demand {
    if upstream.slot.phase == .active { fanOut.send(input, generation: upstream.generation) }
    return .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.slot.finish() { fanOut.send(completion, from: upstream) }
  }
}

extension ReplaySubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  internal var description: String { "ShareReplay" }

  @usableFromInline
  internal var customMirror: Mirror { Mirror(self, children: ["upstreamSubscription": upstream.slot.current as Any]) }

  @usableFromInline
  internal var playgroundDescription: Any { description }
}
