// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

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
    /// Downstream may be busy with what an earlier upstream has delivered, or with its introduction: each value has to
    /// ask. See ``HandoverSubscription/hold(_:)``.
    case held
  }

  @usableFromInline
  internal struct State {
    @usableFromInline internal var phase = Phase.awaiting
    @usableFromInline internal var hasStarted = false
    @usableFromInline internal var upstream: (any Subscription)?
    /// Whether there has been an upstream that may deliver what it was not asked for: what is below asks when that is over
    /// as well.
    @usableFromInline internal var isUncounted = false

    /// The publishers to come; the last one is the next.
    @usableFromInline internal var line: [Start]
    /// The subscription that downstream has, where that is not the operator itself.
    @usableFromInline internal weak var handle: HandoverHandle?
    /// Whether a thread is subscribing to publishers of the line, as whoever made the operator does at first.
    @usableFromInline internal var isSwitching = true
    /// Whether the next one of the line is to be subscribed to.
    @usableFromInline internal var mustSwitch = false

    @usableFromInline internal var observer: (any IdleObserver)?
    /// The number of upstreams that have promised to tell of the end of their deliveries, and have not told.
    @usableFromInline internal var promised = 0
    /// The number of deliveries that are running in ``Mode/tracking``.
    @usableFromInline internal var running = 0

    /// The thread that is introducing downstream, or zero.
    @usableFromInline internal var introducer: UInt = 0
    /// The thread that is inside of a delivery in which an upstream has ended, or delivers what has waited for it; or
    /// zero.
    @usableFromInline internal var deliverer: UInt = 0
    /// What other threads have brought meanwhile, and what has come behind that.
    @usableFromInline internal var waiting: Deque<Held> = []
    /// What other threads have asked for meanwhile.
    @usableFromInline internal var asked: Subscribers.Demand?

    @inlinable
    internal init(line: [Start]) { self.line = line }

    /// The thread whose signals may nest; zero if downstream is not busy, and one if it is with two threads.
    internal var holder: UInt {
      if introducer == 0 || introducer == deliverer { return deliverer }
      return deliverer == 0 ? introducer : 1
    }

    /// The observer, once nothing can be delivered any more.
    mutating func takeObserverIfIdle() -> (any IdleObserver)? {
      phase == .ended && promised == 0 && running == 0 && holder == 0 ? observer.take() : nil
    }
  }

  /// A signal that waits: in a structure, since a closure by itself is wrapped in another when it is put in.
  @usableFromInline
  internal struct Held {
    internal let carryOut: (HandoverSubscription) -> Void
  }

  @usableFromInline package let ledger = DemandLedger()
  @usableFromInline internal let state: Guarded<State>
  @usableFromInline internal let name: String
  @usableFromInline internal let rules: HandoverRules

  /// Wraps the operator, for a publisher that is to see it wrapped; `nil` if nobody joins it.
  ///
  /// Made where the types are known, so that values pass specialised code.
  @usableFromInline internal let erase: ((HandoverSubscription) -> ErasedSubscriber)?

  /// ``State/holder``, with the lowest bit set where something waits, so that it is nobody's then.
  @usableFromInline internal let holderMark = Atomic<UInt>(0)

  // The rest belongs to whoever may deliver: to the holder, or else to the current upstream, which is serial. An upstream
  // that has been started while there was a holder learns under the lock that there is none any more.

  @exclusivity(unchecked) @usableFromInline internal var mode = Mode.closed
  /// The mode of an upstream that has a subscriber of its own; see ``HandoverSuccessor``.
  @exclusivity(unchecked) @usableFromInline internal var successorMode = Mode.closed
  /// The mode of the current upstream when it may deliver by itself.
  @exclusivity(unchecked) @usableFromInline internal var openMode = Mode.closed
  /// Whether downstream is inside of a value that may not be the last upstream's.
  @exclusivity(unchecked) @usableFromInline internal var isDelivering = false
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
      guard ledger.add(demand) != nil, let upstream = state.upstream else { return (false, nil) }
      // What is asked for may come at once, on this thread.
      guard state.holder == 0 || state.holder == currentThread() else {
        state.asked = (state.asked ?? .none) + demand
        return (false, nil)
      }
      return (false, upstream)
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

  /// What downstream gets.
  @usableFromInline
  internal final func makeSubscription() -> CoreSubscription {
    guard rules.isEndless else { return self }
    let handle = HandoverHandle(self)
    let isOver = state.withLock { state in
      state.handle = handle
      return state.phase == .ended
    }
    if isOver { handle.clear() }
    return handle
  }

  /// Ends the stream, and frees what is left of the line.
  ///
  /// - Returns: What upstream left, unless the stream was over.
  @usableFromInline
  internal final func end() -> Ended? {
    var line: [Start] = []
    var waiting: Deque<Held> = []
    var upstream: (any Subscription)?
    var handle: HandoverHandle?
    let ended = state.withLock { state -> Bool in
      guard state.phase != .ended else { return false }
      state.phase = .ended
      _ = ledger.close()
      swap(&line, &state.line)
      swap(&waiting, &state.waiting)
      state.asked = nil
      handle = state.handle
      upstream = state.upstream.take()
      return true
    }
    guard ended else { return nil }
    handle?.clear()
    // The line and what waited are freed here, outside of the lock.
    return Ended(upstream: upstream)
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
  /// - Returns: For the first one, what has been asked for before it came. Downstream is to be given its subscription,
  ///   and ``release(afterIntroduction:)`` to be called after that.
  @usableFromInline
  internal final func attach(_ subscription: any Subscription, toSuccessor: Bool = false) -> Subscribers.Demand? {
    let thread = currentThread()
    let (isTaken, isFirst, isObserved, holder) = state.withLock { state -> (Bool, Bool, Bool, UInt) in
      guard state.phase == .awaiting, !rules.isStrict || state.hasStarted == toSuccessor else {
        return (false, false, false, 0)
      }
      state.phase = .arriving
      let isFirst = !state.hasStarted
      state.hasStarted = true
      if isFirst {
        // What ends inside of downstream's first request is followed there, not when everybody has returned.
        state.isSwitching = false
        state.introducer = thread
        publishHolder(state)
      }
      // Until it is known, the promise counts as given: so nobody below is told too early.
      if state.observer != nil { state.promised += 1 }
      return (true, isFirst, state.observer != nil, state.holder)
    }
    guard isTaken else {
      subscription.cancel()
      return nil
    }
    var isTracked = false
    // Looked up once: it asks the runtime.
    let core = isObserved || (!isFirst && holder == thread) ? subscription.core : nil
    if isObserved, !(core?.observeIdle(self) ?? false) {
      isTracked = true
      deliveriesEnded()
    }
    if subscription.mayExceedDemand { state.withLock { $0.isUncounted = true } }
    // No request can have reached this upstream yet, so no delivery reads this.
    openMode = isTracked ? Mode.tracking : isLast ? .passing : .counting
    // That the first upstream's deliveries do not overlap its own introduction is up to itself. And one that delivers only
    // where it is asked cannot get in the way: meanwhile nobody else asks it.
    let isOpen =
      holder == 0 || isFirst || (holder == thread && core?.deliversWhereAsked ?? false)
    let mode = isOpen ? openMode : .held
    if toSuccessor { successorMode = mode } else { self.mode = mode }
    let owed = state.withLock { state -> Subscribers.Demand? in
      guard state.phase == .arriving else { return nil }
      state.phase = .active
      state.upstream = subscription
      return ledger.balance
    }
    guard let owed else {
      subscription.cancel()
      if isFirst { release(afterIntroduction: true) }
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
      // It is in the ledger, and goes to the successor with what else is outstanding.
      state.asked = nil
      if isDelivering { holdDelivery(&state) }
      return state.line.isEmpty
    }
    if upstream?.mayExceedDemand ?? false { state.withLock { $0.isUncounted = true } }
    // Freed only here, outside of the lock.
    _ = consume upstream
    guard let isLast else { return nil }
    mode = .closed
    handovers &+= 1
    return isLast
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

  @usableFromInline
  package final override var above: CoreSubscription? { state.withLock { $0.upstream }?.untapped.core }

  @usableFromInline
  package final override var exceedsDemand: Bool {
    let (isUncounted, upstream) = state.withLock { ($0.isUncounted, $0.upstream) }
    return isUncounted || upstream?.mayExceedDemand ?? false
  }

  @usableFromInline
  package final override var description: String { name }
}
