// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The operator `collect` by time.
@usableFromInline
internal final class CollectByTimeLink<Context: Scheduler, Value, Downstream: Subscriber>: ScheduledSubscription,
  Subscriber,
  TimedOperator
where Downstream.Input == [Value] {
  @usableFromInline internal typealias Input = Value
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let interval: Context.SchedulerTimeType.Stride
  @usableFromInline internal let count: Int?
  @usableFromInline internal let options: Context.SchedulerOptions?
  @usableFromInline internal let downstream: Downstream
  @usableFromInline internal let line = EventQueue<[Value], Downstream.Failure>()
  @usableFromInline internal let ledger = DemandLedger()
  @usableFromInline internal let buffer: Guarded<CollectByTimeBuffer<Value>>
  @usableFromInline internal let clock = RestartableTimer<Void>()

  @inlinable
  internal init(
    _ strategy: Publishers.TimeGroupingStrategy<Context>, _ options: Context.SchedulerOptions?,
    to downstream: Downstream
  ) {
    switch strategy {
    case .byTime(let scheduler, let interval): (self.scheduler, self.interval, count) = (scheduler, interval, nil)
    case .byTimeOrCount(let scheduler, let interval, let count):
      if count < 0 { trap(.negativeCount(operator: "collect(_:options:)")) }
      (self.scheduler, self.interval, self.count) = (scheduler, interval, count)
    }
    self.options = options
    self.downstream = downstream
    buffer = Guarded(CollectByTimeBuffer(count: count))
    super.init(
      name: "CollectByTime", downstreamIsSynchronous: downstream.isSynchronous,
      work: TypedWork(
        request: { unsafeDowncast($0, to: CollectByTimeLink.self).pass($1) },
        cancel: { unsafeDowncast($0, to: CollectByTimeLink.self).cancelUpstream() },
        discard: { unsafeDowncast($0, to: CollectByTimeLink.self).discard() }))
  }

  // MARK: Signals from downstream

  @inlinable
  internal func pass(_ demand: Subscribers.Demand) {
    guard demand != .none else { return }
    add(demand)
    let values = count.map { demand * $0 } ?? .max(1)
    if values != .none { inlet.slot.request(values) }
  }

  @inlinable
  internal func cancelUpstream() {
    clock.stop()
    inlet.slot.cancel()
  }

  @inlinable
  internal func discard() {
    line.removeAll()
    // Released outside the lock.
    let rest = buffer.withLock { $0.takeAll() }
    withExtendedLifetime(rest) {}
  }

  // MARK: Signals from upstream

  @inlinable
  internal func receive(subscription: any Subscription) {
    if inlet.slot.attach(subscription) { introduce(to: downstream, after: { startClock() }) }
  }

  @inlinable
  internal func startClock() {
    let number = clock.begin()
    let timer = scheduler.schedule(
      after: scheduler.now.advanced(by: interval), interval: interval, tolerance: scheduler.minimumTolerance,
      options: options
    ) { [weak self] in self?.emit(ifFull: false) }
    clock.keep(timer, for: (), number)
  }

  @inlinable
  internal func receive(_ input: Value) -> Subscribers.Demand {
    guard inlet.slot.phase == .active else { return .none }
    let isFull = buffer.withLock { buffer in
      buffer.elements.append(input)
      return buffer.isFull
    }
    if isFull { emit(ifFull: true) }
    return count == nil ? .max(1) : .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard inlet.slot.finish() else { return }
    clock.stop()
    // Appended to the queue before the lock is released, as in ``emit(ifFull:)``.
    switch completion {
    case .finished:
      schedule(
        buffer.withLock { buffer in
          buffer.holdsEnd = true
          return appendRest(of: &buffer)
        })
    case .failure:
      let (rest, isInLine) = buffer.withLock { ($0.takeAll(), append(completion)) }
      withExtendedLifetime(rest) {}
      if isInLine { scheduleTurn() }
    }
  }

  // MARK: Delivering

  /// Delivers an array, if there are values and demand.
  ///
  /// - Parameter ifFull: Whether only a full array is delivered, in a block that this schedules; otherwise the timer
  ///   calls.
  @inlinable
  internal func emit(ifFull: Bool) {
    // Appended to the queue before the lock is released, so that no later array can overtake it.
    let batch = buffer.withLock { buffer -> (batch: [Value], isInLine: Bool)? in
      guard !buffer.holdsEnd, ifFull ? buffer.isFull : !buffer.elements.isEmpty, ledger.takeOne() else { return nil }
      let batch = buffer.takeBatch()
      return (batch, append(batch))
    }
    guard let batch, batch.isInLine else { return }
    if ifFull { scheduleTurn() } else { takeTurn() }
  }

  /// Adds demand, and delivers what has waited for it: a full array, or the values that upstream has left.
  @inlinable
  internal func add(_ demand: Subscribers.Demand) {
    ledger.add(demand)
    if count != nil { emit(ifFull: true) }
    // The lock is taken after the demand has been added, and the completion reads the demand under the lock: one of the
    // two sees the other.
    schedule(buffer.withLock { $0.holdsEnd ? appendRest(of: &$0) : AppendedBatches() })
  }

  /// Appends the values that upstream has left to the queue, as far as there is demand, and `.finished` after the last
  /// one.
  ///
  /// Called with the lock held, when the buffer holds the end.
  @inlinable
  internal func appendRest(of buffer: inout CollectByTimeBuffer<Value>) -> AppendedBatches<Value> {
    var appended = AppendedBatches<Value>()
    while !buffer.elements.isEmpty {
      guard ledger.takeOne() else { return appended }
      let batch = buffer.takeBatch()
      appended.batches.append(batch)
      if append(batch) { appended.turns += 1 }
    }
    buffer.holdsEnd = false
    if append(.finished) { appended.turns += 1 }
    return appended
  }

  /// Schedules the turns of all appended events, in one block.
  @inlinable
  internal func schedule(_ appended: AppendedBatches<Value>) {
    guard appended.turns > 0 else { return }
    scheduler.schedule(options: options) {
      for _ in 0..<appended.turns { self.takeTurn() }
    }
  }

  @inlinable
  internal func deliver(_ element: [Value]) -> Subscribers.Demand {
    let more = downstream.receive(element)
    guard more != .none else { return .none }
    add(more)
    return count.map { more * $0 } ?? .none
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

extension CollectByTimeLink: SynchronousOperator {}
