// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore
public import Synchronization

/// The engine of an operator that divides a stream into parts, each of which has a subscriber of its own.
///
/// One loop serialises everything: upstream, downstream's requests, and the subscribers of all parts. So a rule needs no
/// lock, and two parts never deliver at the same time.
///
/// When downstream, which gets the parts, has cancelled, the stream continues for the parts that are open. It is closed
/// when downstream and all parts have ended.
@usableFromInline
internal struct SplitEngine<Rule: SplitRule>: ~Copyable, FanInEngine {
  @usableFromInline internal typealias Parameter = Rule
  @usableFromInline internal typealias Failure = Rule.Failure

  /// How many parts may get values.
  @usableFromInline internal var openCount = 0
  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let signals: Inlet?
  @usableFromInline internal let rule: Rule
  @usableFromInline internal let limits: SplitLimits

  /// Whether downstream gets nothing more: it has cancelled, or has its completion.
  @usableFromInline internal let isDownstreamOver = AtomicCell(false)

  /// The demand that has been requested from upstream and not been met.
  @usableFromInline internal var awaited = Subscribers.Demand.none
  /// While a value is being placed, whether it has been requested.
  @usableFromInline internal var placingRequested: Bool?
  /// The parts that downstream has not requested, the oldest first.
  @usableFromInline internal var unpublished: Deque<SplitPart<Rule.Mark, Rule.Value, Rule.Failure>> = []
  /// How many parts have not ended.
  @usableFromInline internal var partCount = 0
  /// How many parts hold upstream back.
  @usableFromInline internal var holdingCount = 0
  /// How many parts have a subscriber with limited demand, or no subscriber yet.
  @usableFromInline internal var limitedCount = 0
  /// How many parts are delivering a value.
  @usableFromInline internal var servingCount = 0
  /// What has to be delivered after the running delivery; see ``settle()``.
  @usableFromInline internal var turns: Deque<(part: SplitPart<Rule.Mark, Rule.Value, Rule.Failure>, isForAll: Bool)> =
    []
  @usableFromInline internal var isSettling = false
  /// The completion that follows the last part.
  @usableFromInline internal var ending: Subscribers.Completion<Rule.Failure>?
  @usableFromInline internal var isPublishing = false
  @usableFromInline internal var upstreamIsOver = false

  @inlinable
  internal init(_ rule: Rule, hasSignals: Bool) {
    self.rule = rule
    limits = rule.limits
    signals = hasSignals ? Inlet() : nil
  }

  @inlinable
  internal var inlets: ContiguousArray<Inlet> { signals.map { [upstream, $0] } ?? [upstream] }

  @inlinable
  internal static func add(_ demand: Subscribers.Demand, in shape: SplitSubscriber<Rule>) { shape.serve(demand) }

  /// Cancels for downstream only; upstream continues for the parts that are open.
  @inlinable
  internal static func cancel(in shape: SplitSubscriber<Rule>) {
    if shape.engine.isDownstreamOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    shape.submit { shape.loseDownstream() }
  }

  @usableFromInline
  internal func show(in link: inout LinkState, of shape: SplitSubscriber<Rule>) {
    link.demand = shape.demand
    link.capacity = limits.capacity
  }
}

@usableFromInline
internal typealias SplitSubscriber<Rule: SplitRule> = FanInSubscriber<SplitEngine<Rule>, Rule, Rule.Failure>

/// Called by the owner of the loop.
extension FanInSubscriber where Parameter: SplitRule, Failure == Parameter.Failure, Engine == SplitEngine<Parameter> {
  @usableFromInline internal typealias Part = SplitPart<Parameter.Mark, Parameter.Value, Failure>

  // MARK: Downstream

  @inlinable
  internal func serve(_ more: Subscribers.Demand) {
    if engine.isDownstreamOver.load(ordering: .relaxed) { return }
    demand += more
    if !engine.isPublishing { publish() }
    ask()
  }

  @usableFromInline
  internal func loseDownstream() {
    assertOwned()
    dropUnpublished()
    ask()
  }

  @inlinable
  internal func dropUnpublished() {
    let parts = exchange(&engine.unpublished, with: [])
    for part in parts { drop(part) }
    endIfOver()
  }

  /// Delivers the parts that downstream has requested, and the completion after the last one.
  ///
  /// - Parameter most: The maximum number of them.
  @inlinable
  internal func publish(_ most: Int = .max) {
    assertOwned()
    if isBusy { return }
    let isNested = exchange(&engine.isPublishing, with: true)
    var count = 0
    while count < most, demand != .none, !engine.isDownstreamOver.load(ordering: .relaxed),
      let part = engine.unpublished.popFirst()
    {
      count += 1
      demand -= 1
      part.isPublished = true
      update(part)
      let outlet = engine.rule.makeOutlet(SplitHandle(part, of: self, work: Self.makePartWork()))
      demand += deliver(value: outlet)
      if !isNested {
        engine.isPublishing = false
        settle()
        engine.isPublishing = true
      }
    }
    engine.isPublishing = isNested
    if !isNested, engine.unpublished.isEmpty, let ending = engine.ending { endDownstream(ending) }
  }

  @inlinable
  internal func endDownstream(_ completion: Subscribers.Completion<Failure>) {
    if engine.isDownstreamOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    noteCompletion()
    deliver(ending: completion)
    endIfOver()
  }

  /// Ends what is not needed any more.
  @inlinable
  internal func endIfOver() {
    assertOwned()
    guard engine.isDownstreamOver.load(ordering: .relaxed), engine.openCount == 0 else { return }
    if !engine.upstreamIsOver {
      engine.upstreamIsOver = true
      cancelUpstreams()
      _ = engine.rule.end()
    }
    if engine.partCount == 0 { _ = close() }
  }

  // MARK: Upstream

  @inlinable
  internal func begin() {
    assertOwned()
    ask()
  }

  @inlinable
  internal func take(_ input: Parameter.Input) -> Subscribers.Demand {
    assertOwned()
    if engine.upstreamIsOver { return .none }
    // Counted as arrived before it is placed, and made up for at once: a value that is sent from within its delivery
    // has to have been requested.
    let isRequested = engine.awaited != .none
    if isRequested { engine.awaited -= 1 }
    let outer = exchange(&engine.placingRequested, with: isRequested)
    engine.rule.place(input, in: self)
    engine.placingRequested = outer
    return takeUnmet()
  }

  @inlinable
  internal func take(signal: Parameter.Signal) -> Subscribers.Demand {
    assertOwned()
    if !engine.upstreamIsOver { engine.rule.receive(signal: signal, in: self) }
    ask()
    return .none
  }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Parameter.UpstreamFailure>) {
    switch completion {
    case .finished: endAll(.finished)
    case .failure(let failure): endAll(.failure(Parameter.raise(failure)))
    }
  }

  /// Ends all parts, and downstream.
  @inlinable
  internal func endAll(_ completion: Subscribers.Completion<Failure>) {
    assertOwned()
    if engine.upstreamIsOver { return }
    engine.upstreamIsOver = true
    cancelUpstreams()
    let open = engine.rule.end()
    var isFailure = false
    if case .failure = completion { isFailure = true }
    if isFailure { dropUnpublished() }
    for part in open { close(part, completion) }
    if isFailure || (engine.unpublished.isEmpty && !engine.isPublishing) {
      endDownstream(completion)
    } else {
      engine.ending = completion
    }
    endIfOver()
  }

  /// Requests the values that are wanted, as soon as the loop has been left, or the value has been placed.
  @inlinable
  internal func ask() {
    assertOwned()
    if engine.placingRequested != nil { return }
    requestLater(takeUnmet(), from: engine.upstream)
  }

  /// Returns the demand to request from upstream now; the caller requests it.
  @inlinable
  internal func takeUnmet() -> Subscribers.Demand {
    guard engine.awaited != .unlimited, engine.upstream.hasBegun, !engine.upstreamIsOver else { return .none }
    let isOver = engine.isDownstreamOver.load(ordering: .relaxed)
    let wantsParts = demand != .none && !isOver
    var wanted = Subscribers.Demand.unlimited
    if engine.limits.policy != .hold {
      guard wantsParts || engine.openCount > 0 else { return .none }
    } else {
      // Parts with unlimited demand wait only until the running delivery has returned.
      guard engine.holdingCount == 0,
        !engine.limits.unpublishedHolds || engine.unpublished.isEmpty || demand == .unlimited
      else { return .none }
      guard engine.openCount > 0 || wantsParts || engine.rule.isSkipping else { return .none }
      wanted = engine.limitedCount == 0 && (isOver || demand == .unlimited) ? engine.limits.prefetch : .max(1)
    }
    guard engine.awaited < wanted else { return .none }
    let more = wanted == .unlimited ? wanted : wanted - engine.awaited
    engine.awaited = wanted
    return more
  }
}
