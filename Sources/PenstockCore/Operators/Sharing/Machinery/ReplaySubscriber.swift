// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One upstream subscription of a ``ReplayFanOut``.
@usableFromInline
package final class ReplayUpstream {
  @usableFromInline internal let slot = SubscriptionSlot()
  @usableFromInline internal let number: UInt

  @inlinable
  internal init(number: UInt) { self.number = number }
}

/// The subscriber that feeds upstream's signals into a ``ReplayFanOut``.
///
/// It does not keep the publisher alive; the publisher cancels it.
@usableFromInline
package struct ReplaySubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline internal let fanOut: ReplayFanOut<Input, Failure>
  @usableFromInline internal let line: ReplayUpstream

  @inlinable @inline(__always)
  package init(_ fanOut: ReplayFanOut<Input, Failure>, _ line: ReplayUpstream) {
    self.fanOut = fanOut
    self.line = line
  }

  @inlinable
  package var combineIdentifier: CombineIdentifier { CombineIdentifier(line) }

  @inlinable
  package func receive(subscription: any Subscription) {
    if line.slot.attach(subscription) { subscription.request(.unlimited) }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if line.slot.phase == .active { fanOut.send(input, line: line.number) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if line.slot.finish() { fanOut.send(completion, line: line) }
  }
}

extension ReplaySubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  package var description: String { "ShareReplay" }

  @usableFromInline
  package var customMirror: Mirror { Mirror(self, children: ["upstreamSubscription": line.slot.current as Any]) }

  @usableFromInline
  package var playgroundDescription: Any { description }
}
