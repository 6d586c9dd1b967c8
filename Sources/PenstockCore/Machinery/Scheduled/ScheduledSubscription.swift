// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// The subscription of an operator that delivers on a scheduler.
///
/// Upstream's signals append events to a queue, and schedule one block per event. A block that runs takes a *turn*: it
/// delivers the first event of the queue, whichever that is. So events arrive in upstream's order, with the completion
/// last, on any scheduler, even on one that runs its blocks concurrently or out of order.
///
/// Requests do not enter the loop, since they only count demand or are forwarded upstream.
@usableFromInline
package class ScheduledSubscription: SerialSubscription {
  @usableFromInline package let inlet = Inlet()
  @usableFromInline internal let remembersEarlyCancel: Bool

  /// The introduction's state: twice the number of turns that were missed during it, plus one as soon as it is over.
  ///
  /// While `receive(subscription:)` runs, blocks on other threads cannot deliver, and the introducing thread must not
  /// deliver in their place, because it is not one of the scheduler's. So missed turns are scheduled again.
  @usableFromInline internal let introduction = AtomicCell<UInt>(0)

  /// Whether downstream's `receive(subscription:)` has been called, so that other deliveries may follow.
  ///
  /// Accessed only by the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var isIntroduced = false

  /// - Parameters:
  ///   - name: The text that `print()` prints.
  ///   - downstreamIsSynchronous: Whether a delivery is over when downstream's `receive` has returned: whether
  ///   downstream is a relay. - remembersEarlyCancel: Whether a cancel before the subscription is remembered. - work:
  ///   The work that depends on types; its `request` is called on the requesting thread.
  @inlinable
  package init(name: String, downstreamIsSynchronous: Bool, remembersEarlyCancel: Bool = false, work: TypedWork) {
    self.remembersEarlyCancel = remembersEarlyCancel
    super.init(name: name, acceptsZeroDemand: true, downstreamIsSynchronous: downstreamIsSynchronous, work: work)
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if inlet.slot.phase != .awaiting, !isClosed { work.request(self, demand) }
  }

  @usableFromInline
  package final override func cancel() {
    if remembersEarlyCancel || inlet.slot.phase != .awaiting { super.cancel() }
  }

  @usableFromInline
  package final override var exceedsDemand: Bool { inlet.slot.exceedsDemand }

  /// Records a turn that cannot be taken now.
  ///
  /// - Returns: Whether it will be scheduled again; if not, the introduction is over.
  @usableFromInline
  internal final func miss() -> Bool {
    guard introduction.load(ordering: .relaxed) & 1 == 0 else { return false }
    return introduction.wrappingAdd(2, ordering: .relaxed).oldValue & 1 == 0
  }

  /// Postpones a turn until the introduction is over, if other turns have been missed already.
  ///
  /// Its block would run in vain, as theirs did, and would wake a thread of the scheduler's.
  @usableFromInline
  internal final func putsOff() -> Bool {
    introduction.load(ordering: .relaxed) > 1 && miss()
  }

  /// Called when the introduction is over and the loop has been left.
  ///
  /// - Returns: The number of missed turns.
  @usableFromInline
  internal final func endIntroduction() -> Int {
    Int(introduction.bitwiseOr(1, ordering: .relaxed).oldValue >> 1)
  }
}

/// An operator whose scheduled blocks deliver the first event of a queue; see ``ScheduledSubscription``.
@usableFromInline
package protocol TimedOperator: ScheduledSubscription {
  associatedtype Downstream: Subscriber
  /// The content of one delivery.
  associatedtype Element

  var line: EventQueue<Element, Downstream.Failure> { get }

  /// Delivers an element.
  ///
  /// Called by the owner of the loop, while the stream is open.
  ///
  /// - Returns: The demand to request from upstream.
  func deliver(_ element: Element) -> Subscribers.Demand

  /// Delivers the completion.
  ///
  /// Called by the owner of the loop.
  func finish(_ completion: Subscribers.Completion<Downstream.Failure>)

  /// Schedules a block for a turn that is due.
  func schedule(_ block: @escaping () -> Void)
}

extension TimedOperator {
  /// Takes a turn: delivers the first event of the queue.
  ///
  /// Called by a scheduled block.
  @inlinable
  package func takeTurn() {
    let thread = currentThread()
    switch enter(thread) {
    case .entered:
      let more = deliverNext()
      leave(thread)
      // Requested outside the loop, so that an upstream that delivers during the request does not keep other threads
      // out.
      if more != .none { inlet.slot.request(more) }
    case .nested:
      if !isIntroduced, miss() { return }
      requestLater(deliverNext(), from: inlet)
    case .busy:
      if miss() { return }
      postpone(thread) { self.requestLater(self.deliverNext(), from: self.inlet) }
    }
  }

  @inlinable
  internal func scheduleTurn() {
    schedule { self.takeTurn() }
  }

  /// Schedules turns that were missed, one block each.
  @inlinable
  internal func scheduleTurns(_ count: Int) {
    MissedTurns(
      count, schedule: { self.schedule($0) },
      take: {
        self.takeTurn()
        return !self.isClosed
      }
    ).proceed()
  }

  @inlinable
  internal func deliverNext() -> Subscribers.Demand {
    guard !isClosed, let event = line.next() else { return .none }
    switch event {
    case .element(let element): return deliver(element)
    case .completion(let completion):
      if close() { finish(completion) }
      return .none
    }
  }

  /// Delivers the subscription to downstream.
  ///
  /// - Parameter prelude: Work to do first. Deliveries during it wait until downstream has been introduced.
  @inlinable
  internal func introduce<S: Subscriber>(to downstream: S, after prelude: () -> Void = {}) {
    let thread = currentThread()
    // Other threads know the subscription only to cancel it.
    guard case .entered = enter(thread) else { return }
    prelude()
    isIntroduced = true
    downstream.receive(subscription: self)
    leave(thread)
    let missed = endIntroduction()
    if missed != 0 { scheduleTurns(missed) }
  }

  /// Appends the completion to the queue.
  ///
  /// - Returns: Whether it has been appended: not if the stream is closed.
  @inlinable
  internal func append(_ completion: Subscribers.Completion<Downstream.Failure>) -> Bool {
    line.append(.completion(completion), of: self)
  }

  @inlinable
  internal func append(_ element: Element) -> Bool {
    line.append(.element(element), of: self)
  }
}
