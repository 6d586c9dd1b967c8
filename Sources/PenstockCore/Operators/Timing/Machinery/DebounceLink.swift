// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The operator `debounce`: a timer that every value restarts.
@usableFromInline
internal final class DebounceLink<Context: Scheduler, Downstream: Subscriber>: ScheduledSubscription, Subscriber,
  TimedOperator
{
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let dueTime: Context.SchedulerTimeType.Stride
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let options: Context.SchedulerOptions?
  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let line = EventQueue<Downstream.Input, Downstream.Failure>()
  @usableFromInline internal let alarm = RestartableTimer<Downstream.Input>()
  @usableFromInline internal let ledger = DemandLedger()

  @inlinable
  internal init(
    dueTime: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions?,
    to downstream: Downstream
  ) {
    self.dueTime = dueTime
    self.scheduler = scheduler
    self.options = options
    self.downstream = downstream
    super.init(
      name: "Debounce", downstreamIsSynchronous: downstream.isSynchronous,
      work: TypedWork(
        request: { unsafeDowncast($0, to: DebounceLink.self).ledger.add($1) },
        cancel: { unsafeDowncast($0, to: DebounceLink.self).cancelUpstream() },
        discard: { unsafeDowncast($0, to: DebounceLink.self).line.removeAll() }))
  }

  @inlinable
  internal func cancelUpstream() {
    alarm.stop()
    inlet.slot.cancel()
  }

  @inlinable
  internal func receive(subscription: any Subscription) {
    guard inlet.slot.attach(subscription) else { return }
    introduce(to: downstream)
    inlet.slot.request(.unlimited)
  }

  @inlinable
  internal func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard inlet.slot.phase == .active else { return .none }
    let number = alarm.begin()
    let date = scheduler.now.advanced(by: dueTime)
    // A repeating timer, because only those can be cancelled.
    let timer = scheduler.schedule(
      after: date, interval: dueTime, tolerance: scheduler.minimumTolerance, options: options
    ) { self.goOff(number, input) }
    alarm.keep(timer, for: input, number)
    return .none
  }

  /// Delivers a value that no other value has followed in time.
  ///
  /// Called by the timer.
  @inlinable
  internal func goOff(_ number: UInt, _ input: Downstream.Input) {
    let isInLine = alarm.goOff(number) { ledger.takeOne() && append(input) }
    if isInLine == true { takeTurn() }
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard inlet.slot.finish() else { return }
    alarm.stop()
    if append(completion) { scheduleTurn() }
  }

  @inlinable
  internal func deliver(_ element: Downstream.Input) -> Subscribers.Demand {
    let more = downstream.receive(element)
    if more != .none { ledger.add(more) }
    return .none
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(block)
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    [
      ("downstream", downstream), ("downstreamDemand", ledger.balance), ("currentValue", alarm.payload as Any),
    ]
  }
}

extension DebounceLink: SynchronousOperator {}
