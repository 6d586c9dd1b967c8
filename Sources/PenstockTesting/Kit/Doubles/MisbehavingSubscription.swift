// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What the subscriptions of a misbehaving publisher have in common: its values, and what they share by mistake.
final class MisbehavingPlan<Output, Failure: Error>: @unchecked Sendable {
  let values: [Output]
  let completion: Subscribers.Completion<Failure>
  let misbehavior: Misbehavior?
  let shared = Locked((place: 0, demand: Subscribers.Demand.none, kept: [AnySubscriber<Output, Failure>]()))
  /// Not recursive, and held at the wrong time.
  let wrongLock = Locked(NoState())

  init(_ values: [Output], _ completion: Subscribers.Completion<Failure>, _ misbehavior: Misbehavior?) {
    (self.values, self.completion, self.misbehavior) = (values, completion, misbehavior)
  }

  func does(_ misbehavior: Misbehavior) -> Bool { self.misbehavior == misbehavior }
}

/// A subscription that keeps every rule except one.
final class MisbehavingSubscription<Output, Failure: Error>: Subscription, CustomStringConvertible, @unchecked Sendable
{
  private struct State {
    var downstream: AnySubscriber<Output, Failure>?
    var demand = Subscribers.Demand.none
    var place = 0
    var isBusy = true
    var isReady = false
    var hasDelivered = false
    var cancels = 0
    /// The thread that delivers.
    var deliverer: UInt?
    /// The places whose values are exchanged with the next.
    var swapped: Int?
  }

  private let plan: MisbehavingPlan<Output, Failure>
  private let state: Locked<State>
  /// For a subscription that does not release its subscriber.
  private let kept: AnySubscriber<Output, Failure>
  private let identifier = CombineIdentifier()

  init(_ plan: MisbehavingPlan<Output, Failure>, _ downstream: AnySubscriber<Output, Failure>) {
    self.plan = plan
    if plan.does(.keepsSubscribers) { plan.shared.with { $0.kept.append(downstream) } }
    let keeps: [Misbehavior] = [
      .endsTwice, .valueAfterCompletion, .ignoresCancel, .finishesOnCancel, .endsAfterEarlyCancel, .servesAfterCancel,
      .releasesLate,
    ]
    // The others of these misbehaviors break M-03 as well: they need their subscriber after the end.
    let isKept = plan.misbehavior.map(keeps.contains) ?? false
    kept = isKept ? downstream : AnySubscriber()
    state = Locked(State(downstream: downstream))
  }

  var description: String { "MisbehavingPublisher" }

  var combineIdentifier: CombineIdentifier {
    plan.does(.changesIdentity) ? CombineIdentifier() : identifier
  }

  func begin() {
    guard let downstream = state.value.downstream else { return }
    switch plan.misbehavior {
    case .noSubscription:
      for value in plan.values { _ = downstream.receive(value) }
      return downstream.receive(completion: plan.completion)
    case .earlyValue:
      if let first = plan.values.first { _ = downstream.receive(first) }
      state.with { $0.place = 1 }
    default: break
    }
    downstream.receive(subscription: self)
    if plan.does(.secondSubscription) { downstream.receive(subscription: self) }
    let wasCancelled = state.with { state in
      state.isReady = true
      if plan.does(.dropsUnrequested), state.demand == .none { state.place = plan.values.count / 2 }
      return state.downstream == nil
    }
    if wasCancelled, plan.does(.endsAfterEarlyCancel) { kept.receive(completion: plan.completion) }
    deliver()
  }

  func request(_ demand: Subscribers.Demand) {
    if plan.does(.locksWhileDelivering) { plan.wrongLock.with { _ in } }
    if demand == .none, !plan.does(.startsAtNone) { return }
    if plan.does(.endsTwice), state.with({ $0.downstream == nil && $0.cancels == 0 }) {
      return kept.receive(completion: plan.completion)
    }
    if plan.does(.servesAfterCancel), let value = valueAfterCancel() { return _ = kept.receive(value) }
    let isFree = state.with { state in
      if plan.does(.startsLate), !state.isReady { return false }
      add(demand == .none ? .max(1) : demand, to: &state)
      if plan.does(.recurses) || plan.does(.countsLate), state.deliverer == thisThread() { return true }
      if plan.does(.overlaps), let thread = state.deliverer, thread != thisThread() { return true }
      if plan.does(.overtakes), state.isBusy, state.hasDelivered, state.place + 1 < plan.values.count {
        state.swapped = state.place
      }
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if isFree { deliver() }
  }

  private func valueAfterCancel() -> Output? {
    state.with { state in
      guard state.cancels > 0, state.place < plan.values.count else { return nil }
      defer { state.place += 1 }
      return plan.values[state.place]
    }
  }

  private func add(_ demand: Subscribers.Demand, to state: inout State) {
    if plan.does(.sharesDemand) {
      plan.shared.with { $0.demand += demand }
    } else if plan.does(.replacesDemand) {
      state.demand = demand
    } else if plan.does(.countsUnlimited) {
      let (sum, overflow) = (state.demand.max ?? 0).addingReportingOverflow(demand.max ?? 2)
      state.demand = .max(overflow ? 2 : sum)
    } else {
      state.demand += plan.does(.overflows) ? .unlimited : demand
    }
  }

  func cancel() {
    if plan.does(.locksWhileDelivering) { plan.wrongLock.with { _ in } }
    let (downstream, count) = state.with { state in
      state.cancels += 1
      defer { state.downstream = nil }
      return (state.downstream, state.cancels)
    }
    if plan.does(.trapsAtSecondCancel), count > 1 { mistake("A subscription is cancelled once.") }
    if plan.does(.finishesOnCancel), downstream != nil { kept.receive(completion: .finished) }
  }

  // MARK: Delivering

  private enum Step {
    case value(Output, AnySubscriber<Output, Failure>)
    case end(AnySubscriber<Output, Failure>)
  }

  private func deliver() {
    while let step = state.with({ take(&$0) }) {
      state.with { $0.deliverer = thisThread() }
      switch step {
      case .value(let value, let downstream):
        let more =
          plan.does(.locksWhileDelivering)
          ? plan.wrongLock.with { _ in downstream.receive(value) } : downstream.receive(value)
        state.with { state in
          if plan.does(.countsLate), state.demand > .none { state.demand -= 1 }
          if more > .none, !plan.does(.ignoresReturnedDemand) { add(more, to: &state) }
        }
      case .end(let downstream):
        if plan.does(.swallowsFailure), case .failure = plan.completion { continue }
        downstream.receive(completion: plan.completion)
        if plan.does(.valueAfterCompletion), let value = plan.values.first { _ = kept.receive(value) }
      }
    }
  }

  private func take(_ state: inout State) -> Step? {
    let downstream = plan.does(.ignoresCancel) && state.hasDelivered ? kept : state.downstream
    guard let downstream, state.place <= plan.values.count else {
      (state.isBusy, state.deliverer) = (false, nil)
      return nil
    }
    let place = currentPlace(&state)
    let isOver = place >= plan.values.count
    let hasDemand = plan.does(.sharesDemand) ? plan.shared.value.demand > .none : state.demand > .none
    if isOver || (plan.does(.endsWithDemand) && state.hasDelivered && !hasDemand) {
      if plan.does(.endNeedsDemand), !hasDemand {
        (state.isBusy, state.deliverer) = (false, nil)
        return nil
      }
      (state.downstream, state.place) = (nil, plan.values.count + 1)
      return .end(downstream)
    }
    guard hasDemand else {
      (state.isBusy, state.deliverer) = (false, nil)
      return nil
    }
    if plan.does(.sharesDemand) { plan.shared.with { $0.demand -= 1 } }
    if !plan.does(.countsLate), !plan.does(.sharesDemand) { state.demand -= 1 }
    if plan.does(.sharesPlace) { plan.shared.with { $0.place += 1 } } else { state.place += 1 }
    state.hasDelivered = true
    let isSwapped = state.swapped == place || state.swapped == place - 1
    return .value(plan.values[isSwapped ? (state.swapped == place ? place + 1 : place - 1) : place], downstream)
  }

  private func currentPlace(_ state: inout State) -> Int {
    plan.does(.sharesPlace) ? plan.shared.value.place : state.place
  }
}
