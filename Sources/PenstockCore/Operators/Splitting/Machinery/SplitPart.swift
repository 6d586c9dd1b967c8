// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// A part of a stream that is divided: a group, or a window.
///
/// It has one subscriber at most. The values that this one has not requested wait here. Everything but the marks belongs
/// to the owner of the loop of the ``SplitCore``.
@usableFromInline
package final class SplitPart<Mark, Value, Failure: Error> {
  /// What tells the part from the others: the key of a group, the number of a window.
  @usableFromInline package let mark: Mark

  /// Whether a subscriber has come, or nobody can come any more.
  @usableFromInline internal let isTaken = AtomicCell(false)
  /// How many values wait, for tools.
  @usableFromInline internal let shownWaiting = ShownCell(0)

  @exclusivity(unchecked) @usableFromInline internal var waiting: Deque<Value> = []
  /// The subscription of the subscriber, after its introduction, until the end.
  @exclusivity(unchecked) @usableFromInline internal var subscription: PartSubscription?
  /// The completion, which follows the last value that waits.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Failure>?
  /// Whether it may get values.
  @exclusivity(unchecked) @usableFromInline internal var isOpen = true
  /// Whether its end has been delivered, or nobody wants it any more.
  @exclusivity(unchecked) @usableFromInline internal var isOver = false
  /// Whether downstream has got it.
  @exclusivity(unchecked) @usableFromInline internal var isPublished = false
  /// Whether it is among those that hold upstream back.
  @exclusivity(unchecked) @usableFromInline internal var isHolding = false
  /// Whether it is among those whose subscriber takes a number of values, or has not come.
  @exclusivity(unchecked) @usableFromInline internal var isLimited = false
  /// Whether a delivery is running: what comes meanwhile waits, and follows.
  @exclusivity(unchecked) @usableFromInline internal var isServing = false

  @inlinable
  internal init(_ mark: Mark) { self.mark = mark }

  /// Whether its subscriber takes every value at once, so that one waits only while another one is being delivered.
  @inlinable
  internal var takesEverything: Bool { subscription?.demand == .unlimited }

  /// Whether nobody wants its values: its subscriber has cancelled, though the loop may not know yet.
  @inlinable
  package var isGone: Bool { isOver || subscription?.isCancelled.load(ordering: .relaxed) ?? false }
}

/// What a ``SplitHandle`` and a ``PartSubscription`` ask of the ``SplitCore``.
@usableFromInline
package enum PartCall {
  /// The subscriber has been introduced.
  case join(PartSubscription)
  case request(PartSubscription, Subscribers.Demand)
  /// Nobody wants the part any more.
  case leave
}

/// The subscription of the subscriber of a ``SplitPart``.
///
/// Not generic, since overrides in a generic class run unspecialised.
@usableFromInline
package final class PartSubscription: EmbeddingSubscription {
  @usableFromInline
  internal enum Call {
    case request(Subscribers.Demand)
    case cancel
    case show(into: Box)
  }

  /// How many values wait.
  @usableFromInline
  internal final class Box {
    @usableFromInline internal var waiting = 0
  }

  @usableFromInline internal let isCancelled = AtomicCell(false)
  /// Written by the owner of the core's loop.
  @usableFromInline internal let shownDemand = ShownDemand()
  @usableFromInline internal let name: String
  @usableFromInline internal let core: SerialSubscription
  /// Made where the types are concrete.
  @usableFromInline internal let perform: (PartSubscription, Call) -> Void

  @inlinable
  internal var demand: Subscribers.Demand {
    get { shownDemand.value }
    set { shownDemand.value = newValue }
  }

  @inlinable
  internal init(
    name: String, of core: SerialSubscription, downstream: __owned SubscriberCalls,
    perform: @escaping (PartSubscription, Call) -> Void
  ) {
    self.name = name
    self.core = core
    self.perform = perform
    super.init(downstream: downstream)
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    perform(self, .request(demand))
  }

  @usableFromInline
  package override func cancel() {
    noteCancel()
    if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) { perform(self, .cancel) }
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.demand = demand
    let box = Box()
    perform(self, .show(into: box))
    link.waiting = box.waiting
    link.add(core)
    if closing != .none { link.phase = .ended }
  }

  /// Delivers the completion.
  @inlinable
  internal func end<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    noteCompletion()
    deliver(ending: completion)
  }

  @usableFromInline
  package override var description: String { name }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    [("downstream", underlying as Any), ("downstreamDemand", demand)]
  }
}

/// What a publisher of a part refers to: the part, until it has a subscriber.
///
/// When the last publisher of a part without a subscriber is released, nobody can subscribe to it any more.
@usableFromInline
package final class SplitHandle<Mark, Value, Failure: Error> {
  @usableFromInline package typealias Part = SplitPart<Mark, Value, Failure>

  @usableFromInline package let part: Part
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
  /// The subscription is delivered at once, on the calling thread; values follow when that has returned.
  @inlinable
  package func attach<S: Subscriber>(_ subscriber: S, name: String)
  where S.Input == Value, S.Failure == Failure {
    if part.isTaken.exchange(true, ordering: .acquiringAndReleasing) { trap(.secondSubscriber(of: name)) }
    let (core, part, work) = (core, part, work)
    let subscription = PartSubscription(
      name: name, of: core, downstream: SubscriberCalls(for: subscriber),
      perform: { subscription, call in
        switch call {
        case .request(let demand): work(core, part, .request(subscription, demand))
        case .cancel: work(core, part, .leave)
        case .show(let box): box.waiting = part.shownWaiting.value
        }
      })
    subscription.embed(subscriber)
    subscription.deliver(subscription: subscription)
    work(core, part, .join(subscription))
  }
}
