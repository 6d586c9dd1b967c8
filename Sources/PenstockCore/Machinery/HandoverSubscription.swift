// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The part of the handover shape that depends on no type: the subscription that downstream gets, the demand that goes
/// from one upstream to the next, and the loop that subscribes to them.
///
/// Demand enters the ledger in the same step that looks for the current upstream, and what is outstanding is read in the
/// same step that makes an upstream the current one. So each request reaches a successor once: with what that is asked
/// for when it arrives, or afterwards.
@usableFromInline
package class HandoverSubscription: CoreSubscription {
  /// Subscribes to a publisher, with the operator it is given as subscriber.
  ///
  /// Made where the types are known.
  @usableFromInline package typealias Start = (HandoverSubscription) -> Void

  @usableFromInline
  internal enum Phase: Sendable {
    /// There is no upstream: before the first, and from one to the next.
    case awaiting
    /// A successor's subscription is here, but downstream's demand does not go there yet.
    case arriving
    /// Requests go to the current upstream.
    case active
    /// The stream is over.
    case ended
  }

  /// What happens to a value.
  @usableFromInline
  internal enum Mode: Sendable {
    /// It comes from nowhere: no upstream has been subscribed to, or the last one is over.
    case closed
    /// It is debited, since there may be a successor.
    case counting
    /// It goes through, from an upstream that will have no successor.
    case passing
    /// An upstream that does not tell when its deliveries have ended is delivering, and downstream has to know.
    case tracking
  }

  @usableFromInline
  internal struct State {
    @usableFromInline internal var phase = Phase.awaiting
    @usableFromInline internal var hasStarted = false
    @usableFromInline internal var upstream: (any Subscription)?

    /// The publishers to come; the last one is the next.
    @usableFromInline internal var line: [Start]
    /// Whether a thread is subscribing to publishers of the line, as whoever made the operator does at first.
    @usableFromInline internal var isSwitching = true
    /// Whether the next one of the line is to be subscribed to.
    @usableFromInline internal var mustSwitch = false

    @usableFromInline internal var observer: (any IdleObserver)?
    /// The number of upstreams that have promised to tell of the end of their deliveries, and have not told.
    @usableFromInline internal var promised = 0
    /// The number of deliveries that are running in ``Mode/tracking``.
    @usableFromInline internal var running = 0

    @inlinable
    internal init(line: [Start]) { self.line = line }

    /// The observer, once nothing can be delivered any more.
    mutating func takeObserverIfIdle() -> (any IdleObserver)? {
      phase == .ended && promised == 0 && running == 0 ? observer.take() : nil
    }
  }

  @usableFromInline package let ledger = DemandLedger()
  @usableFromInline internal let state: Guarded<State>
  @usableFromInline internal let name: String
  @usableFromInline internal let rules: HandoverRules

  /// Wraps the operator, for a publisher that is to see it wrapped; `nil` if nobody joins it.
  ///
  /// Made where the types are known, so that values pass specialised code.
  @usableFromInline internal let erase: ((HandoverSubscription) -> ErasedSubscriber)?

  // The rest belongs to upstream's deliveries, which are serial, across the upstreams too.

  @exclusivity(unchecked) @usableFromInline internal var mode = Mode.closed
  /// The mode of an upstream that has a subscriber of its own; see ``HandoverSuccessor``.
  @exclusivity(unchecked) @usableFromInline internal var successorMode = Mode.closed
  /// Whether the current upstream is the last.
  @exclusivity(unchecked) @usableFromInline internal var isLast = false
  /// The number of upstreams that are over.
  @exclusivity(unchecked) @usableFromInline internal var handovers: UInt = 0

  @inlinable
  internal init(
    name: String, rules: HandoverRules, line: [Start], erase: ((HandoverSubscription) -> ErasedSubscriber)?
  ) {
    self.name = name
    self.rules = rules
    self.erase = erase
    state = Guarded(State(line: line))
  }

  // MARK: The subscription

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if !rules.acceptsNothing, demand == .none { trap(.requestedNothing) }
    let (isEarly, upstream) = state.withLock { state -> (Bool, (any Subscription)?) in
      if rules.isStrict, !state.hasStarted { return (true, nil) }
      return (false, ledger.add(demand) == nil ? nil : state.upstream)
    }
    if isEarly { trap(.beforeSubscription(operator: name, signal: "a request")) }
    upstream?.request(demand)
  }

  @usableFromInline
  package final override func cancel() {
    if rules.isStrict, !state.withLock({ $0.hasStarted }) { return }
    end()?.upstream?.cancel()
    settle()
  }

  /// Ends the stream, and frees what is left of the line.
  ///
  /// - Returns: What upstream left, unless the stream was over.
  @usableFromInline
  internal final func end() -> Ended? {
    var line: [Start] = []
    var upstream: (any Subscription)?
    let ended = state.withLock { state -> Bool in
      guard state.phase != .ended else { return false }
      state.phase = .ended
      _ = ledger.close()
      swap(&line, &state.line)
      upstream = state.upstream.take()
      return true
    }
    // The line is freed here, outside of the lock.
    return ended ? Ended(upstream: upstream) : nil
  }

  /// What a stream leaves when it ends.
  @usableFromInline
  internal struct Ended {
    internal let upstream: (any Subscription)?
  }

  // MARK: Subscriptions from above

  /// Takes the subscription of an upstream that was awaited, and cancels any other.
  ///
  /// A successor is asked for what is outstanding.
  ///
  /// - Parameter toSuccessor: Whether it came to a ``HandoverSuccessor``.
  /// - Returns: For the first one, what has been asked for before it came. Downstream is to be given its subscription.
  @usableFromInline
  internal final func attach(_ subscription: any Subscription, toSuccessor: Bool = false) -> Subscribers.Demand? {
    let (isTaken, isFirst, isObserved) = state.withLock { state -> (Bool, Bool, Bool) in
      guard state.phase == .awaiting, !rules.isStrict || state.hasStarted == toSuccessor else {
        return (false, false, false)
      }
      state.phase = .arriving
      defer { state.hasStarted = true }
      // What ends inside of downstream's first request is followed there, not when everybody has returned.
      if !state.hasStarted { state.isSwitching = false }
      // Until it is known, the promise counts as given: so nobody below is told too early.
      if state.observer != nil { state.promised += 1 }
      return (true, !state.hasStarted, state.observer != nil)
    }
    guard isTaken else {
      subscription.cancel()
      return nil
    }
    var isTracked = false
    if isObserved, !(subscription.core?.observeIdle(self) ?? false) {
      isTracked = true
      deliveriesEnded()
    }
    // No request can have reached this upstream yet, so no delivery reads this.
    let mode = isTracked ? Mode.tracking : isLast ? .passing : .counting
    if toSuccessor { successorMode = mode } else { self.mode = mode }
    let owed = state.withLock { state -> Subscribers.Demand? in
      guard state.phase == .arriving else { return nil }
      state.phase = .active
      state.upstream = subscription
      return ledger.balance
    }
    guard let owed else {
      subscription.cancel()
      return nil
    }
    if isFirst { return owed }
    if owed != .none { subscription.request(owed) }
    return nil
  }

  /// Lets go of an upstream that is over.
  ///
  /// - Returns: Whether it was the current one, and whether nobody waits in the line; `nil` for one that is not.
  @usableFromInline
  internal final func detach() -> Bool? {
    var upstream: (any Subscription)?
    let isLast = state.withLock { state -> Bool? in
      switch state.phase {
      case .active: break
      case .awaiting where rules.isEndless: break
      case .awaiting, .arriving, .ended: return nil
      }
      state.phase = .awaiting
      upstream = state.upstream.take()
      return state.line.isEmpty
    }
    // Freed only here, outside of the lock.
    _ = consume upstream
    guard let isLast else { return nil }
    mode = .closed
    handovers &+= 1
    return isLast
  }

  // MARK: From one upstream to the next

  /// Puts publishers at the head of the line, the last one first, and subscribes to the next one.
  ///
  /// Where a thread is subscribing already, that one goes on: publishers that end at once are worked off in a loop.
  ///
  /// - Returns: Whether an upstream is awaited.
  @discardableResult @usableFromInline
  internal final func advance(_ starts: [Start] = []) -> Bool {
    let (isAwaited, mustRun) = state.withLock { state -> (Bool, Bool) in
      guard state.phase == .awaiting else { return (false, false) }
      state.line += starts
      state.mustSwitch = true
      if state.isSwitching { return (true, false) }
      state.isSwitching = true
      return (true, true)
    }
    if mustRun { workOff() }
    return isAwaited
  }

  /// Subscribes to one publisher of the line after the other, for as long as they end.
  ///
  /// - Parameter first: Whether it is about the first upstream. Once that is there, others do the rest.
  @usableFromInline
  internal final func workOff(toFirst first: Bool = false) {
    while let (start, isLast) = next(toFirst: first) {
      self.isLast = isLast
      start(self)
    }
  }

  private func next(toFirst first: Bool) -> (Start, isLast: Bool)? {
    state.withLock { state in
      if first, state.hasStarted { return nil }
      guard state.mustSwitch, state.phase == .awaiting, let start = state.line.popLast() else {
        state.mustSwitch = false
        state.isSwitching = false
        return nil
      }
      state.mustSwitch = false
      return (start, state.line.isEmpty && !rules.isEndless)
    }
  }

  // MARK: Values

  /// Does with the demand that downstream returned for a value what has become possible.
  ///
  /// - Parameter handovers: The number of upstreams that were over before the value went down.
  /// - Returns: The demand to return to the upstream that the value came from.
  @usableFromInline
  internal final func answer(_ more: Subscribers.Demand, handovers before: UInt) -> Subscribers.Demand {
    // That upstream ended inside of the delivery: the demand is for the one that is there now, or comes next.
    if rules.isEndless || handovers != before {
      request(more)
      return .none
    }
    if !isLast { ledger.add(more) }
    return more
  }

  /// - Returns: Whether a value may go down; ``endDelivery()`` has to be called then.
  @usableFromInline
  internal final func beginDelivery() -> Bool {
    state.withLock { state in
      guard state.phase != .ended else { return false }
      state.running += 1
      return true
    }
  }

  @usableFromInline
  internal final func endDelivery() {
    let observer = state.withLock { state in
      state.running -= 1
      return state.takeObserverIfIdle()
    }
    observer?.deliveriesEnded()
  }

  // MARK: Telling when deliveries have ended

  /// Promises what the first upstream promises.
  ///
  /// Successors are asked when they arrive; the deliveries of one that promises nothing are counted.
  @usableFromInline
  package final override func observeIdle(_ observer: any IdleObserver) -> Bool {
    let upstream = state.withLock { state -> CoreSubscription? in
      guard state.phase == .active, state.observer == nil, let core = state.upstream?.core else { return nil }
      state.observer = observer
      state.promised += 1
      return core
    }
    guard let upstream else { return false }
    if upstream.observeIdle(self) { return true }
    state.withLock { state in
      state.promised -= 1
      state.observer = nil
    }
    return false
  }

  /// Tells downstream, if nothing can be delivered any more.
  @usableFromInline
  internal final func settle() {
    state.withLock { $0.takeObserverIfIdle() }?.deliveriesEnded()
  }

  @usableFromInline
  package final override var exceedsDemand: Bool { state.withLock { $0.upstream }?.mayExceedDemand ?? false }

  @usableFromInline
  package final override var description: String { name }
}

extension HandoverSubscription: IdleObserver {
  /// One of the upstreams delivers nothing any more.
  @usableFromInline
  package final func deliveriesEnded() {
    let observer = state.withLock { state in
      state.promised -= 1
      return state.takeObserverIfIdle()
    }
    observer?.deliveriesEnded()
  }
}
