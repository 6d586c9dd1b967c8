// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscriptions of the upstreams, and the transition from one upstream to the next.
extension SequentialSubscription {
  /// Stores the subscription of an upstream that was awaited, and cancels any other.
  ///
  /// The outstanding demand is requested from a successor.
  ///
  /// - Parameter isReplacement: Whether a ``ReplacementSubscriber`` received it.
  /// - Returns: For the first upstream, the demand that was requested before its subscription. The caller then delivers
  ///   downstream its subscription, and calls ``deliverHeldSignals(afterIntroduction:)``.
  @usableFromInline
  internal final func attach(_ subscription: any Subscription, isReplacement: Bool = false) -> Subscribers.Demand? {
    let thread = currentThread()
    let (isTaken, isFirst, holder) = state.withLock { state -> (Bool, Bool, UInt) in
      guard state.phase == .awaiting, !traits.isStrict || state.hasStarted == isReplacement else {
        return (false, false, 0)
      }
      state.phase = .arriving
      let isFirst = !state.hasStarted
      state.hasStarted = true
      if isFirst {
        // A completion during downstream's first request starts the next upstream there, not when all calls have ended.
        state.isSubscribing = false
        state.introducer = thread
        publishHolder(state)
      }
      return (true, isFirst, state.holder)
    }
    guard isTaken else {
      subscription.cancel()
      return nil
    }
    if subscription.mayExceedDemand { state.withLock { $0.isUncounted = true } }
    // No request can have reached this upstream yet, so no delivery reads this.
    unheldMode = isLast ? .passing : .counting
    // The first upstream itself ensures that its deliveries do not overlap with its introduction. An upstream that
    // delivers only where it is requested cannot interfere either: meanwhile no other thread requests from it.
    let isOpen =
      holder == 0 || isFirst || (holder == thread && subscription.base?.deliversWhereAsked ?? false)
    let mode = isOpen ? unheldMode : .held
    if isReplacement { replacementMode = mode } else { self.mode = mode }
    let wrapped = subscription.wrapped
    let owed = state.withLock { state -> Subscribers.Demand? in
      guard state.phase == .arriving else { return nil }
      state.phase = .active
      state.upstream = wrapped
      return ledger.balance
    }
    guard let owed else {
      subscription.cancel()
      if isFirst { deliverHeldSignals(afterIntroduction: true) }
      return nil
    }
    if isFirst { return owed }
    noteUpstream(wrapped)
    if owed != .none { subscription.request(owed) }
    return nil
  }

  /// Releases an upstream that has completed.
  ///
  /// - Returns: Whether there is no successor yet; `nil` if it was not the current upstream.
  @usableFromInline
  internal final func detach() -> Bool? {
    var upstream: BaseSubscription?
    let isLast = state.withLock { state -> Bool? in
      switch state.phase {
      case .active: break
      case .awaiting where traits.isEndless: break
      case .awaiting, .arriving, .ended: return nil
      }
      state.phase = .awaiting
      upstream = state.upstream.take()
      // This demand is in the ledger, and is requested from the successor with the rest of the outstanding demand.
      state.asked = nil
      if isDelivering { holdDelivery(&state) }
      return state.successors.isEmpty
    }
    if upstream?.mayExceedDemand ?? false { state.withLock { $0.isUncounted = true } }
    // Freed only here, outside of the lock.
    _ = consume upstream
    guard let isLast else { return nil }
    mode = .closed
    completedUpstreams &+= 1
    return isLast
  }

  /// Adds publishers before the other successors, and subscribes to the first one of all.
  ///
  /// If a thread is subscribing already, that thread continues: so publishers that end synchronously are processed in a
  /// loop.
  ///
  /// - Returns: Whether an upstream is awaited.
  @discardableResult @usableFromInline
  internal final func startNext(_ first: Start? = nil, before second: Start? = nil) -> Bool {
    let (isAwaited, mustRun) = state.withLock { state -> (Bool, Bool) in
      guard state.phase == .awaiting else { return (false, false) }
      if let second { state.successors.append(second) }
      if let first { state.successors.append(first) }
      state.mustSubscribe = true
      if state.isSubscribing { return (true, false) }
      state.isSubscribing = true
      return (true, true)
    }
    if mustRun { subscribeToSuccessors() }
    return isAwaited
  }

  /// Subscribes to one successor after the other, as long as they end synchronously.
  ///
  /// - Parameter first: Whether the caller is subscribing to the first upstream. Once its subscription has arrived,
  ///   others continue.
  @usableFromInline
  internal final func subscribeToSuccessors(ofFirst first: Bool = false) {
    while let (start, isLast) = next(ofFirst: first) {
      self.isLast = isLast
      start.perform(self)
    }
  }

  private func next(ofFirst first: Bool) -> (Start, isLast: Bool)? {
    state.withLock { state in
      if first, state.hasStarted { return nil }
      guard state.mustSubscribe, state.phase == .awaiting, let start = state.successors.popLast() else {
        state.mustSubscribe = false
        state.isSubscribing = false
        return nil
      }
      state.mustSubscribe = false
      return (start, state.successors.isEmpty && !traits.isEndless)
    }
  }

  /// Called for a failure of an upstream that is not the current one.
  @usableFromInline
  internal func refuseFailure() {
    let (isOver, isEarly) = state.withLock { ($0.phase == .ended, !$0.hasStarted) }
    if isOver { return }
    trap(isEarly ? .beforeSubscription(operator: name, signal: "a failure") : .secondFailure(operator: name))
  }
}
