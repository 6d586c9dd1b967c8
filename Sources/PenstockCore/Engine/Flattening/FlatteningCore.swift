// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A policy that chooses the values that an operator of `flatMap`'s kind turns into inner publishers.
@usableFromInline
package protocol FlatMapPolicy {
  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Whether a value is turned into an inner publisher; otherwise it is ignored.
  ///
  /// - Parameter running: The number of inner publishers that have not ended.
  static func opens(whileRunning running: UInt) -> Bool

  /// The number of values that are requested from upstream at first, for an operator that has no parameter for it.
  static var maxPublishers: Subscribers.Demand { get }

  /// Whether no further publisher is requested while a value waits.
  static var holdsBack: Bool { get }
}

extension FlatMapPolicy {
  @_alwaysEmitIntoClient
  package static func opens(whileRunning running: UInt) -> Bool { true }

  @_alwaysEmitIntoClient
  package static var maxPublishers: Subscribers.Demand { .unlimited }

  @_alwaysEmitIntoClient
  package static var holdsBack: Bool { false }
}

/// The policy of `flatMap`.
@usableFromInline
package enum FlatMapEvery: FlatMapPolicy {
  @_alwaysEmitIntoClient
  package static var name: String { "FlatMap" }
}

/// The core of an operator that turns values into publishers, and republishes the values of several at a time.
@usableFromInline
package protocol FlatteningCore<Output, Failure>: FlatMapSubscription, SerialCore {
  associatedtype Output
  associatedtype Stream: InnerStream

  /// The number of values that are requested from an inner publisher at first, unless unlimited values are.
  var prefetch: Subscribers.Demand { get }

  /// Subscribes to the publisher of upstream's next value, unless the stream is over when it has been made.
  ///
  /// Called where upstream delivers, outside the loop.
  func subscribe<Inner: Publisher>(_ makeInner: () -> Inner) where Inner.Output == Output, Inner.Failure == Failure

  /// Handles a value of an inner stream.
  ///
  /// - Returns: The additional demand for that stream.
  func take(_ input: Output, from stream: Stream) -> Subscribers.Demand

  func endStream(_ completion: Subscribers.Completion<Failure>, of stream: Stream)

  func endUpstream(_ completion: Subscribers.Completion<Failure>)

  /// Finishes if all is over: called outside the loop if upstream has ended while its last value was handled, which has kept
  /// the operator from finishing.
  func settle()
}

extension FlatteningCore {
  @_alwaysEmitIntoClient
  package var prefetch: Subscribers.Demand { .max(1) }
}

/// The signals of the upstream of a ``FlatteningCore``.
@usableFromInline
internal struct FlatMapUpstreamHandler<Input, Inner: Publisher, Core: FlatteningCore, Policy: FlatMapPolicy>:
  FlatteningUpstreamHandler
where Inner.Output == Core.Output, Inner.Failure == Core.Failure {
  @usableFromInline internal typealias Failure = Core.Failure

  @usableFromInline internal let flatMap: Core
  @usableFromInline internal let transform: (Input) -> Inner

  @_alwaysEmitIntoClient
  internal init(_ flatMap: Core, _ policy: Policy.Type, _ transform: @escaping (Input) -> Inner) {
    self.flatMap = flatMap
    self.transform = transform
  }

  @_alwaysEmitIntoClient
  internal var flattening: FlatteningSubscription { flatMap }

  @_alwaysEmitIntoClient
  internal func arrive(_ subscription: any Subscription) {
    flatMap.answers = !flatMap.maxPublishers.isUnlimited && subscription.base is LoopSubscription
    subscription.request(flatMap.maxPublishers)
  }

  /// Subscribes to the inner publisher of a value.
  ///
  /// Outside the loop: an inner publisher that delivers at once does not keep other threads out.
  @_alwaysEmitIntoClient
  internal func takeOutsideLoop(_ input: Input) -> Subscribers.Demand? {
    if !Policy.opens(whileRunning: flatMap.running) { return Subscribers.Demand.none }
    let isOutermost = flatMap.beginHandling()
    flatMap.subscribe { transform(input) }
    if isOutermost {
      flatMap.handling.store(0, ordering: .releasing)
      if flatMap.upstreamSlot.phase == .terminal { flatMap.settle() }
    }
    return flatMap.takeAnswer()
  }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    flatMap.endUpstream(completion)
  }
}

/// The signals of one inner stream of a ``FlatteningCore``.
@usableFromInline
internal struct FlatMapInnerHandler<Core: FlatteningCore>: InletHandler {
  @usableFromInline internal typealias Input = Core.Output
  @usableFromInline internal typealias Failure = Core.Failure

  @usableFromInline internal let flatMap: Core
  @usableFromInline internal let stream: Core.Stream

  @_alwaysEmitIntoClient
  internal init(_ flatMap: Core, _ stream: Core.Stream) {
    self.flatMap = flatMap
    self.stream = stream
  }

  @_alwaysEmitIntoClient
  internal static var takesRuns: Bool { true }

  @_alwaysEmitIntoClient
  internal var core: SerialSubscription { flatMap }

  @_alwaysEmitIntoClient
  internal var inlet: Core.Stream { stream }

  @_alwaysEmitIntoClient
  internal var isActive: Bool { stream.isOpen }

  /// Stores the subscription without entering the loop: the list of streams has a lock of its own.
  @_alwaysEmitIntoClient
  internal func attach(_ subscription: any Subscription) {
    let subscription = subscription.wrapped
    if let demand = flatMap.streams.withLock({ $0.add(subscription, of: stream, atFirst: flatMap.prefetch) }) {
      flatMap.noteUpstream(subscription)
      subscription.request(demand)
    } else {
      subscription.cancel()
    }
  }

  @_alwaysEmitIntoClient
  internal func detach(_ completion: Subscribers.Completion<Failure>) -> Bool {
    flatMap.streams.withLock { $0.remove(stream) } != nil
  }

  @_alwaysEmitIntoClient
  internal func take(_ input: Input) -> Subscribers.Demand {
    flatMap.take(input, from: stream)
  }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    flatMap.endStream(completion, of: stream)
  }
}
