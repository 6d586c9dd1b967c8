// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The untyped half of an operator that turns upstream's values into publishers: the place for upstream's subscription, and
/// downstream's demand.
@usableFromInline
package class FlatteningSubscription: SerialSubscription {
  // First, since it is stored in the rest of a word that the superclass has begun. Internal, since other modules do not
  // see that an access is unchecked: they would call the run-time for each.
  @exclusivity(unchecked) @usableFromInline internal final var storedUpstreamHasFinished = false

  /// Whether upstream is a loop, to which a request during a delivery is the same as demand that is returned for the
  /// value; set before the first value is requested.
  @exclusivity(unchecked) @usableFromInline internal final var answers = false

  /// Accessed only by the owner of the loop.
  @_alwaysEmitIntoClient
  package final var upstreamHasFinished: Bool {
    get { storedUpstreamHasFinished }
    set { storedUpstreamHasFinished = newValue }
  }

  @usableFromInline internal final let upstreamSlot = SubscriptionSlot()
  @usableFromInline internal final let shownDemand = ShownDemand()
  /// Made when the first request has to wait for the end of the loop; accessed only by the owner of the loop.
  @exclusivity(unchecked) private final var existingUpstream: FlatteningUpstream?

  /// The outstanding demand; accessed only by the owner of the loop.
  @_alwaysEmitIntoClient
  package final var demand: Subscribers.Demand {
    get { shownDemand.value }
    set { shownDemand.value = newValue }
  }

  /// The thread on which a value of upstream's is being turned into a publisher; zero if none is.
  @usableFromInline internal final let handling = AtomicCell<UInt>(0)
  /// The demand that will be returned for that value; accessed only by that thread.
  @exclusivity(unchecked) @usableFromInline internal final var answer = Subscribers.Demand.none

  @usableFromInline
  internal init(name: String, work: TypedWork, downstream: SubscriberCalls) {
    super.init(name: name, acceptsZeroDemand: false, work: work, downstream: downstream)
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.demand = demand
    if isClosed { return }
    if upstreamSlot.phase == .awaiting { link.phase = .awaiting }
    link.add(upstreamSlot.base, role: "outer")
  }

  // MARK: The next value

  /// Called before a value of upstream's is handled, on the thread that delivers it.
  ///
  /// - Returns: Whether the value is the outermost one: the code that makes a publisher may cause upstream to deliver another.
  @_alwaysEmitIntoClient
  internal final func beginHandling() -> Bool {
    let thread = currentThread()
    if handling.load(ordering: .relaxed) == thread { return false }
    handling.store(thread, ordering: .relaxed)
    return true
  }

  /// Returns the demand that has been added while the value was handled.
  @_alwaysEmitIntoClient
  internal final func takeAnswer() -> Subscribers.Demand {
    answers ? exchange(&answer, with: .none) : .none
  }

  /// Requests one more value of upstream: with the answer to the value that is being delivered, or else as soon as the
  /// loop has been left.
  ///
  /// Called by the owner of the loop.
  ///
  /// - Parameter isHandled: Whether it is known that the calling thread is handling a value of upstream's.
  @inlinable
  package final func requestNext(isHandled: Bool = false) {
    assertOwned()
    if answers, isHandled || handling.load(ordering: .relaxed) == currentThread() {
      answer += 1
    } else {
      requestLater(.max(1), from: upstream)
    }
  }

  /// Upstream, as a target of requests.
  @usableFromInline
  package final var upstream: FlatteningUpstream {
    if let existingUpstream { return existingUpstream }
    let made = FlatteningUpstream(of: .passUnretained(self))
    existingUpstream = made
    return made
  }
}

/// The upstream of a ``FlatteningSubscription``, as a target of requests.
@usableFromInline
package final class FlatteningUpstream: DemandTarget {
  /// Unretained, since the operator refers to the target; only a method of the operator requests from it.
  private let flattening: Unmanaged<FlatteningSubscription>

  fileprivate init(of flattening: Unmanaged<FlatteningSubscription>) {
    self.flattening = flattening
    super.init()
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    flattening._withUnsafeGuaranteedRef { $0.upstreamSlot.request(demand) }
  }
}

/// The signals of the upstream of a ``FlatteningSubscription``.
@usableFromInline
package protocol FlatteningUpstreamHandler: SubscriptionInletHandler, DirectInletHandler
where Source == FlatteningUpstream {
  /// The operator.
  var flattening: FlatteningSubscription { get }
}

extension FlatteningUpstreamHandler {
  @_alwaysEmitIntoClient
  package var core: SerialSubscription { flattening }

  @_alwaysEmitIntoClient
  package var inlet: FlatteningUpstream { flattening.upstream }

  /// As in Combine: an inner publisher is subscribed to even before upstream has delivered a subscription.
  @_alwaysEmitIntoClient
  package var isActive: Bool {
    // Unretained, since the handler holds the operator: reading it would count a reference otherwise.
    Unmanaged.passUnretained(flattening)._withUnsafeGuaranteedRef { $0.upstreamSlot.phase } != .terminal
  }

  @inlinable
  package func attach(_ subscription: any Subscription) {
    if Unmanaged.passUnretained(flattening)._withUnsafeGuaranteedRef({ $0.upstreamSlot.attach(subscription) }) {
      flattening.noteUpstream(flattening.upstreamSlot.base)
      arrive(subscription)
    }
  }

  @_alwaysEmitIntoClient
  package func detach(_ completion: Subscribers.Completion<Failure>) -> Bool {
    let flattening = flattening
    return flattening.upstreamSlot.finish() || flattening.upstreamSlot.cancel(early: true)
  }
}
