// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The half of the queued shape that depends only on the type of the outputs: it keeps the held outputs and their
/// order.
///
/// A class of its own, so that this is compiled once for each type of outputs, not for each pipeline.
@usableFromInline
package class HoldingSubscription<Output, Failure: Error>: QueuedSubscription {
  /// A step of the loop that delivers the held outputs.
  @usableFromInline
  internal enum Step {
    case deliver(Output)
    case finish(Subscribers.Completion<Failure>)
    /// Stop; nothing is held any more. The held outputs have been dropped, if downstream has cancelled.
    case end(Outputs<Output>)
    /// Stop until there is demand.
    case wait
  }

  // Guarded by the lock of `state`.

  @exclusivity(unchecked) @usableFromInline internal final var outputs = Outputs<Output>()
  /// The completion, if it is held.
  @exclusivity(unchecked) @usableFromInline internal final var end: Subscribers.Completion<Failure>?
  /// Whether the completion waits for demand, although no output precedes it.
  @exclusivity(unchecked) @usableFromInline internal final var endWaitsForDemand = false

  @inlinable
  internal override init(
    name: String, demand: QueuedDemand, holdsValues: Bool, drain: @escaping (QueuedSubscription) -> Void,
    downstream: SubscriberCalls
  ) {
    super.init(name: name, demand: demand, holdsValues: holdsValues, drain: drain, downstream: downstream)
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.waiting = state.withLock { _ in outputs.count }
  }

  /// Holds outputs and the completion.
  @inlinable @inline(never)
  internal final func add(
    _ added: consuming Outputs<Output>, _ end: Subscribers.Completion<Failure>?, finishWaitsForDemand: Bool,
    failureWaits: Bool
  ) {
    var (added, dropped) = (added, Outputs<Output>())
    state.withLock { state in
      beginHolding(&state)
      if case .failure = end, !failureWaits {
        swap(&outputs, &dropped)
      } else {
        endWaitsForDemand = finishWaitsForDemand && outputs.isEmpty && added.isEmpty
        outputs.append(contentsOf: added.takeAll())
      }
      if let end { self.end = end }
    }
    _ = consume dropped
  }

  /// Holds an output after those that are held.
  @inlinable @inline(never)
  internal final func holdOne(_ output: Output) {
    state.withLock { state in
      beginHolding(&state)
      endWaitsForDemand = false
      outputs.append(output)
    }
  }

  /// Takes the first output back, to change it; the caller holds it again, or another in its place.
  @_alwaysEmitIntoClient
  internal final func takeHeld() -> Output? { state.withLock { _ in outputs.popFirst() } }

  @inlinable @inline(never)
  internal final func nextStep() -> Step {
    state.withLock { state in
      if ledger.isClosed {
        end = nil
        endHolding(&state)
        return .end(outputs.takeAll())
      }
      if !outputs.isEmpty {
        if ledger.takeOne(), let output = outputs.popFirst() {
          return .deliver(output)
        }
        state.isDraining = false
        return .wait
      }
      if endWaitsForDemand, end != nil, ledger.balance == .none {
        state.isDraining = false
        return .wait
      }
      if let completion = end.take() { return .finish(completion) }
      endHolding(&state)
      return .end(Outputs())
    }
  }
}
