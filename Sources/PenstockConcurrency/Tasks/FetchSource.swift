// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
internal import Synchronization

/// The rules for when values are fetched, and how many.
@usableFromInline
internal struct FetchRules: Sendable {
  /// How many values a call asks for.
  internal let batch: ClosedRange<Int>
  /// The number of values, beyond what is requested, at which the next call begins; `nil` if nothing is read ahead.
  internal let lowMark: Int?
  /// How many calls run at a time.
  internal let maxCalls: Int
  /// Whether values are sent for credit, and not returned by calls.
  internal let givesCredit: Bool

  @usableFromInline
  internal init(_ batch: ClosedRange<Int>, lowMark: Int?, maxCalls: Int, givesCredit: Bool = false) {
    self.batch = batch
    self.lowMark = lowMark
    self.maxCalls = maxCalls
    self.givesCredit = givesCredit
  }

  /// Whether the loop itself waits for the call, because it has nothing else to do meanwhile.
  @usableFromInline internal var callsInTurn: Bool { lowMark == nil && maxCalls == 1 && !givesCredit }

  /// Returns how many values to ask for.
  ///
  /// - Parameters:
  ///   - demand: The demand that has not been met.
  ///   - held: The number of values that have been fetched, or are being fetched.
  /// - Returns: `nil` if nothing is to be fetched now.
  internal func count(for demand: Subscribers.Demand, held: Int) -> Int? {
    guard let requested = demand.max else { return batch.upperBound }
    let missing: Int
    if let lowMark {
      // A batch is read ahead, and the next one when no more than the mark is left of it.
      guard held <= requested || held - requested <= lowMark else { return nil }
      let (sum, overflows) = requested.addingReportingOverflow(batch.upperBound - held)
      missing = overflows ? .max : sum
    } else {
      guard requested > held else { return nil }
      missing = requested - held
    }
    return min(max(missing, batch.lowerBound), batch.upperBound)
  }
}

/// The source of fetched values for one subscriber: the demand, and what the loop of the subscriber's task has to do.
///
/// Not generic, so that the code for each request is specialised. The values belong to the loop; here they are only
/// counted.
@usableFromInline
internal final class FetchSource: SubscriptionSource, @unchecked Sendable {
  // `@unchecked`: all state is behind the lock. The subscriber may be of any type; only the task calls it, and, before
  // the task starts, the thread that introduces it.

  /// What the loop has to do.
  @usableFromInline
  internal enum Step {
    /// Deliver a number of values.
    case deliver(Int, to: ErasedSubscriber)
    /// Fetch values, and wait for them.
    case fetch(Int)
    /// Have a task fetch values.
    case start(Int)
    /// Take the values that other tasks have fetched.
    case collect
    /// Cancel the other tasks: one has failed.
    case cancelCalls
    case complete(ErasedSubscriber)
    case stop
  }

  private struct State {
    /// `nil` before the subscription, and after a cancel or the end.
    var downstream: ErasedSubscriber?
    var demand = Subscribers.Demand.none
    /// The number of values that the loop has.
    var held = 0
    /// The number of values that other tasks have fetched, and the loop has not taken.
    var arrived = 0
    /// The number of values for which the running calls have been asked, or for which credit has been given; each call
    /// may have been asked for `Int.max`.
    var inFlight: Int128 = 0
    var calls = 0
    /// Whether the source gets no credit for now.
    var isPaused = false
    /// Whether nothing more is fetched.
    var isEnding = false
    /// Whether the end does not wait for the delivery of what has come.
    var isDraining = false
    var hasFailed = false
    /// The loop while it waits.
    var waiter: UnsafeContinuation<Void, Never>?
    var task: Task<Void, Never>?

    /// - Returns: What the loop has to do; `nil` if there is nothing.
    mutating func next(_ rules: FetchRules) -> Step? {
      guard let downstream else { return .stop }
      if arrived > 0 {
        held += arrived
        arrived = 0
        return .collect
      }
      if hasFailed, calls > 0 {
        hasFailed = false
        return .cancelCalls
      }
      // Other tasks fetch values while values are delivered.
      if !rules.callsInTurn, let count = begin(rules) { return .start(count) }
      if held > 0, demand != .none {
        let count = min(held, demand.max ?? .max)
        demand -= count
        held -= count
        return .deliver(count, to: downstream)
      }
      if isEnding {
        guard held == 0 || isDraining, calls == 0 else { return nil }
        self.downstream = nil
        return .complete(downstream)
      }
      if rules.callsInTurn, let count = begin(rules) { return .fetch(count) }
      return nil
    }

    /// Records the beginning of a call, if one is due.
    private mutating func begin(_ rules: FetchRules) -> Int? {
      if rules.givesCredit {
        // As long as half of the credit is left, more is not worth a request.
        let wanted = isEnding || isPaused ? nil : rules.count(for: demand, held: held)
        guard let wanted, inFlight * 2 <= wanted else { return nil }
        defer { inFlight = Int128(wanted) }
        return wanted - Int(inFlight)
      }
      let held = Int(clamping: Int128(held) + inFlight)
      guard !isEnding, calls < rules.maxCalls, let count = rules.count(for: demand, held: held) else { return nil }
      calls += 1
      inFlight += Int128(count)
      return count
    }
  }

  private let state = Guarded(State())
  @usableFromInline internal let rules: FetchRules
  /// Whether nothing more may be delivered; read for each value.
  @usableFromInline internal let isOver = AtomicCell(false)

  @usableFromInline
  internal init(_ rules: FetchRules) { self.rules = rules }

  // MARK: Signals from downstream

  @usableFromInline
  internal func keep(_ downstream: ErasedSubscriber, of subscription: SourceSubscription) {
    state.withLock { $0.downstream = downstream }
  }

  @usableFromInline
  internal func show(in link: inout LinkState) {
    let now = state.withLock { $0 }
    (link.downstream, link.demand, link.waiting) = (now.downstream, now.demand, now.held + now.arrived)
    if now.calls > 0 { link.wait = .result }
  }

  @usableFromInline
  internal func request(_ demand: Subscribers.Demand) {
    let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      state.demand += demand
      return state.waiter.take()
    }
    waiter?.resume()
  }

  @usableFromInline
  internal func cancel(_ subscription: SourceSubscription) {
    isOver.store(true, ordering: .relaxed)
    // The subscriber is released at once, however long a call takes to notice.
    let (last, waiter, task) = state.withLock { ($0.downstream.take(), $0.waiter.take(), $0.task.take()) }
    task?.cancel()
    waiter?.resume()
    withExtendedLifetime(last) {}
  }

  // MARK: The task

  /// Starts the task, unless a cancel has come first.
  @usableFromInline
  internal func start(_ makeTask: () -> Task<Void, Never>) {
    if state.withLock({ $0.downstream == nil }) { return }
    let task = makeTask()
    let isOver = state.withLock { state in
      if state.downstream != nil { state.task = task }
      return state.downstream == nil
    }
    if isOver { task.cancel() }
  }

  /// Tells the loop what to do, and waits until there is something.
  ///
  /// - Parameter more: The demand that the subscriber has returned for the values of the last step.
  @usableFromInline
  internal func next(adding more: Subscribers.Demand) async -> Step {
    var more = more
    while true {
      let step = state.withLock { state in
        state.demand += more
        return state.next(rules)
      }
      if let step { return step }
      more = .none
      await state.suspend { state, waiter in
        // Only looks, at a copy: the loop repeats the decision when it continues.
        var copy = state
        if copy.next(rules) != nil { return () }
        state.waiter = waiter
        return nil
      }
    }
  }

  /// Records that a call has returned.
  ///
  /// - Parameters:
  ///   - count: How many values it has returned.
  ///   - asked: How many it was asked for.
  ///   - isLast: Whether there are no others.
  ///   - isFailure: Whether it has failed.
  @usableFromInline
  internal func note(return count: Int, asked: Int, isLast: Bool = false, isFailure: Bool = false) {
    let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      state.calls -= 1
      state.inFlight -= Int128(asked)
      if isLast || isFailure { state.isEnding = true }
      if isFailure { state.hasFailed = true }
      if rules.callsInTurn { state.held += count } else { state.arrived += count }
      return state.waiter.take()
    }
    waiter?.resume()
  }

  // MARK: Credit

  /// Records that a value has been sent.
  ///
  /// - Returns: Whether there was credit for it, and how many values wait.
  @usableFromInline
  internal func noteArrival() -> (hadCredit: Bool, waiting: Int) {
    change { state in
      let hadCredit = state.inFlight > 0
      if hadCredit { state.inFlight -= 1 }
      state.arrived += 1
      return (hadCredit, state.held + state.arrived)
    }
  }

  /// The credit that has been given and not used.
  internal var credit: Int { state.withLock { Int($0.inFlight) } }

  /// Takes back credit, as much as there is.
  ///
  /// - Returns: How much that is.
  internal func takeCredit(_ count: Int) -> Int {
    change { state in
      let credit = min(Int(state.inFlight), count)
      state.inFlight -= Int128(credit)
      return credit
    }
  }

  internal func pause(_ isPaused: Bool) { change { $0.isPaused = isPaused } }

  /// Ends the stream, after what has come; or before that, if it is drained.
  internal func end(isDraining: Bool) { change { ($0.isEnding, $0.isDraining) = (true, isDraining) } }

  /// Changes the state, and wakes the loop to look at it.
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, waiter) = state.withLock { (body(&$0), $0.waiter.take()) }
    waiter?.resume()
    return result
  }
}
