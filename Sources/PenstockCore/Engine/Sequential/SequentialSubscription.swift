// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
internal import Synchronization

/// The untyped half of the sequential shape: the subscription that downstream gets, the demand that passes from one
/// upstream to the next, and the loop that subscribes to them.
///
/// A request adds to the ledger and reads the current upstream in one step under the lock, and a new upstream becomes
/// current in the same step that reads the outstanding demand. So each request reaches a successor exactly once: in its
/// first request, or as a later one.
@usableFromInline
package class SequentialSubscription: EmbeddingSubscription {
  // Closures made where the types are concrete; in structures, because those stored on their own are wrapped in thunks,
  // which are allocated.

  /// Subscribes to a publisher, with the operator in the argument as its subscriber.
  @usableFromInline
  package struct Start {
    @usableFromInline internal let perform: (SequentialSubscription) -> Void

    @_alwaysEmitIntoClient
    package init(_ perform: @escaping (SequentialSubscription) -> Void) { self.perform = perform }
  }

  /// Makes an erased subscriber for the operator in the argument.
  @usableFromInline
  internal struct ErasedMaker {
    @usableFromInline internal let perform: (SequentialSubscription) -> ErasedSubscriber

    @_alwaysEmitIntoClient
    internal init(_ perform: @escaping (SequentialSubscription) -> ErasedSubscriber) { self.perform = perform }
  }

  @usableFromInline
  internal enum Phase: Sendable {
    /// There is no upstream: before the first one, and between two.
    case awaiting
    /// A successor's subscription has arrived, but requests do not reach it yet.
    case arriving
    /// Requests reach the current upstream.
    case active
    /// The stream is over.
    case ended
  }

  /// How a value is delivered.
  @usableFromInline
  internal enum Mode: Sendable {
    /// Not at all: no upstream has been subscribed to, or the last one is over.
    case closed
    /// It is debited, since there may be a successor.
    case counting
    /// It is forwarded, because its upstream has no successor.
    case passing
    /// It may have to wait for a delivery of an earlier upstream, or for downstream's introduction: each value checks.
    /// See ``SequentialSubscription/hold(_:)``.
    case held
  }

  @usableFromInline
  internal struct State: ~Copyable {
    @usableFromInline internal var phase = Phase.awaiting
    internal var hasStarted = false
    /// Whether one of the upstreams did not count demand; kept after its end, since downstream still asks then.
    @usableFromInline internal var isUncounted = false
    /// Whether a thread is subscribing to successors; initially the thread that creates the operator.
    internal var isSubscribing = true
    /// Whether the next successor is to be subscribed to.
    internal var mustSubscribe = false
    @usableFromInline internal var upstream: BaseSubscription?

    /// The publishers that are still to come, as functions that subscribe to them; the last element is the next one.
    internal var successors: [Start]
    /// The subscription that downstream has, if it is not the operator itself.
    internal weak var handle: SequentialHandle?

    /// The thread that is introducing downstream, or zero.
    internal var introducer: UInt = 0
    /// The thread that is in a delivery during which an upstream has ended, or that delivers what has waited for such a
    /// delivery; or zero.
    internal var deliverer: UInt = 0
    /// The signals that other threads have sent meanwhile, and signals that came after those.
    @usableFromInline internal var waiting: Deque<Held> = []
    /// The demand that other threads have requested meanwhile.
    internal var asked: Subscribers.Demand?

    internal init(_ successor: Start?) { successors = successor.map { [$0] } ?? [] }

    /// The thread whose signals may nest; zero if downstream is not busy, and one if two threads are busy with it.
    internal var holder: UInt {
      if introducer == 0 || introducer == deliverer { return deliverer }
      return deliverer == 0 ? introducer : 1
    }
  }

  /// A stored signal; a structure, because a closure stored on its own is wrapped in a thunk.
  @usableFromInline
  internal struct Held {
    internal let perform: (SequentialSubscription) -> Void
  }

  // First, since it is stored in the rest of a word that the superclass has begun.
  @usableFromInline internal final let traits: SequentialTraits

  @usableFromInline package final let ledger = DemandLedger()
  @usableFromInline internal final let state: Guarded<State>
  @usableFromInline internal final let name: String

  /// Makes an erased subscriber for the operator, for publishers that see one; `nil` if other operators never join it.
  ///
  /// Made where the types are concrete, so that values run specialised code.
  @usableFromInline internal final let erasedMaker: ErasedMaker?

  /// ``State/holder``; the lowest bit is set while a signal waits, so that it equals no thread's number.
  internal final let holderMark = AtomicCell<UInt>(0)

  // Accessed only by the thread that may deliver: the holder, or without one the current upstream, which is serial. An
  // upstream that was subscribed to while there was a holder learns under the lock that the holder has gone.

  /// The number of upstreams that are over.
  @exclusivity(unchecked) @usableFromInline internal final var completedUpstreams: UInt = 0
  @exclusivity(unchecked) @usableFromInline internal final var mode = Mode.closed
  /// The mode of an upstream that has a subscriber of its own; see ``ReplacementSubscriber``.
  @exclusivity(unchecked) @usableFromInline internal final var replacementMode = Mode.closed
  /// The mode of the current upstream when there is no holder.
  @exclusivity(unchecked) internal final var unheldMode = Mode.closed
  /// Whether downstream is receiving a value that may not be the last upstream's.
  @exclusivity(unchecked) @usableFromInline internal final var isDelivering = false
  /// Whether the current upstream is the last one.
  @exclusivity(unchecked) internal final var isLast = false

  @usableFromInline
  internal init(
    name: String, traits: SequentialTraits, successor: Start?, erasedMaker: ErasedMaker?, downstream: SubscriberCalls
  ) {
    self.name = name
    self.traits = traits
    self.erasedMaker = erasedMaker
    state = Guarded(State(successor))
    super.init(downstream: downstream)
  }

  // MARK: The subscription

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if !traits.acceptsZeroDemand, demand == .none { trap(.requestedNothing) }
    let (isEarly, upstream) = state.withLock { state -> (Bool, BaseSubscription?) in
      if traits.isStrict, !state.hasStarted { return (true, nil) }
      guard ledger.add(demand) != nil, let upstream = state.upstream else { return (false, nil) }
      // The requested values may be delivered at once, on this thread.
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
    if traits.isStrict, !state.withLock({ $0.hasStarted }) { return }
    close()?.upstream?.cancel()
  }

  /// The subscription that downstream gets.
  @usableFromInline
  internal final func makeSubscription() -> BaseSubscription {
    guard traits.isEndless else { return self }
    let handle = SequentialHandle(self)
    let isOver = state.withLock { state in
      state.handle = handle
      return state.phase == .ended
    }
    if isOver { handle.discard() }
    return handle
  }

  /// Ends the stream, and releases the publishers that are still to come.
  ///
  /// - Returns: The remains of the stream, unless it was over already.
  @usableFromInline
  internal final func close() -> Closed? {
    var successors: [Start] = []
    var waiting: Deque<Held> = []
    var upstream: BaseSubscription?
    var handle: SequentialHandle?
    let ended = state.withLock { state -> Bool in
      guard state.phase != .ended else { return false }
      state.phase = .ended
      _ = ledger.close()
      swap(&successors, &state.successors)
      swap(&waiting, &state.waiting)
      state.asked = nil
      handle = state.handle
      upstream = state.upstream.take()
      return true
    }
    guard ended else { return nil }
    handle?.discard()
    // The successors and the stored signals are released here, outside the lock.
    return Closed(upstream: upstream)
  }

  /// The remains of a stream at its end, for the caller.
  @usableFromInline
  internal struct Closed {
    internal let upstream: BaseSubscription?
  }

  package final override func show(in link: inout LinkState) {
    super.show(in: &link)
    let (phase, upstream, waiting) = state.withLock { ($0.phase, $0.upstream, $0.waiting.count) }
    link.phase = phase == .ended ? .ended : upstream == nil ? .awaiting : .active
    link.take(ledger)
    link.waiting = waiting
    link.add(upstream)
  }

  @usableFromInline
  package final override var upstreamBase: BaseSubscription? { state.withLock { $0.upstream } }

  @usableFromInline
  package final override var exceedsDemand: Bool {
    let (isUncounted, upstream) = state.withLock { ($0.isUncounted, $0.upstream) }
    return isUncounted || upstream?.mayExceedDemand ?? false
  }

  @usableFromInline
  package final override var description: String { name }
}
