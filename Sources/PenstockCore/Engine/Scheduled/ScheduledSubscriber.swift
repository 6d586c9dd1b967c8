// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The shape of operators that deliver on a scheduler.
///
/// Upstream's signals append events to a queue, and schedule one block per event. A block that runs takes a *turn*: it
/// delivers whatever event is first in the queue. So events arrive in upstream's order, with the completion
/// last, on any scheduler, even on one that runs its blocks concurrently or out of order.
@usableFromInline
package final class ScheduledSubscriber<Work: ScheduledStage & ~Copyable>: ScheduledSubscription, SerialCore, Subscriber
{
  @usableFromInline package typealias Input = Work.Input
  @usableFromInline package typealias Failure = Work.Failure

  @usableFromInline package let stage: Work
  @usableFromInline internal let events = EventQueue<Work.Output, Work.Failure>()

  @inlinable @inline(never)
  package convenience init<Downstream: Subscriber>(
    _ stage: consuming Work, name: String = Work.name, to downstream: __owned Downstream
  ) where Downstream.Input == Work.Output, Downstream.Failure == Work.Failure {
    self.init(stage, name: name, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(_ stage: consuming Work, name: String, downstream: __owned SubscriberCalls) {
    self.stage = stage
    super.init(
      name: name, remembersEarlyCancel: Work.remembersEarlyCancel, work: Self.typedWork, downstream: downstream)
    releasesDownstream = Work.releasesDownstream
  }

  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { .first }

  /// Not in the initialiser, which may be inlined into `receive(subscriber:)`: the optimiser fails on closures there.
  @_alwaysEmitIntoClient
  internal static var typedWork: TypedWork {
    TypedWork(of: ScheduledSubscriber.self)
  }

  // MARK: Signals from downstream

  @_alwaysEmitIntoClient
  package func add(_ demand: Subscribers.Demand) {
    stage.request(demand, in: self)
  }

  @inlinable
  package func cancelUpstreams() {
    stage.cancelTimers(in: self)
    inlet.slot.cancel(early: Work.remembersEarlyCancel)
  }

  @_alwaysEmitIntoClient
  package func discard() {
    events.removeAll(of: self)
    stage.discard(in: self)
  }

  // MARK: Signals from upstream

  @_alwaysEmitIntoClient
  package func receive(subscription: any Subscription) {
    guard inlet.slot.attach(subscription) else { return }
    introduceAtOnce()
    // After the introduction, so that downstream has had the chance to request the values that upstream delivers at
    // once.
    if Work.countsDemand, stage.prefetch != .none { requestUpstream(stage.prefetch) }
  }

  @_alwaysEmitIntoClient
  package func receive(_ input: Work.Input) -> Subscribers.Demand {
    inlet.isActive ? stage.receive(input, in: self) : .none
  }

  @_alwaysEmitIntoClient
  package static var _takesRuns: Bool { Work.takesRuns }

  @_alwaysEmitIntoClient
  package func _receiveRun(_ next: () -> Work.Input?) {
    if inlet.isActive { stage.receiveRun(next, in: self) }
  }

  @_alwaysEmitIntoClient
  package func receive(completion: Subscribers.Completion<Work.Failure>) {
    guard inlet.slot.finish() else { return }
    stage.cancelTimers(in: self)
    stage.receive(completion: completion, in: self)
  }

  /// Delivers the subscription to downstream.
  ///
  /// Other deliveries wait until downstream has been introduced.
  @inlinable
  internal func introduceAtOnce() {
    let thread = currentThread()
    // Other threads know the subscription only to cancel it.
    guard case .entered = enter(thread) else { return }
    stage.begin(in: self)
    isIntroduced = true
    deliver(subscription: self)
    leave(thread)
    let missed = endIntroduction()
    if missed != 0 { scheduleMissedTurns(missed) }
  }

  // MARK: What a stage may do

  /// Requests values from upstream.
  @_alwaysEmitIntoClient
  package func requestUpstream(_ demand: Subscribers.Demand) {
    inlet.slot.request(demand)
  }

  /// Cancels upstream.
  ///
  /// - Returns: Whether upstream was active.
  @_alwaysEmitIntoClient
  package func cancelUpstream() -> Bool {
    inlet.slot.cancel()
  }

  /// Appends an output to the queue, and schedules a turn.
  @_alwaysEmitIntoClient
  package func schedule(_ output: Work.Output) {
    if append(output) { scheduleTurn() }
  }

  /// Appends the completion to the queue, and schedules a turn.
  @_alwaysEmitIntoClient
  package func schedule(completion: Subscribers.Completion<Work.Failure>) {
    if append(completion: completion) { scheduleTurn() }
  }

  /// Appends an output to the queue.
  ///
  /// - Returns: Whether it has been appended, and needs a turn: not if the stream is closed.
  @_alwaysEmitIntoClient
  package func append(_ output: Work.Output) -> Bool {
    events.append(.element(output), of: self)
  }

  /// Appends outputs to the queue, and schedules one block for all of them.
  ///
  /// - Parameters:
  ///   - most: The maximum number of outputs.
  ///   - next: The next output.
  /// - Returns: Whether there may be more.
  @_alwaysEmitIntoClient
  package func schedule(upTo most: Int, _ next: () -> Work.Output?) -> Bool {
    let count = append(upTo: most, next)
    if count > 0 { scheduleTurns(count) }
    return count == most
  }

  /// Appends outputs to the queue.
  ///
  /// - Returns: The number of outputs that have been appended, and need turns: zero if the stream is closed.
  @_alwaysEmitIntoClient
  package func append(upTo most: Int, _ next: () -> Work.Output?) -> Int {
    events.append(upTo: most, next, of: self)
  }

  /// Appends the completion to the queue.
  ///
  /// - Returns: Whether it has been appended, and needs a turn: not if the stream is closed.
  @_alwaysEmitIntoClient
  package func append(completion: Subscribers.Completion<Work.Failure>) -> Bool {
    events.append(.completion(completion), of: self)
  }

  /// Replaces all events in the queue with the completion.
  ///
  /// - Returns: Whether it is in the queue, and needs a turn: not if the stream is closed.
  @inlinable
  package func replaceEvents(withCompletion completion: Subscribers.Completion<Work.Failure>) -> Bool {
    events.replace(with: .completion(completion), of: self)
  }

  /// Schedules a turn that is due.
  @inlinable
  package func scheduleTurn() {
    if !postpones(turns: 1) { stage.schedule { self.takeTurn() } }
  }

  /// Schedules turns that are due, and that one block takes.
  @inlinable
  internal func scheduleTurns(_ count: Int) {
    if count == 1 { return scheduleTurn() }
    if !postpones(turns: count) { stage.schedule { self.takeTurns(count) } }
  }

  /// Takes a turn: delivers the first event of the queue.
  ///
  /// Called by a scheduled block.
  @inlinable
  package func takeTurn() { takeTurns(1) }

  /// Takes one turn or several.
  ///
  /// Inlined, so that one turn needs no loop.
  @inlinable @inline(__always)
  package func takeTurns(_ count: Int) {
    let thread = currentThread()
    switch enter(thread) {
    case .entered:
      let more = deliver(next: count)
      leave(thread)
      // Requested outside the loop, so that an upstream that delivers during the request does not keep other threads
      // out.
      if more != .none { requestUpstream(more) }
    case .nested:
      if !isIntroduced, miss(count) { return }
      requestLater(deliver(next: count), from: inlet)
    case .busy:
      if miss(count) { return }
      postpone(thread) { self.requestLater(self.deliver(next: count), from: self.inlet) }
    }
  }

  // MARK: Delivering

  /// Delivers the first events of the queue.
  ///
  /// Called by the owner of the loop.
  ///
  /// - Returns: The demand to request from upstream.
  @_alwaysEmitIntoClient @inline(__always)
  internal func deliver(next count: Int) -> Subscribers.Demand {
    var more = deliverNext()
    var left = count - 1
    while left > 0, !isClosed {
      more += deliverNext()
      left -= 1
    }
    return more
  }

  /// Delivers the first event of the queue.
  ///
  /// Called by the owner of the loop.
  ///
  /// - Returns: The demand to request from upstream.
  @inlinable
  internal func deliverNext() -> Subscribers.Demand {
    assertOwned()
    guard !isClosed, let event = events.next(of: self) else { return .none }
    switch event {
    case .element(let output):
      let more = deliver(value: output)
      return more == .none && !Work.followsDeliveries ? .none : stage.upstreamDemand(for: more, in: self)
    case .completion(let completion):
      if close() { deliver(ending: completion) }
      return .none
    }
  }

  /// Schedules turns that were missed, with as many in each block as it may take.
  @inlinable
  internal func scheduleMissedTurns(_ count: Int) {
    MissedTurns(
      count, ofBlock: stage.turnsOfBlock, schedule: { self.stage.schedule($0) },
      take: {
        self.takeTurns($0)
        return !self.isClosed
      }
    ).proceed()
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    if isClosed { return }
    if Work.countsDemand { link.take(demand) }
    let waiting = events.shownCount
    // The last event is the completion then.
    link.waiting = max(0, inlet.slot.phase == .terminal ? waiting - 1 : waiting)
    link.moves &+= UInt(bitPattern: events.removed.value)
    if waiting > 0, !Work.keepsForLong { link.wait = .scheduler }
    stage.show(in: &link)
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] { stage.mirrorChildren(in: self) }
}
