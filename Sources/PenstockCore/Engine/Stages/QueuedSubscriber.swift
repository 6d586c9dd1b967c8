// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The shape of operators that never deliver more than was requested, although they may have more outputs than that: a
/// result, or the outputs that are left at the end of a stream.
///
/// Outputs within demand are delivered at once. The others are held until they are requested, and a completion waits
/// until they have been delivered.
///
/// Downstream is embedded: most of these operators have one output, and all are compiled once for each stage.
@usableFromInline
package final class QueuedSubscriber<Work: QueuedStage>: HoldingSubscription<Work.Output, Work.Channel.Downstream>,
  Subscriber
{
  @usableFromInline package typealias Input = Work.Input
  @usableFromInline package typealias Failure = Work.Channel.Upstream

  @usableFromInline internal let stage: Work

  @inlinable @inline(never)
  package convenience init<Downstream: Subscriber>(_ stage: Work, to downstream: Downstream)
  where Downstream.Input == Work.Output, Downstream.Failure == Work.Channel.Downstream {
    self.init(stage, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(_ stage: Work, downstream: SubscriberCalls) {
    self.stage = stage
    super.init(
      name: Work.name, demand: stage.demand, holdsValues: Work.accounting == .holding,
      drain: QueuedSubscriber.makeDrain(), downstream: downstream)
  }

  /// Not forced inline: inlined into `receive(subscriber:)`, such closures have crashed the compiler in release builds.
  @_alwaysEmitIntoClient
  internal static func makeDrain() -> (QueuedSubscription) -> Void {
    { unsafeDowncast($0, to: QueuedSubscriber.self).deliverHeld() }
  }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(subscription: any Subscription) {
    guard slot.attach(subscription) else { return }
    isDelivering = true
    deliver(subscription: self)
    endDelivery()
    if case .unlimited = stage.demand { slot.request(.unlimited) }
  }

  @_alwaysEmitIntoClient
  package func receive(_ input: Work.Input) -> Subscribers.Demand {
    let isOutermost = deliveries.enter("upstream's deliveries")
    defer { deliveries.leave(isOutermost) }
    guard slot.phase == .active else { return .none }
    do throws(Work.Channel.Thrown) {
      switch try decide(input) {
      case .emit(let output):
        // A closure of the stage's may have ended the stream, or cancelled it.
        guard slot.phase == .active else { return .none }
        return answer(stage.demand.answer(deliver(output)))
      case .skip:
        return answer(.max(1))
      case .absorb:
        return answer(.none)
      case .finish:
        if slot.cancel() { finish(.finished) }
        return .none
      case .emitAndFinish(let output):
        if slot.cancel() { finish(.finished, after: output) }
        return .none
      case .fail(let failure):
        if slot.cancel() { finish(with: .failure(failure), after: Outputs()) }
        return .none
      }
    } catch {
      if slot.cancel() { finish(with: .failure(Work.Channel.raise(error)), after: Outputs()) }
      return .none
    }
  }

  /// Calls the stage, and delivers or holds the outputs that precede its decision.
  @inlinable @inline(__always)
  internal func decide(
    _ input: Work.Input
  ) throws(Work.Channel.Thrown) -> Verdict<Work.Output, Work.Channel.Downstream> {
    guard Work.isExpanding else { return try stage.receive(input) }
    var outputs = Outputs<Work.Output>()
    var verdict = try stage.receive(input, into: &outputs)
    // If a closure of the stage's has ended the stream meanwhile, nothing is held after the completion.
    if outputs.isEmpty || slot.phase != .active { return verdict }
    if case .emit(let last) = verdict {
      outputs.append(last)
      verdict = .absorb
    }
    // All outputs go through the queue, even if there is demand: a value that arrives on this thread during the
    // delivery of one of them comes after them.
    hold(outputs, nil)
    return verdict
  }

  /// The demand to return to upstream for a value.
  ///
  /// - Parameter more: The demand if upstream is not asked for one value at a time.
  @inlinable @inline(__always)
  internal func answer(_ more: Subscribers.Demand) -> Subscribers.Demand {
    if case .whileUnmet = stage.demand { return unmetAfterValue() }
    return more
  }

  /// Delivers an output, or holds it.
  ///
  /// - Returns: The demand that downstream has returned.
  @inlinable
  internal func deliver(_ output: Work.Output) -> Subscribers.Demand {
    if Work.accounting == .none { return deliver(value: output) }
    // With unlimited demand nothing has to be held, so that the call needs no mark.
    if Work.accounting != .holding || !isHolding, ledger.isUnlimited {
      return deliver(value: output)
    }
    return deliverCounted(output)
  }

  @inlinable @inline(never)
  internal func deliverCounted(_ output: Work.Output) -> Subscribers.Demand {
    if Work.accounting == .holding, isHolding || !ledger.takeOne() {
      hold(output)
      return .none
    }
    if Work.accounting != .holding, !ledger.takeOne(), Work.accounting == .strict {
      refuse()
      return .none
    }
    let isOutermost = beginDelivery()
    let more = deliver(value: output)
    if more != .none {
      ledger.add(more)
      // Something has been held during the delivery, when there was no demand.
      if isHolding { deliverHeld() }
    }
    if isOutermost { endDelivery() }
    return more
  }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(completion: Subscribers.Completion<Work.Channel.Upstream>) {
    if slot.finish() { return finish(completion) }
    guard Work.forwardsEveryCompletion, !isHolding else { return }
    var dropped = Outputs<Work.Output>()
    deliver(ending: stage.finish(completion, into: &dropped))
  }

  @inlinable
  internal func finish(
    _ completion: Subscribers.Completion<Work.Channel.Upstream>, after output: consuming Work.Output? = nil
  ) {
    var outputs = Outputs<Work.Output>()
    if let output = output.take() { outputs.append(output) }
    let end = stage.finish(completion, into: &outputs)
    finish(with: end, after: outputs)
  }

  /// Delivers the completion at once if nothing has to precede it, and holds it otherwise.
  @inlinable @inline(never)
  internal func finish(
    with end: Subscribers.Completion<Work.Channel.Downstream>, after outputs: consuming Outputs<Work.Output>
  ) {
    let isHeld =
      switch end {
      case .finished: !outputs.isEmpty || Work.finishWaitsForDemand
      case .failure: !outputs.isEmpty && Work.failureWaits
      }
    guard isHeld || isHolding else {
      if !ledger.isClosed { deliver(ending: end) }
      return
    }
    hold(outputs, end)
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if link.phase != .ended { stage.show(in: &link) }
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    stage.mirrorChildren(downstream: underlying as Any, slot: slot)
  }
}

extension QueuedSubscriber {
  /// Its type does not name its downstream, so the code that attaches it says whether the chain is shown to
  /// introspections; see ``Publisher/subscribe(_:upstreamOf:)``.
  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { .first }
}

// MARK: What is held

extension QueuedSubscriber {
  /// Holds an output, and delivers it if there is demand by now.
  @_alwaysEmitIntoClient
  internal func hold(_ output: Work.Output) {
    holdOne(output)
    deliverHeld()
  }

  /// Holds outputs and the completion, and delivers as many as demand allows.
  @_alwaysEmitIntoClient
  internal func hold(
    _ added: consuming Outputs<Work.Output>, _ end: Subscribers.Completion<Work.Channel.Downstream>?
  ) {
    add(added, end, finishWaitsForDemand: Work.finishWaitsForDemand, failureWaits: Work.failureWaits)
    deliverHeld()
  }

  /// Delivers held outputs as far as demand reaches, unless another thread does so, or is in a call of downstream.
  ///
  /// Demand that is added meanwhile, on any thread, is served by this loop: so requests do not nest.
  @inlinable
  internal func deliverHeld() {
    guard beginDraining() else { return }
    while true {
      switch nextStep() {
      case .deliver(let output):
        let more = deliver(value: output)
        guard more != .none, ledger.add(more) != nil else { continue }
        let values = stage.demand.answer(more)
        if values != .none { slot.request(values) }
      case .finish(let completion):
        deliver(ending: completion)
      case .end:
        if case .whileUnmet = stage.demand { requestUnmet() }
        return
      case .wait:
        return
      }
    }
  }
}
