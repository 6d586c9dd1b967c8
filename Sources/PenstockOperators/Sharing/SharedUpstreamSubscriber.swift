// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A fan-out that gets its signals from one ``SharedUpstream`` after another.
@usableFromInline
internal protocol SharedUpstreamTarget<Output, Failure>: AnyObject {
  associatedtype Output
  associatedtype Failure: Error

  /// The text that `print()` prints for the subscriber of the upstream.
  static var subscriberName: String { get }

  /// Handles the subscription of an upstream, which has been stored in its slot.
  func open(_ upstream: SharedUpstream)

  func send(_ value: Output, generation: UInt)

  func send(_ completion: Subscribers.Completion<Failure>, from upstream: SharedUpstream)
}

/// The subscriber that feeds upstream's signals into a fan-out.
///
/// It does not keep the publisher alive; the publisher cancels it.
@usableFromInline
internal struct SharedUpstreamSubscriber<FanOut: SharedUpstreamTarget>: Subscriber {
  @usableFromInline internal typealias Input = FanOut.Output
  @usableFromInline internal typealias Failure = FanOut.Failure

  @usableFromInline internal let fanOut: FanOut
  @usableFromInline internal let upstream: SharedUpstream

  @inlinable @inline(__always)
  internal init(_ fanOut: FanOut, _ upstream: SharedUpstream) {
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

extension SharedUpstreamSubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline
  internal var description: String { FanOut.subscriberName }

  @usableFromInline
  internal var customMirror: Mirror { Mirror(self, children: ["upstreamSubscription": upstream.slot.current as Any]) }

  @usableFromInline
  internal var playgroundDescription: Any { description }
}
