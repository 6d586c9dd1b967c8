// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The typed events of a recording, and who waits for more of them.
final class RecordingStore<Input, Failure: Error>: Sendable {
  typealias Event = Recording<Input, Failure>.Event

  struct State {
    var events: [Event] = []
    /// The number of events that the test has read.
    var read = 0
    var waiters: [(isMet: (State) -> Bool, waiter: Waiter)] = []

    var unread: ArraySlice<Event> { events[Swift.min(read, events.count)...] }

    var hasEnded: Bool { if case .completion = events.last { true } else { false } }
  }

  let state = Locked(State())

  func record(_ event: Event) {
    let woken = state.with { state in
      state.events.append(event)
      let met = state.waiters.filter { $0.isMet(state) }.map(\.waiter)
      state.waiters.removeAll { entry in met.contains { $0 === entry.waiter } }
      return met
    }
    for waiter in woken { waiter.wake(.arrived) }
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

  /// The cap decides nothing about a test that passes: it turns a wait forever into a failure that shows what came.
  func wait(within limit: Duration) async -> Reason {
    let cap = Task {
      // A clock traps at a date that it cannot count, in nanoseconds in 64 bits.
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

/// The subscriber of a recording; it holds no reference to the recording, whose end the test decides.
struct RecordingSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  let probe: Probe
  let store: RecordingStore<Input, Failure>
  let combineIdentifier = CombineIdentifier()

  var description: String { "Recording" }

  func receive(subscription: any Subscription) { probe.receive(subscription: subscription) }

  func receive(_ input: Input) -> Subscribers.Demand {
    probe.receive(value: String(describing: input)) { store.record(.value(input)) }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    var failure: String?
    if case .failure(let error) = completion { failure = String(describing: error) }
    probe.receive(failure: failure) { store.record(.completion(completion)) }
  }
}
