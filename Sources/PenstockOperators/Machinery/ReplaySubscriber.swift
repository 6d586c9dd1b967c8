// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The subscriber that feeds upstream's signals into a ``ReplayFanOut``.
///
/// It does not keep the publisher alive; the publisher cancels it.
@usableFromInline
internal struct ReplaySubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline internal let fanOut: ReplayFanOut<Input, Failure>
  @usableFromInline internal let upstream: SharedUpstream

  @inlinable @inline(__always)
  internal init(_ fanOut: ReplayFanOut<Input, Failure>, _ upstream: SharedUpstream) {
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
