// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The stage of `collect` by count, weight and time.
///
/// One batch is in the queue at a time. When it has been delivered, the stage looks for the next one, and requests as
/// many values from upstream as the delivery has made room for: so the scheduler, too, holds upstream back.
@usableFromInline
internal struct CollectByWeightStage<Input, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal typealias Output = [Input]

  /// Set to the number of the open batch; stopped while there is none.
  @usableFromInline internal let timer: RestartableTimer<UInt, Context>
  @usableFromInline internal let weightOf: (Input) -> Int
  @usableFromInline internal let prefetch: Subscribers.Demand
  @usableFromInline internal let batches: Guarded<WeightedBatches<Input>>

  @inlinable
  internal init(
    upTo count: Int, weight maxWeight: Int, timer: consuming RestartableTimer<UInt, Context>,
    weightOf: @escaping (Input) -> Int
  ) {
    self.timer = timer
    self.weightOf = weightOf
    prefetch = .max(count)
    batches = Guarded(WeightedBatches(count: count, maxWeight: maxWeight))
  }

  @inlinable
  internal static var name: String { "CollectByWeight" }

  @inlinable
  internal static var countsDemand: Bool { true }

  @inlinable
  internal static var followsDeliveries: Bool { true }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    timer.scheduler.schedule(options: timer.options, block)
  }

  // MARK: Signals from downstream

  @inlinable
  internal func request(_ demand: Subscribers.Demand, in shape: Shape) {
    // Added before the lock is taken, and checked under the lock: either this call or the other side sees that a batch
    // may leave.
    shape.demand.add(demand)
    proceed(in: shape)
  }

  @inlinable
  internal func upstreamDemand(for returned: Subscribers.Demand, in shape: Shape) -> Subscribers.Demand {
    if returned != .none { shape.demand.add(returned) }
    let (room, isTakingTurns) = batches.withLock { ($0.noteDelivery(), $0.isTakingTurns) }
    if !isTakingTurns { proceed(in: shape) }
    return .max(room)
  }

  @inlinable
  internal func cancelTimers(in shape: Shape) {
    timer.cancel()
  }

  @inlinable
  internal func discard(in shape: Shape) {
    // Released outside the lock.
    let rest = batches.withLock { $0.takeAll() }
    shape.noteDiscards(of: rest, .ended)
    withExtendedLifetime(rest) {}
  }

  // MARK: Signals from upstream

  @inlinable
  internal func receive(_ input: Input, in shape: Shape) -> Subscribers.Demand {
    let weight = weightOf(input)
    require(weight >= 0, of: "collect(weightOf:)", rule: "a weight of 0 or more", given: weight)
    // A cancel looks for remaining values under the lock, after it has closed the stream: so no value stays.
    let change = batches.withLock { shape.isClosed ? nil : $0.append(input, weight: weight) }
    switch change {
    case .joined: break
    case .began(let number, let completesAnother):
      timer.set(number) { alarm in { shape.stage.fire(alarm, in: shape) } }
      if completesAnother { proceed(in: shape) }
    case .completed:
      timer.pause()
      proceed(in: shape)
    case nil: shape.noteDiscard(input, .ended)
    }
    return .none
  }

  /// Delivers the batch whose time is over; called by the timer.
  @inlinable
  internal func fire(_ alarm: UInt, in shape: Shape) {
    var due: UInt?
    let hasFired = timer.fire(alarm, block: { alarm in { shape.stage.fire(alarm, in: shape) } }) {
      due = $0
      return true
    }
    guard hasFired else { return }
    // The batch may have been completed meanwhile.
    batches.withLock { if $0.openNumber == due { $0.isDue = true } }
    takeTurns(handOver(in: shape), in: shape)
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>, in shape: Shape) {
    switch completion {
    case .finished:
      batches.withLock { $0.holdsEnd = true }
      proceed(in: shape)
    case .failure:
      // Appended to the queue before the lock is released, so that no batch can follow it.
      let (rest, isAppended) = batches.withLock { ($0.takeAll(), shape.append(completion: completion)) }
      shape.noteDiscards(of: rest, .ended)
      withExtendedLifetime(rest) {}
      if isAppended { shape.scheduleTurn() }
    }
  }

  // MARK: Delivering

  /// Schedules the delivery of the first batch, if it may leave.
  @inlinable
  internal func proceed(in shape: Shape) {
    let turns = handOver(in: shape)
    if turns > 0 { schedule { shape.stage.takeTurns(turns, in: shape) } }
  }

  /// Takes turns, and then delivers what may leave, in a loop: with a scheduler that runs its blocks at once, the
  /// blocks would recurse otherwise.
  ///
  /// Called by the scheduler.
  @inlinable
  internal func takeTurns(_ count: Int, in shape: Shape) {
    if count == 0 { return }
    batches.withLock { $0.isTakingTurns = true }
    var turns = count
    while turns > 0 {
      for _ in 0..<turns { shape.takeTurn() }
      turns = handOver(in: shape, continuing: true)
    }
  }

  /// Appends the first batch to the queue, if it may leave and is requested, and `.finished` after the last one.
  ///
  /// - Parameter continuing: Whether the caller is taking turns, and stops when there are none left.
  /// - Returns: The number of turns to take.
  @inlinable
  internal func handOver(in shape: Shape, continuing: Bool = false) -> Int {
    var late: [Input] = []
    // Appended to the queue before the lock is released, so that no later batch can overtake it.
    let turns = batches.withLock { batches in
      var turns = 0
      if batches.isReady, shape.demand.takeOne() {
        let batch = batches.takeFirst()
        if shape.append(batch) { turns = 1 } else { late = batch }
      }
      if batches.takeEnd(), shape.append(completion: .finished) { turns += 1 }
      if continuing { batches.isTakingTurns = turns > 0 }
      return turns
    }
    shape.noteDiscards(of: late, .ended)
    return turns
  }

  @inlinable
  internal func mirrorChildren(in shape: Shape) -> [(label: String?, value: Any)] {
    [
      ("downstream", shape.underlying as Any), ("downstreamDemand", shape.demand.balance),
      ("count", batches.withLock { $0.held }),
    ]
  }
}
