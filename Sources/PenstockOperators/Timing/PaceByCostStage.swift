// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// The stage of `pace` with a cost for each value, which is known only when the value has arrived: one value at a time
/// is requested, and waits until the bucket has its tokens.
@usableFromInline
internal struct PaceByCostStage<Output, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal typealias Time = Context.SchedulerTimeType

  @usableFromInline
  internal struct State {
    @usableFromInline internal var bucket: TokenBucket<Time>
    /// The value that waits for tokens, with its cost; there are several only if upstream delivers values that were not
    /// requested.
    @usableFromInline internal var waiting: Deque<(value: Output, cost: Int)> = []
    /// The completion, which waits until that value has been delivered.
    @usableFromInline internal var ending: Subscribers.Completion<Failure>?
    /// Whether a value has been requested from upstream and has not arrived.
    @usableFromInline internal var isAwaited = false
    @usableFromInline internal var hasEnded = false
    /// How many values have left, and have not been delivered: the next one is requested after that.
    @usableFromInline internal var leaving = 0
    /// The date of the timer, if it is set.
    @usableFromInline internal var alarm: Time?
    /// The date at which the timer has fired, if the clock was earlier than that.
    @usableFromInline internal var known: Time?
    /// Whether a thread is at work, and whether it has to check once more.
    @usableFromInline internal var isWorking = false
    @usableFromInline internal var looksAgain = false

    @inlinable
    internal init(_ bucket: TokenBucket<Time>) { self.bucket = bucket }
  }

  /// What a thread has to do, outside the lock.
  @usableFromInline
  internal struct Step {
    @usableFromInline internal var turns = 0
    @usableFromInline internal var asks = false
    @usableFromInline internal var alarm: Time?

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let timer: RestartableTimer<Void, Context>
  @usableFromInline internal let cost: (Output) -> Int
  @usableFromInline internal let state: Guarded<State>

  @inlinable
  internal init(
    _ bucket: TokenBucket<Time>, timer: consuming RestartableTimer<Void, Context>, cost: @escaping (Output) -> Int
  ) {
    self.timer = timer
    self.cost = cost
    state = Guarded(State(bucket))
  }

  @inlinable
  internal static var name: String { "Pace" }

  @inlinable
  internal static var countsDemand: Bool { true }

  @inlinable
  internal var prefetch: Subscribers.Demand { .none }

  @inlinable
  internal static var followsDeliveries: Bool { true }

  @inlinable
  internal static var keepsForLong: Bool { true }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    timer.scheduler.schedule(options: timer.options, block)
  }

  // MARK: Signals

  @inlinable
  internal func request(_ demand: Subscribers.Demand, in shape: Shape) {
    shape.demand.add(demand)
    work(in: shape)
  }

  @inlinable
  internal func upstreamDemand(for returned: Subscribers.Demand, in shape: Shape) -> Subscribers.Demand {
    if returned != .none { shape.demand.add(returned) }
    state.withLock { $0.leaving -= 1 }
    work(in: shape)
    return .none
  }

  @inlinable
  internal func receive(_ input: Output, in shape: Shape) -> Subscribers.Demand {
    let price = cost(input)
    require(price >= 0, of: "pace(cost:)", rule: "a cost of 0 or more", given: price)
    // A cancel looks for remaining values under the lock, after it has closed the stream: so no value stays.
    let isKept = state.withLock { state in
      if shape.isClosed { return false }
      state.isAwaited = false
      state.waiting.append((input, price))
      return true
    }
    if isKept { work(in: shape) } else { shape.noteDiscard(input, .ended) }
    return .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>, in shape: Shape) {
    state.withLock { state in
      state.hasEnded = true
      state.ending = completion
    }
    work(in: shape)
  }

  @inlinable
  internal func cancelTimers(in shape: Shape) {
    // A value may still wait when upstream has completed.
    if shape.isClosed { timer.cancel() }
  }

  @inlinable
  internal func discard(in shape: Shape) {
    // Released outside the lock.
    var rest: Deque<(value: Output, cost: Int)> = []
    state.withLock { swap(&rest, &$0.waiting) }
    shape.noteDiscards(of: rest.map(\.value), .ended)
  }

  // MARK: Work

  /// Does the pending work, one thread at a time: work that other threads find meanwhile is done by the same thread.
  ///
  /// So no value is requested within the request for another one, and there is no recursion.
  @inlinable
  internal func work(in shape: Shape) {
    let begins = state.withLock { state in
      if state.isWorking { state.looksAgain = true }
      return !exchange(&state.isWorking, with: true)
    }
    guard begins else { return }
    repeat {
      let now = timer.scheduler.now
      let step = state.withLock { decide(&$0, now, in: shape) }
      if step.turns > 0 { for _ in 0..<step.turns { shape.takeTurn() } }
      if step.asks { shape.requestUpstream(.max(1)) }
      if let alarm = step.alarm { timer.set((), at: alarm) { number in { shape.stage.fire(number, in: shape) } } }
    } while state.withLock({ state in
      state.isWorking = state.looksAgain
      return exchange(&state.looksAgain, with: false)
    })
  }

  /// Called under the lock.
  @inlinable
  internal func decide(_ state: inout State, _ clock: Time, in shape: Shape) -> Step {
    var step = Step()
    if shape.isClosed { return step }
    let isAwaited = state.known != nil || state.alarm != nil
    if state.bucket.refill(at: clock, knowing: state.known, isAwaited: isAwaited) <= clock { state.known = nil }
    while let first = state.waiting.first, state.bucket.tokens >= price(of: first.cost, state.bucket),
      shape.demand.takeOne()
    {
      state.bucket.take(first.cost)
      // Appended to the queue before the lock is released, so that no later value can overtake it.
      if shape.append(state.waiting.removeFirst().value) {
        step.turns += 1
        state.leaving += 1
      }
    }
    if state.waiting.isEmpty, let completion = state.ending.take(), shape.append(completion: completion) {
      step.turns += 1
    }
    guard shape.demand.balance != .none else { return step }
    if let first = state.waiting.first {
      setAlarm(price(of: first.cost, state.bucket), &state, &step)
    } else if !state.isAwaited, !state.hasEnded, state.leaving == 0 {
      if state.bucket.tokens >= 1 {
        state.isAwaited = true
        step.asks = true
      } else {
        setAlarm(1, &state, &step)
      }
    }
    return step
  }

  /// Returns how many tokens a value needs before it is delivered: a value that costs more than the bucket holds leaves
  /// it in debt.
  @inlinable
  internal func price(of cost: Int, _ bucket: TokenBucket<Time>) -> Int { min(cost, bucket.ceiling) }

  /// Called under the lock.
  @inlinable
  internal func setAlarm(_ tokens: Int, _ state: inout State, _ step: inout Step) {
    guard state.alarm == nil else { return }
    let date = state.bucket.date(of: tokens)
    state.alarm = date
    step.alarm = date
  }

  /// Called by the timer.
  @inlinable
  internal func fire(_ number: UInt, in shape: Shape) {
    guard timer.fire(number, block: { number in { shape.stage.fire(number, in: shape) } }, { true }) else { return }
    state.withLock { state in state.known = exchange(&state.alarm, with: nil) }
    work(in: shape)
  }

  @inlinable
  internal func mirrorChildren(in shape: Shape) -> [(label: String?, value: Any)] {
    [("downstream", shape.underlying as Any), ("downstreamDemand", shape.demand.balance)]
  }
}
