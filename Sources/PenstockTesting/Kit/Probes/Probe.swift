// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscriber behind every recording and every rule: it logs each call with the demand, and lets the automaton
/// judge it.
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

  /// The log of the check in which it was made, to which it reports each break and what it has met; `nil` outside of
  /// checks.
  private let log = CheckLog.current
  /// What the check is doing, for the sentences of breaks.
  var label = ""
  /// Rules whose breaks count under the rule that is checked, because nothing else has been done.
  var ownRules: Set<Rule> = []
  /// Whether the check breaks rules itself from now on: what follows is no break of the subject's.
  var isRogue = false

  /// What the subscriber does in its callbacks, set before it subscribes.
  var onSubscription: ((Probe) -> Void)?
  /// Gets the number of the value, from 1; its result is returned to the publisher.
  var onValue: ((Probe, Int) -> Subscribers.Demand)?
  var onCompletion: ((Probe) -> Void)?
  /// What it does as it is freed.
  var onEnd: (() -> Void)?

  deinit { onEnd?() }

  /// Notes a call, lets the automaton judge it, and reports a break to the log.
  private func note(
    _ kind: StreamEvent.Kind, on thread: UInt, _ step: (inout StreamAutomaton) -> [Breach]
  ) -> (number: Int, inside: StreamEvent.Kind?) {
    let (number, inside, breaches, events) = state.with { state in
      let inside = state.automaton.inside(thread)
      let breaches = step(&state.automaton)
      state.note(kind, on: thread, inside: inside, breaches)
      return (
        state.automaton.ledger.delivered, inside.last, breaches, breaches.isEmpty || log == nil ? [] : state.events
      )
    }
    if let log, !isRogue {
      for breach in breaches where !ownRules.contains(breach.rule) {
        log.see(
          breach.rule, label.isEmpty ? breach.text : "\(label): \(breach.text)",
          trace: Trace(events, mark: (events.count - 1, breach.text)).description)
      }
    }
    return (number, inside)
  }

  // MARK: The subscriber

  func receive(subscription: any Subscription) {
    let thread = thisThread()
    let kind = StreamEvent.Kind.subscription(String(describing: subscription))
    let isEmpty = subscription.combineIdentifier == Subscriptions.empty.combineIdentifier
    state.with { $0.subscriptions.append(subscription) }
    _ = note(kind, on: thread) { automaton in
      defer { automaton.isEmpty = isEmpty }
      return automaton.begin(kind, on: thread)
    }
    log?.note(.subscriptions, on: thread)
    defer { end(on: thread) }
    onSubscription?(self)
  }

  func receive(value text: String, then record: () -> Void = {}) -> Subscribers.Demand {
    let thread = thisThread()
    let kind = StreamEvent.Kind.value(text)
    let number = note(kind, on: thread) { $0.begin(kind, on: thread) }.number
    log?.note(.values, on: thread)
    record()
    let more = onValue?(self, number) ?? .none
    state.with {
      $0.automaton.returned(more)
      if more > .none { $0.note(.returned(more), on: thread, inside: $0.automaton.inside(thread), []) }
    }
    end(on: thread)
    return more
  }

  /// - Parameter failure: The description of the failure; `nil` for `.finished`.
  func receive(failure: String?, then record: () -> Void = {}) {
    let thread = thisThread()
    let kind = failure.map(StreamEvent.Kind.failed) ?? .finished
    _ = note(kind, on: thread) { $0.begin(kind, on: thread) }
    log?.note(failure == nil ? .completions : .failures, on: thread)
    defer { end(on: thread) }
    record()
    onCompletion?(self)
  }

  /// A call of the publisher's returns.
  private func end(on thread: UInt) {
    state.with { $0.automaton.end(on: thread) }
    log?.wake()
  }

  // MARK: What the test does

  /// The latest subscription.
  var subscription: (any Subscription)? { state.with { $0.subscriptions.last } }

  func request(_ demand: Subscribers.Demand) {
    let thread = thisThread()
    var isOver = false
    let inside = note(.requested(demand), on: thread) { automaton in
      isOver = automaton.subscriptions > 0 && !automaton.isLive
      return automaton.request(demand)
    }.inside
    count(.requests, inside, (.requestsInSubscription, .requestsInValues, .requestsInCompletions))
    if isOver { log?.count(.requestsAfterEnd) }
    guard let subscription else { return }
    ChildProcess.underWay("request(_:)") { subscription.request(demand) }
  }

  func cancel() {
    let thread = thisThread()
    var isOver = false
    let inside = note(.cancelled, on: thread) { automaton in
      isOver = automaton.subscriptions > 0 && !automaton.isLive
      automaton.beginCancel(on: thread)
      return []
    }.inside
    count(.cancels, inside, (.cancelsInSubscription, .cancelsInValues, .cancelsInCompletions))
    if isOver { log?.count(.cancelsAfterEnd) }
    if let subscription { ChildProcess.underWay("cancel()") { subscription.cancel() } }
    state.with { $0.automaton.endCancel() }
  }

  /// Counts a call, and where it was made.
  private func count(
    _ call: Tally.Event, _ inside: StreamEvent.Kind?,
    _ places: (subscription: Tally.Event, value: Tally.Event, completion: Tally.Event)
  ) {
    guard let log else { return }
    log.count(call)
    switch inside {
    case .subscription: log.count(places.subscription)
    case .value: log.count(places.value)
    case .finished, .failed: log.count(places.completion)
    case .requested, .returned, .cancelled, nil: break
    }
  }

  /// Releases the subscriptions, as a subscriber does that no longer needs them.
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
  /// Whether nothing is under way and nothing is owed: either no demand is left, or nothing may come any more.
  var isServed: Bool {
    state.with { state in
      let automaton = state.automaton
      return automaton.subscriptions > 0 && automaton.running.isEmpty
        && (!automaton.isLive || automaton.ledger.outstanding == .none)
    }
  }
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
