// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
internal import HeapModule
internal import PenstockCore

/// The state that a ``DeliveryQueue`` and its deliveries share: the values, the tasks that wait for them, and one alarm
/// for all dates.
///
/// Everything is behind one lock. Continuations are resumed, and tasks started, outside it.
@usableFromInline
internal final class DeliveryStore<Payload: Sendable>: AlarmOwner {
  internal struct Message: Sendable {
    let payload: Payload
    let subject: String
    let id: String?
    let headers: [String: String]
  }

  /// Whether the queue had a published value before, by its id, or why it has not been accepted.
  internal typealias Acceptance = Result<Bool, DeliveryError>

  /// A value that has been published.
  internal struct Entry: Sendable {
    let number: Int
    let message: Message
    /// When it was published.
    let date: Duration
  }

  private enum Phase {
    case ready
    /// Delivered, until its deadline.
    case unsettled
    /// Given back, until its delay has passed.
    case delayed
  }

  /// An entry, and what is known of it.
  private struct Held {
    let entry: Entry
    var phase = Phase.ready
    var attempt = 0
    /// The number of its last delivery; earlier ones do not count any more.
    var delivery = 0
    /// The number of the timer that counts; timers with other numbers are obsolete.
    var timer = 0
    var hasExpired = false
  }

  private struct Timer: Comparable {
    let date: Duration
    let number: Int
    let entry: Int

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.date, lhs.number) < (rhs.date, rhs.number) }
  }

  private struct Taker {
    let number: Int
    let count: Int
    let ledger: CreditLedger
    let done: @Sendable ([QueuedDelivery<Payload>]?) -> Void
  }

  private struct Publishing {
    let number: Int
    let message: Message
    let done: @Sendable (Acceptance) -> Void
  }

  private struct State {
    var held: [Int: Held] = [:]
    var ready: Deque<Int> = []
    var timers = Heap<Timer>()
    var takers: Deque<Taker> = []
    var publishing: Deque<Publishing> = []
    var isClosed = false
    /// Whether nothing more is delivered.
    var isDraining = false
    var ids = RecentIDs()
    /// The last number that was given to anything.
    var number = 0
    var counts = DeliveryCounts()

    mutating func nextNumber() -> Int {
      number += 1
      return number
    }
  }

  /// The work to be done outside the lock.
  private struct Work {
    var served: [(Taker, [QueuedDelivery<Payload>]?)] = []
    var published: [(Publishing, Acceptance)] = []
    /// The date at which something is due next.
    var date: Duration?
  }

  internal let deadline: Duration
  /// The deliveries that are not settled: the end waits for them.
  private let unsettled = Tally()
  private let capacity: Int
  private let duplicateWindow: Duration
  private let time: QueueTime
  private let alarm: Alarm
  private let state = Guarded(State())

  internal init(capacity: Int, deadline: Duration, duplicateWindow: Duration, time: QueueTime) {
    self.capacity = capacity
    self.duplicateWindow = duplicateWindow
    self.deadline = deadline
    self.time = time
    alarm = Alarm(time)
  }

  internal var counts: DeliveryCounts {
    state.withLock { state in
      var counts = state.counts
      counts.unsettled = state.held.count { $0.value.phase == .unsettled }
      counts.waiting = state.held.count - counts.unsettled
      return counts
    }
  }

  // MARK: Publishing

  internal func publish(_ message: Message) async throws(DeliveryError) {
    if Task.isCancelled { throw QueueErrors.cancelled }
    let acceptance: Acceptance = await result { cancellation, done in
      let number = publish(message, done)
      cancellation.onCancel { [self] in
        change { state, work in
          guard let place = state.publishing.firstIndex(where: { $0.number == number }) else { return }
          work.published.append((state.publishing.remove(at: place), .failure(QueueErrors.cancelled)))
        }
      }
    }
    _ = try acceptance.get()
  }

  /// Publishes a value after those before it, and calls back when it is accepted.
  ///
  /// - Returns: The number of the value while it waits.
  @discardableResult
  internal func publish(_ message: Message, _ done: @escaping @Sendable (Acceptance) -> Void) -> Int {
    let number = state.withLock { $0.nextNumber() }
    change { state, _ in state.publishing.append(Publishing(number: number, message: message, done: done)) }
    return number
  }

  internal func finish() { change { state, _ in state.isClosed = true } }

  /// Ends the streams, and waits until what they have delivered is settled.
  internal func drain(until end: ContinuousClock.Instant) async {
    change { state, _ in (state.isClosed, state.isDraining) = (true, true) }
    await unsettled.waitForZero(until: end)
  }

  // MARK: Taking

  /// Takes values, up to a number, as soon as there is one.
  ///
  /// - Returns: `nil` when there will be no more; nothing if the task has been cancelled.
  @usableFromInline
  internal func take(_ count: Int, _ ledger: CreditLedger) async -> [QueuedDelivery<Payload>]? {
    if Task.isCancelled { return [] }
    let number = state.withLock { $0.nextNumber() }
    ledger.ask(for: count)
    let taken: [QueuedDelivery<Payload>]? = await result { cancellation, done in
      change { state, _ in
        state.takers.append(Taker(number: number, count: count, ledger: ledger, done: done))
      }
      cancellation.onCancel { [self] in
        change { state, work in
          guard let place = state.takers.firstIndex(where: { $0.number == number }) else { return }
          work.served.append((state.takers.remove(at: place), []))
        }
      }
    }
    let came = taken?.count ?? 0
    ledger.use(came)
    ledger.handBack(count - came)
    return taken
  }

  // MARK: Settling

  /// Settles a delivery; without a disposition it has not been tried.
  internal func settle(_ entry: Entry, _ delivery: Int, _ disposition: DeliveryDisposition?) throws(DeliveryError) {
    try changeUnsettled(entry, delivery) { state, now in
      switch disposition {
      case nil:
        state.held[entry.number]?.attempt -= 1
        Self.makeReady(entry.number, &state)
      case .ack:
        state.held[entry.number] = nil
        state.counts.acknowledged += 1
      case .terminate:
        state.held[entry.number] = nil
        state.counts.terminated += 1
      case .nak(let delay):
        guard let delay, delay > .zero else { return Self.makeReady(entry.number, &state) }
        state.held[entry.number]?.phase = .delayed
        Self.setTimer(now + delay, entry.number, &state)
      }
    }
  }

  internal func extend(_ entry: Entry, _ delivery: Int) throws(DeliveryError) {
    try changeUnsettled(entry, delivery) { state, now in Self.setTimer(now + deadline, entry.number, &state) }
  }

  private func changeUnsettled(
    _ entry: Entry, _ delivery: Int, _ body: (inout State, _ now: Duration) -> Void
  ) throws(DeliveryError) {
    var error: DeliveryError?
    let now = time.now()
    change { state, _ in
      let held = state.held[entry.number]
      if let held, held.phase == .unsettled, held.delivery == delivery { return body(&state, now) }
      error = held?.hasExpired == true ? QueueErrors.expired : Settlement.settled
    }
    if let error { throw error }
  }

  // MARK: The state

  /// Changes the state, serves the tasks that wait, and sets the alarm.
  private func change(_ body: (inout State, inout Work) -> Void) {
    let now = time.now()
    let work = state.withLock { state -> Work in
      var work = Work()
      body(&state, &work)
      expire(now, &state)
      admit(now, &state, &work)
      serve(now, &state, &work)
      work.date = Self.firstDate(&state)
      return work
    }
    for (taker, deliveries) in work.served { taker.done(deliveries) }
    for (publishing, acceptance) in work.published { publishing.done(acceptance) }
    if let date = work.date { alarm.set(date, for: self) }
  }

  internal func ring() { change { _, _ in } }

  /// Makes the values that are due ready.
  private func expire(_ now: Duration, _ state: inout State) {
    while let timer = state.timers.min, timer.date <= now {
      state.timers.removeMin()
      guard let held = state.held[timer.entry], held.timer == timer.number else { continue }
      if held.phase == .unsettled {
        state.held[timer.entry]?.hasExpired = true
        state.counts.expired += 1
      }
      Self.makeReady(timer.entry, &state)
    }
  }

  private func admit(_ now: Duration, _ state: inout State, _ work: inout Work) {
    while let first = state.publishing.first {
      if state.isClosed {
        work.published.append((state.publishing.removeFirst(), .failure(QueueErrors.closed)))
      } else if state.ids.has(first.message.id, now) {
        work.published.append((state.publishing.removeFirst(), .success(true)))
      } else if state.held.count < capacity {
        let entry = Entry(number: state.nextNumber(), message: first.message, date: now)
        state.held[entry.number] = Held(entry: entry)
        state.ready.append(entry.number)
        state.ids.add(first.message.id, until: now + duplicateWindow)
        state.counts.published += 1
        work.published.append((state.publishing.removeFirst(), .success(false)))
      } else {
        return
      }
    }
  }

  private func serve(_ now: Duration, _ state: inout State, _ work: inout Work) {
    while let first = state.takers.first {
      if state.isDraining {
        work.served.append((state.takers.removeFirst(), nil))
      } else if !state.ready.isEmpty {
        var deliveries: [QueuedDelivery<Payload>] = []
        while deliveries.count < first.count, let number = state.ready.popFirst() {
          deliveries.append(deliver(number, first.ledger, now, &state))
        }
        work.served.append((state.takers.removeFirst(), deliveries))
      } else if state.isClosed, state.held.isEmpty {
        work.served.append((state.takers.removeFirst(), nil))
      } else {
        return
      }
    }
  }

  private func deliver(
    _ number: Int, _ ledger: CreditLedger, _ now: Duration, _ state: inout State
  ) -> QueuedDelivery<Payload> {
    var held = state.held[number]!
    held.phase = .unsettled
    held.attempt += 1
    held.delivery = state.nextNumber()
    if held.attempt > 1 { state.counts.redelivered += 1 }
    state.held[number] = held
    Self.setTimer(now + deadline, number, &state)
    let age = now - held.entry.date
    return QueuedDelivery(
      held.entry, self, Settlement(ledger, unsettled), number: held.delivery, attempt: held.attempt, age: age)
  }

  private static func makeReady(_ number: Int, _ state: inout State) {
    state.held[number]?.phase = .ready
    state.held[number]?.timer = 0
    state.ready.append(number)
  }

  private static func setTimer(_ date: Duration, _ entry: Int, _ state: inout State) {
    let timer = Timer(date: date, number: state.nextNumber(), entry: entry)
    state.held[entry]?.timer = timer.number
    state.timers.insert(timer)
    // Obsolete timers stay where they are, until they are more than those that count.
    guard state.timers.count > 2 * state.held.count + 16 else { return }
    let held = state.held
    state.timers = Heap(state.timers.unordered.filter { held[$0.entry]?.timer == $0.number })
  }

  /// Returns the date of the first timer that counts.
  private static func firstDate(_ state: inout State) -> Duration? {
    while let first = state.timers.min, state.held[first.entry]?.timer != first.number { state.timers.removeMin() }
    return state.timers.min?.date
  }
}
