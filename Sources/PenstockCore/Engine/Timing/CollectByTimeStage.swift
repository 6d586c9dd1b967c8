// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The stage of `collect` by time.
///
/// It is longer than other stages because an array has three occasions to leave, the timer, the count and the end, and
/// each of them can come before the demand for the array.
@usableFromInline
internal struct CollectByTimeStage<Input, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal typealias Output = [Input]

  @usableFromInline internal let timer: RestartableTimer<Void, Context>
  @usableFromInline internal let count: Int?
  @usableFromInline internal let buffer: Guarded<CollectByTimeBuffer<Input>>

  @inlinable
  internal init(
    _ scheduler: Context, _ interval: Context.SchedulerTimeType.Stride, count: Int?,
    _ options: Context.SchedulerOptions?
  ) {
    if let count, count < 0 { trap(.negativeCount(operator: "collect(_:options:)")) }
    timer = RestartableTimer(interval, scheduler, options: options)
    self.count = count
    buffer = Guarded(CollectByTimeBuffer(count: count))
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "CollectByTime" }

  @usableFromInline
  internal func show(in link: inout LinkState) { timer.show(in: &link, buffer.withLock { $0.elements.count }) }

  @_alwaysEmitIntoClient
  internal func schedule(_ block: @escaping () -> Void) {
    timer.scheduler.schedule(options: timer.options, block)
  }

  // MARK: Signals from downstream

  @_alwaysEmitIntoClient
  internal func request(_ demand: Subscribers.Demand, in shape: Shape) {
    guard demand != .none else { return }
    add(demand, in: shape)
    let values = count.map { demand * $0 } ?? .max(1)
    if values != .none { shape.requestUpstream(values) }
  }

  @_alwaysEmitIntoClient
  internal func upstreamDemand(
    for returned: Subscribers.Demand, in shape: Shape
  ) -> Subscribers.Demand {
    add(returned, in: shape)
    return count.map { returned * $0 } ?? .none
  }

  /// Adds demand, and delivers the values that have waited for it: a full array, or the values that upstream has left.
  @inlinable
  internal func add(_ demand: Subscribers.Demand, in shape: Shape) {
    shape.demand.add(demand)
    if count != nil { deliver(ifFull: true, in: shape) }
    // The lock is taken after the demand has been added, and the completion reads the demand under the lock: one of the
    // two sees the other.
    let appended = buffer.withLock { $0.holdsEnd ? appendRest(of: &$0, in: shape) : AppendedBatches() }
    scheduleTurns(of: appended, in: shape)
  }

  @_alwaysEmitIntoClient
  internal func cancelTimers(in shape: Shape) {
    timer.cancel()
  }

  @_alwaysEmitIntoClient
  internal func discard(in shape: Shape) {
    // Released outside the lock.
    let rest = buffer.withLock { $0.takeAll() }
    shape.noteDiscards(of: rest, .ended)
    withExtendedLifetime(rest) {}
  }

  // MARK: Signals from upstream

  @_alwaysEmitIntoClient
  internal func begin(in shape: Shape) {
    // Each of its alarms is a tick: nothing is fired.
    timer.set(()) { _ in
      { [weak shape] in
        if let shape { shape.stage.deliver(ifFull: false, in: shape) }
      }
    }
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input, in shape: Shape) -> Subscribers.Demand {
    let isFull = buffer.withLock { buffer in
      buffer.elements.append(input)
      return buffer.isFull
    }
    if isFull { deliver(ifFull: true, in: shape) }
    return count == nil ? .max(1) : .none
  }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Failure>, in shape: Shape) {
    // Appended to the queue before the lock is released, as in ``deliver(ifFull:in:)``.
    switch completion {
    case .finished:
      let appended = buffer.withLock { buffer in
        buffer.holdsEnd = true
        return appendRest(of: &buffer, in: shape)
      }
      scheduleTurns(of: appended, in: shape)
    case .failure:
      let (rest, isAppended) = buffer.withLock { ($0.takeAll(), shape.append(completion: completion)) }
      shape.noteDiscards(of: rest, .ended)
      withExtendedLifetime(rest) {}
      if isAppended { shape.scheduleTurn() }
    }
  }

  // MARK: Delivering

  /// Delivers an array, if there are values and demand.
  ///
  /// - Parameter ifFull: Whether only a full array is delivered, in a block that this schedules; otherwise the timer
  ///   calls.
  @inlinable
  internal func deliver(ifFull: Bool, in shape: Shape) {
    // Appended to the queue before the lock is released, so that no later array can overtake it.
    let batch = buffer.withLock { buffer -> (values: [Input], isAppended: Bool)? in
      let isDue = ifFull ? buffer.isFull : !buffer.elements.isEmpty
      guard !buffer.holdsEnd, isDue, shape.demand.takeOne() else { return nil }
      let values = buffer.takeBatch()
      return (values, shape.append(values))
    }
    guard let batch, batch.isAppended else { return }
    if ifFull { shape.scheduleTurn() } else { shape.takeTurn() }
  }

  /// Appends the values that upstream has left to the queue, as far as there is demand, and `.finished` after the last
  /// one.
  ///
  /// Called with the lock held, when the buffer holds the end.
  @_alwaysEmitIntoClient
  internal func appendRest(
    of buffer: inout CollectByTimeBuffer<Input>, in shape: Shape
  ) -> AppendedBatches<Input> {
    var appended = AppendedBatches<Input>()
    while !buffer.elements.isEmpty {
      guard shape.demand.takeOne() else { return appended }
      let batch = buffer.takeBatch()
      appended.batches.append(batch)
      if shape.append(batch) { appended.turns += 1 }
    }
    buffer.holdsEnd = false
    if shape.append(completion: .finished) { appended.turns += 1 }
    return appended
  }

  /// Schedules the turns of all appended events, in one block.
  @inlinable
  internal func scheduleTurns(of appended: AppendedBatches<Input>, in shape: Shape) {
    guard appended.turns > 0 else { return }
    schedule {
      for _ in 0..<appended.turns { shape.takeTurn() }
    }
  }
}
