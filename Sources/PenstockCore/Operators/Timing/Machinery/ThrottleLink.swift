// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The operator `throttle`: it carries out the decisions of a ``ThrottleMachine``.
@usableFromInline
internal final class ThrottleLink<Context: Scheduler, Downstream: Subscriber>: ScheduledSubscription, Subscriber,
  TimedOperator
{
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure
  @usableFromInline
  internal typealias Machine = ThrottleMachine<Downstream.Input, Downstream.Failure, Context.SchedulerTimeType>

  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let machine: Guarded<Machine>
  @usableFromInline internal let line = EventQueue<Downstream.Input, Downstream.Failure>()
  @usableFromInline internal let ledger = DemandLedger()

  /// The subscriber, released at the end.
  ///
  /// Accessed only by the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var downstream: Downstream?

  @inlinable
  internal init(
    interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool, to downstream: Downstream
  ) {
    self.scheduler = scheduler
    self.downstream = downstream
    machine = Guarded(Machine(interval: interval, latest: latest))
    super.init(
      name: "Throttle", downstreamIsSynchronous: downstream.isSynchronous, remembersEarlyCancel: true,
      work: TypedWork(
        request: { unsafeDowncast($0, to: ThrottleLink.self).ledger.add($1) },
        cancel: { unsafeDowncast($0, to: ThrottleLink.self).cancelUpstream() },
        discard: { unsafeDowncast($0, to: ThrottleLink.self).discard() }))
    // Combine reads the clock here and when it subscribes, and a test's scheduler may count that.
    _ = scheduler.now
  }

  @inlinable
  internal func cancelUpstream() {
    // Released outside the lock.
    let pending = machine.withLock { $0.pending.take() }
    inlet.slot.cancel(early: true)
    withExtendedLifetime(pending) {}
  }

  @inlinable
  internal func discard() {
    line.removeAll()
    downstream = nil
  }

  @inlinable
  internal func receive(subscription: any Subscription) {
    guard inlet.slot.attach(subscription), let downstream else { return }
    _ = scheduler.now
    introduce(to: downstream)
    // After the introduction, so that the subscriber has had the chance to request what upstream delivers at once.
    inlet.slot.request(.unlimited)
  }

  @inlinable
  internal func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard inlet.slot.phase == .active else { return .none }
    let now = scheduler.now
    var value: Downstream.Input? = input
    switch machine.withLock({ $0.receive(&value, now: now, claim: { ledger.takeOne() }) }) {
    case .emit: scheduler.schedule { [weak self] in self?.emit() }
    case .emitAfter(let date): scheduler.schedule(after: date) { [weak self] in self?.emit() }
    case .wait, nil: break
    }
    return .none
  }

  /// Delivers the pending value.
  ///
  /// Called by the scheduler.
  @inlinable
  internal func emit() {
    // Combine does not read the clock after a cancel, and a test's scheduler may count that.
    if isClosed { return }
    let now = scheduler.now
    // Appended to the queue before the lock is released, so that no later decision can overtake it.
    let due = machine.withLock { machine in
      machine.emit(now: now).map { ($0, append($0.value), $0.ending.map { append($0) } ?? false) }
    }
    guard let (_, hasValue, hasEnding) = due else { return }
    if hasValue { takeTurn() }
    if hasEnding { takeTurn() }
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard inlet.slot.finish() else { return }
    _ = scheduler.now
    if machine.withLock({ $0.end(completion) && append(completion) }) {
      scheduler.schedule { [weak self] in self?.takeTurn() }
    }
  }

  @inlinable
  internal func deliver(_ element: Downstream.Input) -> Subscribers.Demand {
    guard let downstream else { return .none }
    let more = downstream.receive(element)
    if more != .none { ledger.add(more) }
    return .none
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    downstream?.receive(completion: completion)
  }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(block)
  }
}

extension ThrottleLink: SynchronousSubscriber {}
