// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore
public import Synchronization

/// A part of a stream that is divided: a group, or a window.
///
/// It has at most one subscriber. The values that the subscriber has not requested wait here. Everything but the marks
/// belongs to the owner of the loop of the ``SplitEngine``.
@usableFromInline
internal final class SplitPart<Mark, Value, Failure: Error> {
  /// The mark that distinguishes the part from others: the key of a group, the number of a window.
  @usableFromInline internal let mark: Mark

  /// Whether a subscriber has arrived, or none can arrive any more.
  @usableFromInline internal let isTaken = AtomicCell(false)
  /// Whether its subscriber has cancelled.
  @usableFromInline internal let isCancelled = AtomicCell(false)
  /// The demand of its subscriber that has not been met.
  @usableFromInline internal let shownDemand = ShownDemand()
  /// The subscriber, for tools.
  @usableFromInline internal let shownDownstream = Guarded<ErasedSubscriber?>(nil)
  /// How many values wait, for tools.
  @usableFromInline internal let shownWaiting = ShownCell(0)

  @exclusivity(unchecked) @usableFromInline internal var waiting: Deque<Value> = []
  /// The subscriber, after its introduction, until the end.
  @exclusivity(unchecked) @usableFromInline internal var downstream: ErasedSubscriber?
  /// The completion, which follows the last value that waits.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Failure>?
  /// Whether the part may get values.
  @exclusivity(unchecked) @usableFromInline internal var isOpen = true
  /// Whether its end has been delivered, or it is not wanted any more.
  @exclusivity(unchecked) @usableFromInline internal var isOver = false
  /// Whether downstream has received the part.
  @exclusivity(unchecked) @usableFromInline internal var isPublished = false
  /// Whether the part counts among those that hold upstream back.
  @exclusivity(unchecked) @usableFromInline internal var isHolding = false
  /// Whether the part counts among those whose subscriber has limited demand, or has not arrived.
  @exclusivity(unchecked) @usableFromInline internal var isLimited = false
  /// Whether a delivery is running: what arrives meanwhile waits, and follows.
  @exclusivity(unchecked) @usableFromInline internal var isServing = false

  @inlinable
  internal init(_ mark: Mark) { self.mark = mark }

  @inlinable
  internal var demand: Subscribers.Demand {
    get { shownDemand.value }
    set { shownDemand.value = newValue }
  }

  /// Sets or releases the subscriber.
  @inlinable
  internal func set(_ downstream: ErasedSubscriber?) -> ErasedSubscriber? {
    shownDownstream.release { exchange(&$0, with: downstream) }
    return exchange(&self.downstream, with: downstream)
  }

  /// Shows the part, on any thread.
  @usableFromInline
  internal func show(in link: inout LinkState, of core: SerialSubscription) {
    link.downstream = shownDownstream.withLock { $0 }
    link.demand = demand
    link.waiting = shownWaiting.value
    link.add(core)
  }

  /// Whether its subscriber takes every value at once, so that a value waits only while another one is being delivered.
  @inlinable
  internal var takesEverything: Bool { downstream != nil && demand == .unlimited }

  /// Whether its values are not wanted: its subscriber has cancelled, though the loop may not know yet.
  @inlinable
  internal var isGone: Bool { isOver || isCancelled.load(ordering: .relaxed) }
}

/// A call to the ``SplitEngine`` from a ``SplitHandle`` or the subscription of a part.
@usableFromInline
internal enum PartCall {
  /// The subscriber has been introduced.
  case join(ErasedSubscriber)
  case request(Subscribers.Demand)
  /// The part is not wanted any more.
  case leave
}

/// The reference of a part's publisher to its part, until the part has a subscriber.
///
/// When the last publisher of a part without a subscriber is released, nobody can subscribe to it any more.
@usableFromInline
internal final class SplitHandle<Mark, Value, Failure: Error> {
  @usableFromInline internal typealias Part = SplitPart<Mark, Value, Failure>

  @usableFromInline internal let part: Part
  @usableFromInline internal let core: SerialSubscription
  @usableFromInline internal let work: (SerialSubscription, Part, PartCall) -> Void

  @inlinable
  internal init(
    _ part: Part, of core: SerialSubscription, work: @escaping (SerialSubscription, Part, PartCall) -> Void
  ) {
    self.part = part
    self.core = core
    self.work = work
  }

  deinit { if !part.isTaken.load(ordering: .relaxed) { work(core, part, .leave) } }

  /// Subscribes to the part.
  ///
  /// The subscription is delivered at once, on the calling thread; values follow when that call has returned.
  @inlinable
  internal func attach<S: Subscriber>(_ subscriber: S, name: String)
  where S.Input == Value, S.Failure == Failure {
    if part.isTaken.exchange(true, ordering: .acquiringAndReleasing) { trap(.secondSubscriber(of: name)) }
    let (core, part, work) = (core, part, work)
    let subscription = SourceSubscription(name) { _, call in
      switch call {
      case .request(let demand): work(core, part, .request(demand))
      case .cancel: if !part.isCancelled.exchange(true, ordering: .acquiringAndReleasing) { work(core, part, .leave) }
      case .show(let link): part.show(in: &link.pointee, of: core)
      }
    }
    let downstream = subscription.counting(subscriber.erased())
    downstream.receive(subscription: subscription)
    work(core, part, .join(downstream))
  }
}
