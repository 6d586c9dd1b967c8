// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The subscription of an operator that delivers from blocks that it gives to a scheduler.
///
/// Upstream's signals put events into a line and blocks into the scheduler. Each block delivers whatever is first in line
/// when its turn comes: so the order is upstream's and the completion is last, on any scheduler, also on one that runs
/// its blocks on many threads or in any order.
///
/// Requests do not enter the loop, since they only count, or go up.
@usableFromInline
package class TimedSubscription: SerialSubscription {
  @usableFromInline package let inlet = Inlet()
  @usableFromInline internal let remembersEarlyCancel: Bool

  /// Twice the number of turns that were missed while the subscriber was being handed its subscription, and one more as
  /// soon as that is over.
  ///
  /// Another thread's blocks cannot deliver then, and the thread that hands it out must not deliver in their place: it is
  /// not the scheduler's. So they are scheduled again.
  @usableFromInline internal let introduction = Atomic<UInt>(0)

  /// Whether upstream may deliver what it was not asked for, and so leave it in line; also when it is over.
  @usableFromInline internal let exceeded = Atomic(false)

  /// Whether the subscriber has been called with its subscription, so that other calls may follow.
  ///
  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var isIntroduced = false

  /// - Parameters:
  ///   - name: What `print()` shows.
  ///   - endsWithReturn: Whether the subscriber below is a relay.
  ///   - remembersEarlyCancel: Whether a cancel before the subscription is remembered.
  ///   - work: What depends on types; its `request` is called on the caller's thread.
  @inlinable
  package init(name: String, endsWithReturn: Bool, remembersEarlyCancel: Bool = false, work: TypedWork) {
    self.remembersEarlyCancel = remembersEarlyCancel
    super.init(name: name, acceptsNothing: true, endsWithReturn: endsWithReturn, work: work)
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if inlet.slot.phase != .awaiting, !isClosed { work.request(self, demand) }
  }

  @usableFromInline
  package final override func cancel() {
    if remembersEarlyCancel || inlet.slot.phase != .awaiting { super.cancel() }
  }

  /// Drops upstream's subscription, because upstream has ended.
  ///
  /// - Returns: Whether it was there.
  @usableFromInline
  internal final func finishUpstream() -> Bool {
    noteDemand()
    return inlet.slot.finish()
  }

  @usableFromInline
  internal final func noteDemand() {
    if inlet.slot.exceedsDemand { exceeded.store(true, ordering: .relaxed) }
  }

  @usableFromInline
  package final override var exceedsDemand: Bool { exceeded.load(ordering: .relaxed) || inlet.slot.exceedsDemand }

  /// Notes that a turn cannot be taken now.
  ///
  /// - Returns: Whether it will be scheduled again; if not, the introduction is over.
  @usableFromInline
  internal final func miss() -> Bool {
    guard introduction.load(ordering: .relaxed) & 1 == 0 else { return false }
    return introduction.wrappingAdd(2, ordering: .relaxed).oldValue & 1 == 0
  }

  /// Puts a turn off until the introduction is over, if others have been missed before it.
  ///
  /// Its block would run in vain, as theirs did, and each would wake a thread of the scheduler's.
  @usableFromInline
  internal final func putsOff() -> Bool {
    introduction.load(ordering: .relaxed) > 1 && miss()
  }

  /// Called when the introduction is over and the loop has been left.
  ///
  /// - Returns: The number of turns that were missed.
  @usableFromInline
  internal final func endIntroduction() -> Int {
    Int(introduction.bitwiseOr(1, ordering: .relaxed).oldValue >> 1)
  }
}

/// An operator whose blocks deliver what is first in a line; see ``TimedSubscription``.
@usableFromInline
package protocol TimedOperator: TimedSubscription {
  associatedtype Downstream: Subscriber
  /// What is delivered at one go.
  associatedtype Element

  var line: EventLine<Element, Downstream.Failure> { get }

  /// Delivers.
  ///
  /// Called by the owner of the loop, while the stream is open.
  ///
  /// - Returns: What upstream is to be asked for in return.
  func deliver(_ element: Element) -> Subscribers.Demand

  /// Delivers the completion.
  ///
  /// Called by the owner of the loop.
  func finish(_ completion: Subscribers.Completion<Downstream.Failure>)

  /// Gives the scheduler a block that is due.
  func schedule(_ block: @escaping () -> Void)
}

extension TimedOperator {
  /// Delivers what is first in line, from inside of a block.
  @inlinable
  package func takeTurn() {
    let thread = currentThread()
    switch enter(thread) {
    case .entered:
      let more = deliverNext()
      leave(thread)
      // Outside of the loop, so that an upstream which delivers in there does not keep other threads out.
      if more != .none { inlet.slot.request(more) }
    case .nested:
      if !isIntroduced, miss() { return }
      ask(inlet, for: deliverNext())
    case .busy:
      if miss() { return }
      postpone(thread) { self.ask(self.inlet, for: self.deliverNext()) }
    }
  }

  @inlinable
  internal func scheduleTurn() {
    schedule { self.takeTurn() }
  }

  /// Schedules turns that have been missed, each in a block of its own.
  @inlinable
  internal func scheduleTurns(_ count: Int) {
    OwedTurns(
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

  /// Hands the subscriber its subscription.
  ///
  /// - Parameter prelude: What comes first. What is delivered from inside of it waits until the subscriber is introduced.
  @inlinable
  internal func introduce<S: Subscriber>(to downstream: S, after prelude: () -> Void = {}) {
    noteDemand()
    let thread = currentThread()
    // Nobody else knows of the subscription, unless to cancel it.
    guard case .entered = enter(thread) else { return }
    prelude()
    isIntroduced = true
    downstream.receive(subscription: self)
    leave(thread)
    let missed = endIntroduction()
    if missed != 0 { scheduleTurns(missed) }
  }

  /// Puts the completion in line.
  ///
  /// - Returns: Whether it is in the line.
  @inlinable
  internal func append(_ completion: Subscribers.Completion<Downstream.Failure>) -> Bool {
    line.append(.completion(completion), of: self)
  }

  @inlinable
  internal func append(_ element: Element) -> Bool {
    line.append(.element(element), of: self)
  }
}
