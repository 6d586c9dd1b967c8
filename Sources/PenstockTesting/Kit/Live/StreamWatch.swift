// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The automaton of one live stream, with the latest of its calls.
final class StreamWatch: Sendable {
  private struct State {
    var automaton = StreamAutomaton()
    var events: [StreamEvent] = []
    var threads: [UInt] = []
  }

  private let state = Locked(State())
  private let name: String
  private let file: StaticString
  private let line: UInt

  init(name: String, file: StaticString, line: UInt) { (self.name, self.file, self.line) = (name, file, line) }

  func signal<Result>(_ kind: StreamEvent.Kind, isEmpty: Bool = false, _ pass: () -> Result) -> Result {
    let thread = thisThread()
    note(kind, .upstream, thread) { automaton in
      defer { if isEmpty { automaton.isEmpty = true } }
      return automaton.begin(kind, on: thread)
    }
    defer { state.with { $0.automaton.end(on: thread) } }
    return pass()
  }

  func returned(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    note(.returned(demand), .downstream, thisThread()) {
      $0.returned(demand)
      return []
    }
  }

  func request(_ demand: Subscribers.Demand) {
    note(.requested(demand), .downstream, thisThread()) { automaton in
      let breaches = automaton.request(demand)
      guard automaton.isEnded, !automaton.isEmpty else { return breaches }
      return breaches + [Breach(.dropsSubscription, "a request after the completion")]
    }
  }

  func cancel(_ pass: () -> Void) {
    let thread = thisThread()
    note(.cancelled, .downstream, thread) {
      $0.beginCancel(on: thread)
      return []
    }
    pass()
    state.with { $0.automaton.endCancel() }
  }

  private func note(
    _ kind: StreamEvent.Kind, _ side: StreamViolation.Side, _ thread: UInt, _ step: (inout StreamAutomaton) -> [Breach]
  ) {
    let (breaches, events) = state.with { state -> ([Breach], [StreamEvent]) in
      if !state.threads.contains(thread) { state.threads.append(thread) }
      let inside = state.automaton.inside(thread)
      let breaches = step(&state.automaton)
      let ledger = state.automaton.ledger
      state.events.append(
        StreamEvent(
          kind: kind, thread: state.threads.firstIndex(of: thread)!, inside: inside, granted: ledger.granted,
          delivered: ledger.delivered))
      // Enough to see what led to a break, and not too many for a stream that runs for days.
      if state.events.count > 32 { state.events.removeFirst() }
      return (breaches, breaches.isEmpty ? [] : state.events)
    }
    for breach in breaches {
      StreamViolation(
        rule: breach.rule, side: side, text: breach.text, name: name,
        trace: Trace(events, mark: (events.count - 1, breach.text)), file: file, line: line
      ).report()
    }
  }
}
