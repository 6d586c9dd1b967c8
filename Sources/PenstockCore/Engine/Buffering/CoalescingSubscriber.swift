// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// A stage that makes one output of the values that arrive while none is requested.
@usableFromInline
package protocol CoalescingStage<Input, Output> {
  associatedtype Input
  associatedtype Output

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Whether ``begin(_:)`` calls the user's code.
  static var beginsByCalling: Bool { get }

  /// Returns the output for a value that arrives while no output waits.
  func begin(_ input: Input) -> Output

  /// Adds a value to the output that waits.
  func merge(_ input: Input, into output: inout Output)
}

/// The shape of operators that keep one output without demand, and merge into it the values that arrive meanwhile.
///
/// Upstream's thread alone merges: it takes the output out of the place where requests find it, calls the user's code
/// without a lock, and puts it back. A request on another thread finds the place empty meanwhile; its demand is served
/// when the output is back.
@usableFromInline
package final class CoalescingSubscriber<Work: CoalescingStage, Failure: Error>: HoldingSubscription<
  Work.Output, Failure
>, Subscriber
{
  @usableFromInline package typealias Input = Work.Input

  @usableFromInline internal let stage: Work

  // These belong to upstream's deliveries.

  /// Whether the user's code is making an output: what that code sends upstream is handled afterwards.
  @exclusivity(unchecked) @usableFromInline internal var isMerging = false
  /// The values that have arrived meanwhile, on the same thread.
  @exclusivity(unchecked) @usableFromInline internal var late = Deque<Input>()
  @exclusivity(unchecked) @usableFromInline internal var lateEnd: Subscribers.Completion<Failure>?

  @inlinable @inline(never)
  package convenience init<Downstream: Subscriber>(_ stage: Work, to downstream: __owned Downstream)
  where Downstream.Input == Work.Output, Downstream.Failure == Failure {
    self.init(stage, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(_ stage: Work, downstream: __owned SubscriberCalls) {
    self.stage = stage
    super.init(
      name: Work.name, demand: .unlimited, holdsValues: true, drain: CoalescingSubscriber.makeDrain(),
      downstream: downstream)
  }

  /// Not forced inline: inlined into `receive(subscriber:)`, such closures have crashed the compiler in release builds.
  @_alwaysEmitIntoClient
  internal static func makeDrain() -> (QueuedSubscription) -> Void {
    { unsafeDowncast($0, to: CoalescingSubscriber.self).deliverHeld() }
  }

  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { .first }

  // MARK: Signals from upstream

  @_alwaysEmitIntoClient @inline(never)
  package func receive(subscription: any Subscription) {
    guard slot.attach(subscription) else { return }
    isDelivering = true
    deliver(subscription: self)
    endDelivery()
    slot.request(.unlimited)
  }

  @_alwaysEmitIntoClient
  package func receive(_ input: Input) -> Subscribers.Demand {
    let isOutermost = deliveries.enter("upstream's deliveries")
    defer { deliveries.leave(isOutermost) }
    guard slot.phase == .active else { return .none }
    // Without a held output there is no other thread to wait for: any delivery that is running has come from here.
    if ledger.isUnlimited, !isHolding, !isMerging {
      if Work.beginsByCalling { takeCalling(input) } else { _ = deliver(value: stage.begin(input)) }
    } else {
      take(input)
    }
    return .none
  }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard slot.finish() else { return }
    if isMerging { lateEnd = completion } else { end(completion) }
  }

  // MARK: Outputs

  /// Handles a value that can be delivered at once, unless the user's code that makes an output of it cancels.
  @inlinable @inline(__always)
  internal func takeCalling(_ input: Input) {
    let output = begin(input)
    if !ledger.isClosed { _ = deliver(value: output) }
    takeLate()
  }

  /// Handles a value that perhaps cannot be delivered at once.
  @inlinable @inline(never)
  internal func take(_ input: Input) {
    if isMerging { return late.append(input) }
    if !isHolding, ledger.takeOne() {
      let output = begin(input)
      if ledger.isClosed { return takeLate() }
      let isOutermost = beginDelivery()
      let more = deliver(value: output)
      if more != .none {
        ledger.add(more)
        // Something has been held during the delivery, when there was no demand.
        if isHolding { deliverHeld() }
      }
      if isOutermost { endDelivery() }
    } else {
      holdOne(merged(input))
      // A request raises the ledger before it takes the lock to look for an output, so one of the two threads sees both.
      if ledger.balance != .none || ledger.isClosed { deliverHeld() }
    }
    takeLate()
  }

  /// The output of a value, together with what waits.
  @inlinable
  internal func merged(_ input: Input) -> Work.Output {
    guard var output = takeHeld() else { return begin(input) }
    isMerging = true
    stage.merge(input, into: &output)
    isMerging = false
    return output
  }

  @_alwaysEmitIntoClient
  internal func begin(_ input: Input) -> Work.Output {
    isMerging = true
    let output = stage.begin(input)
    isMerging = false
    return output
  }

  /// Handles what the user's code has sent while it made an output.
  @inlinable
  internal func takeLate() {
    if late.isEmpty, lateEnd == nil { return }
    while let input = late.popFirst() { take(input) }
    if let completion = lateEnd.take() { end(completion) }
  }

  /// Delivers the completion, after the output that waits.
  @inlinable @inline(never)
  internal func end(_ completion: Subscribers.Completion<Failure>) {
    guard isHolding else {
      if !ledger.isClosed { deliver(ending: completion) }
      return
    }
    add(Outputs(), completion, finishWaitsForDemand: false, failureWaits: true)
    deliverHeld()
  }

  /// Delivers the output that waits, if there is demand, unless another thread does so, or is in a call of downstream.
  @inlinable
  internal func deliverHeld() {
    guard beginDraining() else { return }
    while true {
      switch nextStep() {
      case .deliver(let output):
        let more = deliver(value: output)
        if more != .none { ledger.add(more) }
      case .finish(let completion):
        deliver(ending: completion)
      case .end(var rest):
        while let output = rest.popFirst() { noteDiscard(output, .ended) }
        return
      case .wait:
        return
      }
    }
  }
}

extension Publisher {
  /// A publisher of the outputs of a stage that merges what arrives while none is requested.
  @inlinable
  package func coalesced<Work: CoalescingStage>(by stage: Work) -> Publishers.Lifted<Work.Output, Failure>
  where Work.Input == Output { Publishers.Lifted(CoalescingPublisher(upstream: self, stage: stage)) }
}

/// A publisher that merges what arrives while nothing is requested.
@usableFromInline
internal struct CoalescingPublisher<Upstream: Publisher, Work: CoalescingStage>: PortedPublisher
where Work.Input == Upstream.Output {
  @usableFromInline internal typealias Output = Work.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let stage: Work

  @_alwaysEmitIntoClient
  internal init(upstream: Upstream, stage: Work) {
    self.upstream = upstream
    self.stage = stage
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    upstream.subscribe(CoalescingSubscriber<Work, Failure>(stage, to: subscriber), upstreamOf: S.self)
  }
}
