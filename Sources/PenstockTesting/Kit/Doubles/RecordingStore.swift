// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The typed events of a recording, and the tasks that wait for more of them.
final class RecordingStore<Input, Failure: Error>: Sendable {
  typealias Event = Recording<Input, Failure>.Event
  typealias Timed = Recording<Input, Failure>.Timed

  struct State {
    var events: [Event] = []
    /// Every call with its time, if the recording keeps times.
    var timed: [Timed] = []
    /// The number of events that the test has read.
    var read = 0
    var waiters: [(isMet: (State) -> Bool, waiter: Waiter)] = []

    var unread: ArraySlice<Event> { events[Swift.min(read, events.count)...] }

    var hasEnded: Bool { if case .completion = events.last { true } else { false } }
  }

  let state = Locked(State())

  /// Tells the time; `nil` if the recording keeps none.
  let time: (@Sendable () -> VirtualTime)?

  init(time: (@Sendable () -> VirtualTime)?) { self.time = time }

  func record(_ event: Event) {
    let call: Timed.Call =
      switch event {
      case .value(let value): .value(value)
      case .completion(let completion): .completion(completion)
      }
    // Read outside the lock: a scheduler is not the kit's code.
    let timed = time.map { Timed(time: $0(), call: call) }
    let woken = state.with { state in
      state.events.append(event)
      if let timed { state.timed.append(timed) }
      let met = state.waiters.filter { $0.isMet(state) }.map(\.waiter)
      state.waiters.removeAll { entry in met.contains { $0 === entry.waiter } }
      return met
    }
    for waiter in woken { waiter.wake(.arrived) }
  }

  /// Notes a call that is not an event for the test to read.
  func note(_ call: Timed.Call) {
    guard let time else { return }
    let timed = Timed(time: time(), call: call)
    state.with { $0.timed.append(timed) }
  }

  func request(_ demand: Subscribers.Demand, by probe: Probe) {
    note(.requested(demand))
    probe.request(demand)
  }

  func cancel(by probe: Probe) {
    note(.cancelled)
    probe.cancel()
  }

  /// Suspends until a condition is met; returns at once if it is already.
  func wait(within limit: Duration, until isMet: @escaping (State) -> Bool) async -> Waiter.Reason {
    let waiter = Waiter()
    let isThere = state.with { state in
      if isMet(state) { return true }
      state.waiters.append((isMet, waiter))
      return false
    }
    if isThere { return .arrived }
    let reason = await waiter.wait(within: limit)
    state.with { state in state.waiters.removeAll { $0.waiter === waiter } }
    return reason
  }
}

/// One suspended task, resumed once: by what it waits for, by its cancellation, or by the cap of its wait.
final class Waiter: Sendable {
  enum Reason: Sendable { case arrived, cancelled, capReached }

  private struct State {
    var reason: Reason?
    var continuation: CheckedContinuation<Reason, Never>?
  }

  private let state = Locked(State())

  func wake(_ reason: Reason) {
    let continuation = state.with { state in
      if state.reason == nil { state.reason = reason }
      return state.continuation.take()
    }
    continuation?.resume(returning: reason)
  }

  /// The cap makes no difference to a test that passes: it turns an endless wait into a failure that shows what came.
  func wait(within limit: Duration) async -> Reason {
    let cap = Task {
      // A clock traps at a date that it cannot count in 64 bits of nanoseconds.
      try await ContinuousClock().sleep(for: min(limit, .nanoseconds(Int64.max)))
      wake(.capReached)
    }
    defer { cap.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let reason = state.with { state in
          if state.reason == nil { state.continuation = continuation }
          return state.reason
        }
        if let reason { continuation.resume(returning: reason) }
      }
    } onCancel: {
      wake(.cancelled)
    }
  }
}

/// The subscriber of a recording; it does not keep the recording alive, since the test decides when that ends.
struct RecordingSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  let probe: Probe
  let store: RecordingStore<Input, Failure>
  let combineIdentifier = CombineIdentifier()

  var description: String { "Recording" }

  func receive(subscription: any Subscription) {
    store.note(.subscription)
    probe.receive(subscription: subscription)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let more = probe.receive(value: String(describing: input)) { store.record(.value(input)) }
    if more > .none { store.note(.returned(more)) }
    return more
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    var failure: String?
    if case .failure(let error) = completion { failure = String(describing: error) }
    probe.receive(failure: failure) { store.record(.completion(completion)) }
  }
}
