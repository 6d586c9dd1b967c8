// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The core of an operator that divides a stream into parts, each of which has a subscriber of its own.
///
/// One loop serialises everything: upstream, downstream's requests, and the subscribers of all parts. So a rule needs no
/// lock, and two parts never deliver at the same time.
///
/// The stream goes on for the parts that are open when downstream, which gets the parts, has cancelled. It is closed when
/// downstream and all parts are over.
@usableFromInline
package final class SplitCore<Rule: SplitRule>: FanInSubscription, SerialCore {
  @usableFromInline package typealias Part = SplitPart<Rule.Mark, Rule.Value, Rule.Failure>
  @usableFromInline package typealias Handle = SplitHandle<Rule.Mark, Rule.Value, Rule.Failure>
  @usableFromInline package typealias Failure = Rule.Failure

  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let signals = Inlet()
  @usableFromInline internal let rule: Rule
  @usableFromInline internal let limits: SplitLimits

  /// Whether downstream gets nothing more: it has cancelled, or has its completion.
  @usableFromInline internal let isDownstreamOver = AtomicCell(false)

  // Accessed only by the owner of the loop.

  /// What has been requested from upstream and has not arrived.
  @exclusivity(unchecked) @usableFromInline internal var awaited = Subscribers.Demand.none
  /// While a value is being placed: whether it has been requested.
  @exclusivity(unchecked) @usableFromInline internal var placingRequested: Bool?
  /// The parts that downstream has not asked for, the oldest first.
  @exclusivity(unchecked) @usableFromInline internal var unpublished: Deque<Part> = []
  /// How many parts may get values.
  @exclusivity(unchecked) @usableFromInline internal var openCount = 0
  /// How many parts are not over.
  @exclusivity(unchecked) @usableFromInline package var partCount = 0
  /// How many parts hold upstream back.
  @exclusivity(unchecked) @usableFromInline internal var holdingCount = 0
  /// How many parts have a subscriber that takes a number of values, or none yet.
  @exclusivity(unchecked) @usableFromInline internal var limitedCount = 0
  /// How many parts are delivering a value.
  @exclusivity(unchecked) @usableFromInline internal var servingCount = 0
  /// What has to be delivered after the delivery that is running; see ``settle()``.
  @exclusivity(unchecked) @usableFromInline internal var turns: Deque<(part: Part, isForAll: Bool)> = []
  @exclusivity(unchecked) @usableFromInline internal var isSettling = false
  /// The completion that follows the last part.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Rule.Failure>?
  @exclusivity(unchecked) @usableFromInline internal var isPublishing = false
  @exclusivity(unchecked) @usableFromInline internal var upstreamIsOver = false

  @inlinable @inline(__always)
  internal convenience init<Downstream: Subscriber>(
    _ rule: Rule, hasSignals: Bool, to downstream: __owned Downstream
  ) where Downstream.Input == Rule.Outlet, Downstream.Failure == Rule.Failure {
    self.init(rule, hasSignals: hasSignals, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(_ rule: Rule, hasSignals: Bool, downstream: __owned SubscriberCalls) {
    self.rule = rule
    limits = rule.limits
    super.init(
      name: Rule.name, inlets: hasSignals ? [upstream, signals] : [upstream], acceptsZeroDemand: false,
      work: TypedWork(of: SplitCore.self), downstream: downstream)
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.demand = demand
    link.capacity = limits.capacity
  }

  // MARK: Downstream

  @inlinable
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isDownstreamOver.load(ordering: .relaxed) { return }
    demand += more
    if !isPublishing { publish() }
    ask()
  }

  /// Cancels for downstream only; upstream goes on for the parts that are open.
  @usableFromInline
  package override func cancel() {
    noteCancel()
    if isDownstreamOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    submit { self.loseDownstream() }
  }

  @usableFromInline
  internal func loseDownstream() {
    assertOwned()
    dropUnpublished()
    ask()
  }

  @inlinable
  internal func dropUnpublished() {
    let parts = exchange(&unpublished, with: [])
    for part in parts { drop(part) }
    endIfOver()
  }

  /// Delivers the parts that downstream has asked for, and the completion behind the last one.
  ///
  /// - Parameter most: How many of them.
  @inlinable
  internal func publish(_ most: Int = .max) {
    assertOwned()
    if isBusy { return }
    let isNested = exchange(&isPublishing, with: true)
    var count = 0
    while count < most, demand != .none, !isDownstreamOver.load(ordering: .relaxed), let part = unpublished.popFirst() {
      count += 1
      demand -= 1
      part.isPublished = true
      update(part)
      let outlet = rule.makeOutlet(Handle(part, of: self, work: SplitCore.makePartWork()))
      demand += deliver(value: outlet)
      if !isNested {
        isPublishing = false
        settle()
        isPublishing = true
      }
    }
    isPublishing = isNested
    if !isNested, unpublished.isEmpty, let ending { endDownstream(ending) }
  }

  @inlinable
  internal func endDownstream(_ completion: Subscribers.Completion<Rule.Failure>) {
    if isDownstreamOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    noteCompletion()
    deliver(ending: completion)
    endIfOver()
  }

  /// Ends what nobody needs any more.
  @inlinable
  internal func endIfOver() {
    assertOwned()
    guard isDownstreamOver.load(ordering: .relaxed), openCount == 0 else { return }
    if !upstreamIsOver {
      upstreamIsOver = true
      cancelUpstreams()
      _ = rule.end()
    }
    if partCount == 0 { _ = close() }
  }

  // MARK: Upstream

  @inlinable
  internal func begin() {
    assertOwned()
    ask()
  }

  @inlinable
  internal func take(_ input: Rule.Input) -> Subscribers.Demand {
    assertOwned()
    if upstreamIsOver { return .none }
    // Before it is placed, and made up for at once: what is sent from within its delivery has to find itself requested.
    let isRequested = awaited != .none
    if isRequested { awaited -= 1 }
    let outer = exchange(&placingRequested, with: isRequested)
    rule.place(input, in: self)
    placingRequested = outer
    return takeUnmet()
  }

  @inlinable
  internal func take(signal: Rule.Signal) -> Subscribers.Demand {
    assertOwned()
    if !upstreamIsOver { rule.receive(signal: signal, in: self) }
    ask()
    return .none
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Rule.UpstreamFailure>) {
    switch completion {
    case .finished: finish(.finished)
    case .failure(let failure): finish(.failure(Rule.raise(failure)))
    }
  }

  /// Ends all parts, and downstream.
  @inlinable
  package func finish(_ completion: Subscribers.Completion<Rule.Failure>) {
    assertOwned()
    if upstreamIsOver { return }
    upstreamIsOver = true
    cancelUpstreams()
    let open = rule.end()
    var isFailure = false
    if case .failure = completion { isFailure = true }
    if isFailure { dropUnpublished() }
    for part in open { close(part, completion) }
    if isFailure || (unpublished.isEmpty && !isPublishing) {
      endDownstream(completion)
    } else {
      ending = completion
    }
    endIfOver()
  }

  /// Requests what is wanted, as soon as the loop has been left, or the value has been placed.
  @inlinable
  package func ask() {
    assertOwned()
    if placingRequested != nil { return }
    requestLater(takeUnmet(), from: upstream)
  }

  /// What to request from upstream now; the caller requests it.
  @inlinable
  internal func takeUnmet() -> Subscribers.Demand {
    guard awaited != .unlimited, upstream.hasBegun, !upstreamIsOver else { return .none }
    let isOver = isDownstreamOver.load(ordering: .relaxed)
    let wantsParts = demand != .none && !isOver
    var wanted = Subscribers.Demand.unlimited
    if limits.policy != .hold {
      guard wantsParts || openCount > 0 else { return .none }
    } else {
      // Parts that are wanted without limit wait only until the delivery that is running has returned.
      guard holdingCount == 0, !limits.unpublishedHolds || unpublished.isEmpty || demand == .unlimited
      else { return .none }
      guard openCount > 0 || wantsParts || rule.isSkipping else { return .none }
      wanted = limitedCount == 0 && (isOver || demand == .unlimited) ? limits.prefetch : .max(1)
    }
    guard awaited < wanted else { return .none }
    let more = wanted == .unlimited ? wanted : wanted - awaited
    awaited = wanted
    return more
  }
}
