// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The operator `timeout`: `receive(on:)`, with a timer that every value restarts.
@usableFromInline
internal final class TimeoutLink<Context: Scheduler, Downstream: Subscriber>: ScheduledSubscription, Subscriber,
  TimedOperator
{
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let interval: Context.SchedulerTimeType.Stride
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let options: Context.SchedulerOptions?
  @usableFromInline internal let customError: (() -> Downstream.Failure)?
  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let line = EventQueue<Downstream.Input, Downstream.Failure>()
  @usableFromInline internal let alarm = RestartableTimer<Void>()
  @usableFromInline internal let firstRequest = OneShot()

  @inlinable
  internal init(
    interval: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions?,
    customError: (() -> Downstream.Failure)?, to downstream: Downstream
  ) {
    self.interval = interval
    self.scheduler = scheduler
    self.options = options
    self.customError = customError
    self.downstream = downstream
    super.init(
      name: "Timeout", downstreamIsSynchronous: downstream.isSynchronous,
      work: TypedWork(
        request: { unsafeDowncast($0, to: TimeoutLink.self).pass($1) },
        cancel: { unsafeDowncast($0, to: TimeoutLink.self).cancelUpstream() },
        discard: { unsafeDowncast($0, to: TimeoutLink.self).line.removeAll() }))
  }

  @inlinable
  internal func pass(_ demand: Subscribers.Demand) {
    if firstRequest.take(), inlet.slot.phase == .active { startClock() }
    inlet.slot.request(demand)
  }

  @inlinable
  internal func cancelUpstream() {
    alarm.stop()
    inlet.slot.cancel()
  }

  @inlinable
  internal func startClock() {
    let number = alarm.begin()
    let date = scheduler.now.advanced(by: interval)
    // A repeating timer, because only those can be cancelled.
    let timer = scheduler.schedule(
      after: date, interval: interval, tolerance: scheduler.minimumTolerance, options: options
    ) { self.goOff(number) }
    alarm.keep(timer, for: (), number)
  }

  /// Ends the stream, because no value has arrived in time.
  ///
  /// Called by the timer.
  @inlinable
  internal func goOff(_ number: UInt) {
    guard alarm.goOff(number, {}) != nil, inlet.slot.cancel() else { return }
    alarm.stop()
    let completion = customError.map { Subscribers.Completion.failure($0()) } ?? .finished
    // Replaces the events that have not been delivered yet.
    if line.replace(with: .completion(completion), of: self) { takeTurn() }
  }

  @inlinable
  internal func receive(subscription: any Subscription) {
    if inlet.slot.attach(subscription) { introduce(to: downstream, after: { startClock() }) }
  }

  @inlinable
  internal func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard inlet.slot.phase == .active else { return .none }
    startClock()
    if append(input) { scheduleTurn() }
    return .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard inlet.slot.finish() else { return }
    alarm.stop()
    if append(completion) { scheduleTurn() }
  }

  @inlinable
  internal func deliver(_ element: Downstream.Input) -> Subscribers.Demand {
    downstream.receive(element)
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(options: options, block)
  }
}

extension TimeoutLink: SynchronousOperator {}
