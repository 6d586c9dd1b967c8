// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The core of the steered shape: one upstream that delivers the values, and one that controls them.
///
/// The part that is particular to an operator is its ``SteeredStage``, which is called statically. The demand is
/// counted if outputs are; otherwise it is the demand that came before the main upstream's subscription.
@usableFromInline
package final class SteeredCore<Work: SteeredStage>: FanInSubscription, SerialCore {
  @usableFromInline package typealias Failure = Work.Failure

  @usableFromInline internal let upstream = Inlet()
  @usableFromInline internal let signals = Inlet()

  /// Whether the first signal has arrived, for ``SteeredRules/dropsUntilSignal``.
  @usableFromInline internal let isOpen = AtomicCell(false)
  /// The demand that dropped values use up.
  @usableFromInline internal let ledger = DemandLedger()

  // Accessed only by the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var stage: Work
  /// Whether a method of the stage is running.
  @exclusivity(unchecked) @usableFromInline internal var isDeciding = false
  /// Whether a delivery is running: demand that is added during it is served after it has returned.
  @exclusivity(unchecked) @usableFromInline internal var isDelivering = false
  /// The latest output, if it had no demand.
  @exclusivity(unchecked) @usableFromInline internal var kept: Work.Output?
  /// The number of values that have been requested of the main upstream and have not arrived, for
  /// ``SteeredRules/DemandPolicy/whileUnmet``.
  @exclusivity(unchecked) @usableFromInline internal var awaited = Subscribers.Demand.none
  /// The completion that waits after the kept output.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Work.Failure>?

  @inlinable @inline(never)
  internal convenience init<Downstream: Subscriber>(_ stage: Work, to downstream: __owned Downstream)
  where Downstream.Input == Work.Output, Downstream.Failure == Work.Failure {
    self.init(stage, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(_ stage: Work, downstream: __owned SubscriberCalls) {
    self.stage = stage
    super.init(
      name: Work.name, inlets: [upstream, signals], acceptsZeroDemand: Work.rules.acceptsZeroDemand,
      work: TypedWork(of: SteeredCore.self), downstream: downstream)
  }

  @usableFromInline
  package override var upstreamBase: BaseSubscription? { Work.rules.isCounting ? nil : upstream.slot.base }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { return }
    link.phase = LinkState.Phase(upstream.slot.phase)
    link.upstreams = []
    link.add(upstream.slot.base, role: "values")
    link.add(signals.slot.base, role: "signals")
    if Work.rules.isCounting { link.demand = demand }
    if Work.rules.dropsUntilSignal, !isOpen.load(ordering: .relaxed) { link.wait = .signal }
  }

  @usableFromInline
  package override var exceedsDemand: Bool {
    !Work.rules.isCounting && upstream.slot.exceedsDemand
  }

  /// Whether the stage may call the user's code: only one that refers to an object keeps a closure, or a value with a
  /// `deinit`.
  @_alwaysEmitIntoClient
  internal static var callsOut: Bool { !_isPOD(Work.self) }

  // MARK: The main upstream

  @inlinable
  internal func begin() {
    assertOwned()
    if Work.rules.holdsUpstream {
      requestLater(takeUnmet(), from: upstream)
    } else if Work.rules.isCounting {
      requestLater(.unlimited, from: upstream)
    } else if Work.rules.introducesFirst {
      requestLater(demand, from: upstream)
    }
    if !Work.rules.introducesFirst { deliver(subscription: self) }
  }

  /// Drops a value that arrives before the first signal; called on the thread that delivers it.
  @inlinable
  internal func drop() {
    if !ledger.takeOne(), !exceedsDemand, !isClosed { trap(.unrequestedValue(operator: Work.method)) }
  }

  @inlinable
  internal func take(_ input: Work.Input) -> Subscribers.Demand {
    if Work.rules.isCounting, ending != nil { return .none }
    if let more = Work.deliver(input, to: self) { return more }
    if handlesDiscards.value { noteReplaced() }
    let more = carryOut(decide { $0.receive(input) })
    guard Work.rules.holdsUpstream else { return more }
    if awaited != .unlimited { awaited = .none }
    return takeUnmet()
  }

  /// Returns the demand to request of the main upstream now, one value or all, if it is held; the caller requests it.
  @inlinable
  internal func takeUnmet() -> Subscribers.Demand {
    assertOwned()
    guard awaited == .none, demand != .none, kept == nil, ending == nil else { return .none }
    awaited = demand == .unlimited ? .unlimited : .max(1)
    return awaited
  }

  /// Reports the value that the next one is going to replace.
  @inlinable @inline(never)
  internal func noteReplaced() {
    if let waiting = stage.waiting { noteDiscard(waiting, .replaced) }
  }

  // MARK: The controlling upstream

  @inlinable
  internal func take(signal: Work.Signal) -> Subscribers.Demand {
    if ending != nil { return .none }
    if Work.rules.dropsUntilSignal { isOpen.store(true, ordering: .relaxed) }
    return carryOutForSignals(decide { $0.receive(signal: signal) })
  }

  @inlinable
  internal func endSignals(_ completion: Subscribers.Completion<Work.SignalFailure>) {
    assertOwned()
    if ending != nil { return }
    _ = carryOutForSignals(decide { $0.receive(signalCompletion: completion) })
  }

  @inlinable
  internal func carryOutForSignals(_ verdict: Verdict<Work.Output, Work.Failure>) -> Subscribers.Demand {
    guard case .emit = verdict else { return carryOut(verdict) }
    // The demand that downstream returns is for the main upstream.
    requestLater(carryOut(verdict), from: upstream)
    if Work.rules.holdsUpstream, upstream.hasBegun { requestLater(takeUnmet(), from: upstream) }
    return .none
  }

  // MARK: Decisions

  /// Calls a method of the stage.
  @inlinable @inline(__always)
  internal func decide<Decision>(_ method: (inout Work) -> Decision) -> Decision {
    if MemoryLayout<Work>.size == 0 {
      // The address of a stage without state is that of the object, so the thread sanitizer would take an access to the
      // stage for one to the object.
      var stage = stage
      return method(&stage)
    }
    if Self.callsOut { isDeciding = true }
    let decision = method(&stage)
    if Self.callsOut { isDeciding = false }
    return decision
  }

  // MARK: Outputs

  /// Carries out the stage's decision.
  ///
  /// - Returns: The additional demand for the upstream whose value the decision was about.
  @inlinable
  internal func carryOut(_ verdict: Verdict<Work.Output, Work.Failure>) -> Subscribers.Demand {
    assertOwned()
    // A closure of the user's may have cancelled.
    if Self.callsOut, isClosed { return .none }
    switch verdict {
    case .emit(let output): return emit(output)
    case .skip: return .max(1)
    case .absorb: return .none
    case .emitAndFinish(let output):
      _ = emit(output)
      end(.finished)
    case .finish: end(.finished)
    case .fail(let failure): end(.failure(failure))
    }
    return .none
  }

  @inlinable
  internal func emit(_ output: Work.Output) -> Subscribers.Demand {
    assertOwned()
    guard Work.rules.isCounting else { return deliver(value: output) }
    guard demand != .none, kept == nil else {
      keep(output)
      return .none
    }
    deliverCounted(output)
    if !isDelivering { serve() }
    return .none
  }

  /// Keeps an output without demand, in place of the previous one or joined to it, or drops it.
  @inlinable @inline(never)
  internal func keep(_ output: Work.Output) {
    if Work.rules.holdsUpstream {
      var output = output
      if var earlier = exchange(&kept, with: nil) {
        Work.join(output, to: &earlier)
        output = earlier
      }
      return dispose(of: exchange(&kept, with: output))
    }
    guard Work.rules.demand == .countedKeeping else { return noteDiscard(output, .withoutDemand) }
    if let replaced = exchange(&kept, with: output) { noteDiscard(replaced, .replaced) }
  }

  @inlinable
  internal func deliverCounted(_ output: Work.Output) {
    let isNested = isDelivering
    isDelivering = true
    demand -= 1
    demand += deliver(value: output)
    isDelivering = isNested
  }

  /// Delivers the kept output if there is demand, and then the completion that waits after it.
  @inlinable
  internal func serve() {
    assertOwned()
    while demand != .none, !isClosed, let output = kept.take() { deliverCounted(output) }
    if kept == nil, let ending { finish(ending) }
  }

  @_alwaysEmitIntoClient
  package func add(_ more: Subscribers.Demand) {
    assertOwned()
    if isClosed { return }
    if Work.rules.isCounting {
      demand += more
      if !isDelivering { serve() }
      if Work.rules.holdsUpstream, upstream.hasBegun { requestLater(takeUnmet(), from: upstream) }
    } else {
      if Work.rules.dropsUntilSignal { ledger.add(more) }
      if upstream.hasBegun { forwardLater(more, to: upstream) } else { demand += more }
    }
  }

  // MARK: The end

  /// Completes, as soon as a kept output has been delivered.
  @inlinable
  internal func end(_ completion: Subscribers.Completion<Work.Failure>) {
    if ending != nil { return }
    switch completion {
    case .finished: emitRest()
    case .failure: if Work.rules.holdsUpstream { return finish(completion) }
    }
    if Work.rules.isCounting, kept != nil {
      ending = completion
      cancelUpstreams()
    } else {
      finish(completion)
    }
  }

  /// Emits the output that is left in the stage.
  @inlinable
  internal func emitRest() {
    // Downstream may have cancelled during the previous output, and a closure of the user's during this decision.
    guard let rest = decide({ $0.takeRest() }), !isClosed else { return }
    // Set first, so that nothing that downstream sends when it gets the rest reaches the stage.
    ending = .finished
    cancelUpstreams()
    _ = emit(rest)
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Work.Failure>) {
    guard close() else { return }
    cancelUpstreams()
    // A signal may end the stream before the main upstream has delivered its subscription; downstream gets one in any
    // case.
    if !Work.rules.introducesFirst, !upstream.hasBegun { deliver(subscription: self) }
    deliver(ending: completion)
  }

  @_alwaysEmitIntoClient
  package func discard() {
    assertOwned()
    if let kept = exchange(&kept, with: nil), handlesDiscards.value { Work.noteKept(kept, in: self) }
    if handlesDiscards.value { stage.noteWaiting(in: self) }
    decide { $0.discard() }
  }
}
