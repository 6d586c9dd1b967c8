// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscriber behind every recording and every rule: it logs each call with the demand, and has the automaton judge it.
///
/// It knows values by their descriptions only, so that the kit's rules are written once and compiled once. Any thread may
/// call it; no lock is held while a hook, the publisher or a description runs.
final class Probe: @unchecked Sendable {
  struct State {
    var automaton = StreamAutomaton()
    var events: [StreamEvent] = []
    var breaches: [(event: Int, breach: Breach)] = []
    var threads: [UInt] = []
    var subscriptions: [any Subscription] = []
    /// How many events are kept; more are counted only.
    var limit = 20_000

    mutating func note(_ kind: StreamEvent.Kind, on thread: UInt, inside: [StreamEvent.Kind], _ breaches: [Breach]) {
      if !threads.contains(thread) { threads.append(thread) }
      if events.count < limit {
        events.append(
          StreamEvent(
            kind: kind, thread: threads.firstIndex(of: thread)!, inside: inside, granted: automaton.ledger.granted,
            delivered: automaton.ledger.delivered))
      }
      for breach in breaches where self.breaches.count < 100 { self.breaches.append((events.count - 1, breach)) }
    }
  }

  let state = Locked(State())

  /// What the subscriber does in its callbacks, set before it subscribes.
  var onSubscription: ((Probe) -> Void)?
  /// Gets the number of the value, from 1; its result is returned to the publisher.
  var onValue: ((Probe, Int) -> Subscribers.Demand)?
  var onCompletion: ((Probe) -> Void)?
  /// What it does as it is freed.
  var onEnd: (() -> Void)?

  deinit { onEnd?() }

  // MARK: The subscriber

  func receive(subscription: any Subscription) {
    let thread = thisThread()
    let kind = StreamEvent.Kind.subscription(String(describing: subscription))
    let isEmpty = subscription.combineIdentifier == Subscriptions.empty.combineIdentifier
    state.with {
      let inside = $0.automaton.inside(thread)
      let breaches = $0.automaton.begin(kind, on: thread)
      $0.automaton.isEmpty = isEmpty
      $0.subscriptions.append(subscription)
      $0.note(kind, on: thread, inside: inside, breaches)
    }
    defer { state.with { $0.automaton.end(on: thread) } }
    onSubscription?(self)
  }

  func receive(value text: String, then record: () -> Void = {}) -> Subscribers.Demand {
    let thread = thisThread()
    let kind = StreamEvent.Kind.value(text)
    let number = state.with {
      let inside = $0.automaton.inside(thread)
      let breaches = $0.automaton.begin(kind, on: thread)
      $0.note(kind, on: thread, inside: inside, breaches)
      return $0.automaton.ledger.delivered
    }
    record()
    let more = onValue?(self, number) ?? .none
    state.with {
      $0.automaton.returned(more)
      if more > .none { $0.note(.returned(more), on: thread, inside: $0.automaton.inside(thread), []) }
      $0.automaton.end(on: thread)
    }
    return more
  }

  /// - Parameter failure: The description of the failure; `nil` for `.finished`.
  func receive(failure: String?, then record: () -> Void = {}) {
    let thread = thisThread()
    let kind = failure.map(StreamEvent.Kind.failed) ?? .finished
    state.with {
      let inside = $0.automaton.inside(thread)
      let breaches = $0.automaton.begin(kind, on: thread)
      $0.note(kind, on: thread, inside: inside, breaches)
    }
    defer { state.with { $0.automaton.end(on: thread) } }
    record()
    onCompletion?(self)
  }

  // MARK: What the test does

  /// The latest subscription.
  var subscription: (any Subscription)? { state.with { $0.subscriptions.last } }

  func request(_ demand: Subscribers.Demand) {
    let thread = thisThread()
    let subscription = state.with {
      let breaches = $0.automaton.request(demand)
      $0.note(.requested(demand), on: thread, inside: $0.automaton.inside(thread), breaches)
      return $0.subscriptions.last
    }
    subscription?.request(demand)
  }

  func cancel() {
    let thread = thisThread()
    let subscription = state.with {
      $0.automaton.beginCancel(on: thread)
      $0.note(.cancelled, on: thread, inside: $0.automaton.inside(thread), [])
      return $0.subscriptions.last
    }
    subscription?.cancel()
    state.with { $0.automaton.endCancel() }
  }

  /// Lets go of the subscriptions, as a subscriber does that is done with them.
  func dropSubscriptions() {
    let dropped = state.with { state in
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    _ = dropped
  }
}

extension Probe {
  var events: [StreamEvent] { state.with { $0.events } }
  var ledger: Ledger { state.with { $0.automaton.ledger } }
  var isEnded: Bool { state.with { $0.automaton.isEnded } }
  var breaches: [Breach] { state.with { $0.breaches.map(\.breach) } }
  var maxDepth: Int { state.with { $0.automaton.maxDepth } }

  /// The descriptions of the values, in order.
  var values: [String] {
    events.compactMap { if case .value(let text) = $0.kind { text } else { nil } }
  }

  /// The completions, in words.
  var ends: [String] {
    events.compactMap {
      switch $0.kind {
      case .finished: "finished"
      case .failed(let text): "failure \(text)"
      default: nil
      }
    }
  }

  /// The values and completions, for comparing one run with another.
  var output: [String] { values + ends }
}

/// The probe as a subscriber of a certain type.
struct ProbeSubscriber<Input, Failure: Error>: Subscriber {
  let probe: Probe
  let combineIdentifier: CombineIdentifier

  func receive(subscription: any Subscription) { probe.receive(subscription: subscription) }

  func receive(_ input: Input) -> Subscribers.Demand { probe.receive(value: String(describing: input)) }

  func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure(let error) = completion {
      probe.receive(failure: String(describing: error))
    } else {
      probe.receive(failure: nil)
    }
  }
}
