// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The subscriber that feeds upstream's signals into a ``ShareFanOut``.
///
/// It does not keep the publisher alive; the publisher cancels it.
@usableFromInline
internal struct ShareSubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline internal let fanOut: ShareFanOut<Input, Failure>
  @usableFromInline internal let upstream: SharedUpstream

  @inlinable @inline(__always)
  internal init(_ fanOut: ShareFanOut<Input, Failure>, _ upstream: SharedUpstream) {
    self.fanOut = fanOut
    self.upstream = upstream
  }

  @inlinable
  internal var combineIdentifier: CombineIdentifier { CombineIdentifier(upstream) }

  @inlinable
  internal func receive(subscription: any Subscription) {
    if upstream.slot.attach(subscription) { fanOut.open(upstream) }
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

extension ShareSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  internal var description: String { "ShareBuffered" }

  @usableFromInline
  internal var customMirror: Mirror { Mirror(self, children: ["upstreamSubscription": upstream.slot.current as Any]) }

  @usableFromInline
  internal var playgroundDescription: Any { description }
}
