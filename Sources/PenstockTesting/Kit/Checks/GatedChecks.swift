// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules C that two threads can show for certain: one is held inside a callback while the other acts.
enum GatedChecks {
  typealias Subject = PublisherUnderTest

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
      if subject.variation == .allButTheLast {
        // The number of values depends on when the requests come; the last value does not.
        run.request(PublisherUnderTest.plenty)
        try run.expect(
          subject.variation.agrees(run.probe.values, values),
          "the last value is \(run.probe.values.last ?? "missing"), where \(values.last ?? "none") is right; \(race)")
        continue
      }
      try run.expect(run.probe.values.count == 30, "\(run.probe.values.count) of 30 values came; \(race)")
      if !subject.variation.agrees(run.probe.values, first: 30, of: values) {
        throw run.broken("the values came in another order; \(race)")
      }
    }
    return "30 values requested by three threads: \(race)"
  }

  private enum Place: String, CaseIterable {
    case subscription = "receive(subscription:)"
    case value = "receive(_:)"
    case completion = "receive(completion:)"

    /// Makes the probe act inside the callback, the first time.
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
  ) throws -> (run: Trial, hasReturned: Bool) {
    let run = try subject.run(4, rule, "\(name) on another thread, inside \(place.rawValue)", also: own)
    let (hasReturned, log) = (Locked(true), CheckLog.current)
    place.set(run.probe) { probe in
      let box = Locked<Probe?>(probe)
      let isBack = comesBack { box.with { $0.take() }.map(call) }
      log?.count(.heldCalls)
      hasReturned.with { $0 = isBack }
    }
    run.start(place == .completion ? Subject.plenty : .max(1))
    return (run, hasReturned.value)
  }

  static func deliveriesDoNotOverlap(_ subject: Subject) throws -> String {
    for place in [Place.value, .subscription] {
      let (run, hasReturned) = try hold(subject, .deliveriesDoNotOverlap, place, "request(2)") { $0.request(.max(2)) }
      if !hasReturned { throw CheckEnd.inconclusive("the request waits for the callback: look at C-05") }
      try run.judge()
    }
    try oneThreadUnderLoad(subject)
    return "deliveries to one subscriber did not overlap"
  }

  /// A publisher with much to deliver may hand it to a second thread; the first value is held until that thread comes.
  private static func oneThreadUnderLoad(_ subject: Subject) throws {
    let run = try subject.run(1_000, .deliveriesDoNotOverlap, "1000 values at once, the first of which is held")
    let log = CheckLog.current
    run.probe.onValue = { _, number in
      if number == 1 { log?.holdForAnother() }
      return .none
    }
    run.start(.unlimited)
    try run.judge()
    // Again with a second request right after the first, before anything that the first has started can run. A subject
    // with threads gets a few attempts, since its threads may be quicker.
    for _ in 0..<(log?.isPatient == true ? 3 : 1) {
      let twice = try subject.run(
        1_500, .deliveriesDoNotOverlap, "700 and 700 values requested at once, the first of which is held")
      twice.probe.onValue = run.probe.onValue
      twice.attach()
      for _ in 0..<2 { twice.probe.request(.max(700)) }
      twice.settle()
      try twice.judge()
    }
  }

  static func cancelAtAnyInstant(_ subject: Subject) throws -> String {
    for place in Place.allCases {
      let (run, hasReturned) = try hold(
        subject, .cancelAtAnyInstant, place, "cancel()", also: [.silenceAfterCancel]
      ) { $0.cancel() }
      if !hasReturned { throw CheckEnd.inconclusive("the cancel waits for the callback: look at C-05") }
      if run.probe.state.with({ $0.automaton.isEmpty }) { continue }
      run.settle()
      try run.judgeSilence()
    }
    return "nothing came after a cancel of another thread"
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
    return "calls of another thread returned while a callback was held"
  }
}
