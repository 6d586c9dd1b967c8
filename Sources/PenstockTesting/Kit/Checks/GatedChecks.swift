// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules C that two threads show for certain: one is held inside a callback, and the other acts meanwhile.
enum GatedChecks {
  typealias Subject = PublisherSubject

  static let all: [Rule: Check<Subject>] = [
    .deliveriesDoNotOverlap: deliveriesDoNotOverlap, .cancelAtAnyInstant: cancelAtAnyInstant,
    .noLockWhileCalling: noLockWhileCalling, .requestsLoseNothing: requestsLoseNothing,
  ]

  static func requestsLoseNothing(_ subject: Subject) throws -> String {
    try subject.mustBeCold()
    let values = try subject.reference(40, .requestsLoseNothing, atLeast: 30)
    let race = Race(rounds: 30)
    while race.goesOn {
      let run = try subject.run(40, .requestsLoseNothing, "three threads request 10 each, one by one")
      run.subscribe()
      let request = { for _ in 0..<10 { run.probe.request(.max(1)) } }
      race.run([request, request, request])
      run.settle()
      let count = run.probe.values.count
      try run.expect(count == 30, "\(count) of 30 values came; \(race)")
      if run.probe.values != Array(values.prefix(30)) { throw run.broken("the values came in another order; \(race)") }
    }
    return "30 values requested by three threads: \(race)"
  }

  private enum Place: String, CaseIterable {
    case subscription = "receive(subscription:)"
    case value = "receive(_:)"
    case completion = "receive(completion:)"

    /// Has the probe act inside the callback, the first time.
    func set(_ probe: Probe, _ act: @escaping (Probe) -> Void) {
      switch self {
      case .subscription: probe.onSubscription = act
      case .value:
        probe.onValue = { probe, number in
          if number == 1 { act(probe) }
          return .none
        }
      case .completion: probe.onCompletion = act
      }
    }
  }

  /// Runs a call on another thread, inside a callback.
  ///
  /// - Returns: Whether the call has returned while the callback was held.
  private static func hold(
    _ subject: Subject, _ rule: Rule, _ place: Place, _ name: String, also own: Set<Rule> = [],
    _ call: @escaping @Sendable (Probe) -> Void
  ) throws -> (run: Run, hasReturned: Bool) {
    let run = try subject.run(4, rule, "\(name) on another thread, inside \(place.rawValue)", also: own)
    let hasReturned = Locked(true)
    place.set(run.probe) { probe in
      let box = Locked<Probe?>(probe)
      let isBack = comesBack { box.with { $0.take() }.map(call) }
      hasReturned.with { $0 = isBack }
    }
    run.subscribe()
    run.request(place == .completion ? Subject.plenty : .max(1))
    return (run, hasReturned.value)
  }

  static func deliveriesDoNotOverlap(_ subject: Subject) throws -> String {
    for place in [Place.value, .subscription] {
      let (run, hasReturned) = try hold(subject, .deliveriesDoNotOverlap, place, "request(2)") { $0.request(.max(2)) }
      if !hasReturned { throw Verdict.inconclusive("the request waits for the callback: look at C-05") }
      try run.judge()
    }
    return "requests of a second thread, while the first was held inside the subscription and a value"
  }

  static func cancelAtAnyInstant(_ subject: Subject) throws -> String {
    for place in Place.allCases {
      let (run, hasReturned) = try hold(
        subject, .cancelAtAnyInstant, place, "cancel()", also: [.silenceAfterCancel]
      ) { $0.cancel() }
      if !hasReturned { throw Verdict.inconclusive("the cancel waits for the callback: look at C-05") }
      if run.probe.state.with({ $0.automaton.isEmpty }) { continue }
      run.settle()
      try run.judge()
    }
    return "a cancel of a second thread, against the subscription, a value and the completion"
  }

  /// The calls of a subscriber's, with their names.
  static let calls: [(String, @Sendable (Probe) -> Void)] = [
    ("request(1)", { $0.request(.max(1)) }), ("cancel()", { $0.cancel() }),
  ]

  static func noLockWhileCalling(_ subject: Subject) throws -> String {
    for place in Place.allCases {
      for (name, call) in calls {
        let (run, hasReturned) = try hold(subject, .noLockWhileCalling, place, name, call)
        if !hasReturned { throw run.broken("the call has not returned before the callback: a lock is held") }
      }
    }
    return "request and cancel of a second thread returned while each callback was held"
  }
}
