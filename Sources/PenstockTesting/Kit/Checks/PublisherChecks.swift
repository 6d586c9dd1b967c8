// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A check; the string that it returns says why the rule held.
typealias Check<Subject> = @Sendable (Subject) throws -> String

/// The rules P, as scripts on one thread.
enum PublisherChecks {
  typealias Subject = PublisherUnderTest

  static let all: [Rule: Check<Subject>] = [
    .oneSubscription: oneSubscription, .subscriptionFirst: subscriptionFirst, .valuesWithinDemand: valuesWithinDemand,
    .bothRoadsCount: bothRoadsCount, .keepsUnrequested: keepsUnrequested,
    .silenceAfterCompletion: silenceAfterCompletion, .endsWithoutDemand: endsWithoutDemand,
    .pausesWithoutEnd: pausesWithoutEnd, .saysFailure: saysFailure, .independentSubscriptions: independentSubscriptions,
    .readyBeforeSubscription: readyBeforeSubscription, .demandPerSubscriber: demandPerSubscriber,
    .orderKept: orderKept, .subscribesPromptly: subscribesPromptly, .survivesSubscriber: survivesSubscriber,
  ]

  static func oneSubscription(_ subject: Subject) throws -> String {
    for count in [0, 3] {
      let run = try subject.run(count, .oneSubscription, "\(count) values")
      run.start(PublisherUnderTest.plenty)
      if run.probe.state.with({ $0.automaton.subscriptions == 0 }) {
        throw run.broken("the subscriber got no subscription")
      }
      try run.judge()
    }
    return "each subscriber got one subscription"
  }

  static func subscriptionFirst(_ subject: Subject) throws -> String {
    for count in [0, 1, 3] {
      let run = try subject.run(count, .subscriptionFirst, "\(count) values")
      run.start(PublisherUnderTest.plenty)
      try run.judge()
    }
    return "nothing came before the subscription"
  }

  static func valuesWithinDemand(_ subject: Subject) throws -> String {
    if subject.finite != nil { try demandInsideValues(subject) }
    if let ticking = subject.ticking { try TimeChecks.valuesWithinDemand(ticking.make(), every: ticking.interval) }
    if subject.finite == nil, subject.ticking != nil { return "no more ticks came than were requested" }
    for demand in 0...3 {
      let run = try subject.run(5, .valuesWithinDemand, "\(demand) of 5 values requested")
      run.start(.max(demand))
      try run.judge()
      run.request(1)
      try run.judge()
    }
    return "no more came than was requested, of 0 to 3 and one more"
  }

  /// Demand that comes while values are delivered, past the sizes of pages and blocks.
  private static func demandInsideValues(_ subject: Subject) throws {
    // A publisher that gets the simplest case wrong breaks S-03.
    let simple = try subject.run(6, .valuesWithinDemand, "", also: [.valuesWithinDemand]) {
      $0.onValue = { probe, number in
        if number == 1 { probe.request(.max(1)) }
        return .none
      }
    }
    simple.start(.max(1))
    if !simple.probe.breaches.isEmpty { return }
    for (first, more) in [(3, 9), (9, 3), (1, 20)] {
      let run = try subject.run(40, .valuesWithinDemand, "\(first) requested, \(more) more inside value 1 and value 4")
      {
        $0.onValue = { probe, number in
          if number == 1 { probe.request(.max(more)) }
          return number == 4 ? .max(more) : .none
        }
      }
      run.start(.max(first))
      try run.judge()
    }
  }

  static func bothRoadsCount(_ subject: Subject) throws -> String {
    if subject.ticking != nil { return try TimeChecks.bothRoadsCount(subject) }
    try subject.mustBeCold()
    let values = try subject.reference(6, .bothRoadsCount, atLeast: 4)
    // Each way grants four values.
    let ways = [
      Way("4 requested") { $0.request(4) },
      Way("1 and 3 requested") {
        $0.request(1)
        $0.request(3)
      },
      Way("1 requested, 3 returned, one for a value") {
        $0.probe.onValue = { _, number in number < 4 ? .max(1) : .none }
        $0.request(1)
      },
      Way("1 requested, 3 returned at once") {
        $0.probe.onValue = { _, number in number == 1 ? .max(3) : .none }
        $0.request(1)
      },
      Way("2 requested, 2 more inside a value") {
        $0.probe.onValue = { probe, number in
          if number == 1 { probe.request(.max(2)) }
          return .none
        }
        $0.request(2)
      },
      Way("2 requested, 1 more and 1 returned inside a value") {
        $0.probe.onValue = { probe, number in
          if number == 1 { probe.request(.max(1)) }
          return number == 1 ? .max(1) : .none
        }
        $0.request(2)
      },
    ]
    for way in ways {
      let run = try subject.run(6, .bothRoadsCount, way.label)
      run.subscribe()
      way.act(run)
      try run.expect(
        subject.variation.agrees(run.probe.values, first: 4, of: values),
        "4 values granted, and there came \(listed(run.probe.values)), of \(listed(values))")
    }
    return "4 values came, granted in \(ways.count) ways"
  }

  /// A way to request values.
  private struct Way {
    let label: String
    let act: (Trial) -> Void

    init(_ label: String, _ act: @escaping (Trial) -> Void) { (self.label, self.act) = (label, act) }
  }

  static func keepsUnrequested(_ subject: Subject) throws -> String {
    try subject.mustBeCold()
    let run = try subject.run(4, .keepsUnrequested, "requested after the subscription only")
    run.subscribe()
    run.settle()
    run.request(PublisherUnderTest.plenty)
    try run.judge()
    let early = try subject.run(4, .keepsUnrequested, "requested inside the subscription") {
      $0.onSubscription = { $0.request(PublisherUnderTest.plenty) }
    }
    early.subscribe()
    try early.judge()
    // A publisher that ignores a request inside the handshake breaks another rule.
    try run.expect(
      subject.variation.agrees(run.probe.output, early.probe.output) || early.probe.output.isEmpty,
      "requested late: \(listed(run.probe.output)); requested at once: \(listed(early.probe.output))")
    let values = try subject.reference(10, .keepsUnrequested)
    for count in 1...4 where count < values.count && subject.variation == nil {
      let paused = try subject.run(10, .keepsUnrequested, "\(count) at a time requested, of \(values.count)")
      paused.subscribe()
      for _ in 0..<values.count {
        // An end at the pause, and silence after it, break other rules.
        if paused.probe.isEnded { break }
        paused.request(count)
      }
      let (got, isGap) = (paused.probe.values, paused.probe.values.count > count && paused.probe.values != values)
      if isGap, isSubsequence(got, of: values) {
        throw paused.broken("\(listed(got)) came, and without pauses \(listed(values))")
      }
    }
    return "the same \(run.probe.values.count) values came, requested at once, later, and with pauses"
  }

  /// Whether some of the values are left when others are taken out.
  private static func isSubsequence(_ some: [String], of values: [String]) -> Bool {
    var rest = values[...]
    for value in some {
      guard let place = rest.firstIndex(of: value) else { return false }
      rest = rest[(place + 1)...]
    }
    return true
  }

  static func silenceAfterCompletion(_ subject: Subject) throws -> String {
    for count in [0, 3] {
      let run = try subject.run(count, .silenceAfterCompletion, "requests after the end of \(count) values")
      run.start(PublisherUnderTest.plenty)
      guard run.probe.isEnded else { throw subject.withoutEnd }
      for _ in 0..<3 { run.request(1) }
      try run.judgeSilence()
    }
    return "three requests after the end brought nothing"
  }

  static func endsWithoutDemand(_ subject: Subject) throws -> String {
    try subject.mustBeCold()
    // Sources that read by pages or blocks find their end only at a page that is not full: 4, 10 or 64 are such sizes.
    for count in [0, 1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100] where subject.counts.contains(count) {
      let values = try subject.reference(count, .endsWithoutDemand)
      // An operator that has dropped the last values needs more demand to find the end.
      guard values.count == count else { continue }
      let run = try subject.run(count, .endsWithoutDemand, "exactly \(values.count) values requested, of as many")
      run.subscribe()
      if !values.isEmpty { run.request(values.count) }
      try run.expect(
        subject.variation.agrees(run.probe.values, values),
        "there came \(listed(run.probe.values)), and without a bound \(listed(values))")
      try run.expect(run.probe.isEnded, "the completion did not come")
    }
    return "the completion came with exactly the values requested"
  }

  static func pausesWithoutEnd(_ subject: Subject) throws -> String {
    try subject.mustBeCold()
    let values = try subject.reference(4, .pausesWithoutEnd, atLeast: 2)
    let run = try subject.run(4, .pausesWithoutEnd, "1 of \(values.count) values requested, then the rest")
    run.subscribe()
    run.request(1)
    run.awaitSilence()
    try run.expect(!run.probe.isEnded, "the stream ended with its demand, after \(run.probe.values.count) value")
    run.request(PublisherUnderTest.plenty)
    // Where some of these values are missing, P-05 reports it.
    try run.expect(run.probe.values.count > 1, "nothing came after the pause")
    let got = run.probe.values
    try run.expect(
      subject.variation != nil || got[1] != values[0] || values[1] == values[0],
      "the stream began again after the pause: \(listed(got)), and without it \(listed(values))")
    return "a pause after 1 of \(values.count) values"
  }

  static func saysFailure(_ subject: Subject) throws -> String {
    guard let failing = subject.failing else { throw CheckEnd.notApplicable("no failing publisher was given") }
    let run = Trial(failing(), .saysFailure, "a failing publisher")
    run.start(PublisherUnderTest.plenty)
    try run.expect(run.probe.isEnded, "the stream fell silent")
    let end = run.probe.ends.first
    try run.expect(end?.hasPrefix("failure") == true, "the stream \(end ?? "")")
    // Values that wait for demand do not change what the end is.
    let slow = Trial(failing(), .saysFailure, "a failing publisher, asked for one value at a time")
    slow.start(.max(1))
    for _ in run.probe.values where !slow.probe.isEnded { slow.request(1) }
    if let late = slow.probe.ends.first {
      try slow.expect(
        late.hasPrefix("failure"), "the completion was \(late), and with everything requested \(end ?? "")")
    }
    return "the completion was \(end ?? "")"
  }

  static func independentSubscriptions(_ subject: Subject) throws -> String {
    try subject.mustBeCold()
    if subject.traits.contains(.shared) { throw CheckEnd.notApplicable("the subscribers share one run") }
    let values = try subject.reference(10, .independentSubscriptions, atLeast: 1)
    let erased = try subject.make(10)
    let runs = ["the first of two subscribers", "the second of two subscribers"].map {
      Trial(erased, .independentSubscriptions, $0)
    }
    for run in runs { run.subscribe() }
    // Not in step: one subscriber must not continue a page or a block that the other has begun.
    for turn in values.indices { for (place, run) in runs.enumerated() { run.request(1 + (turn + place) % 3) } }
    for run in runs {
      try run.expect(
        subject.variation.agrees(run.probe.values, values),
        "\(listed(run.probe.values)), where one alone gets \(listed(values))")
    }
    // A subscriber that cancels takes no value away from another.
    let leaving = Trial(erased, .independentSubscriptions, "a subscriber that cancels after one value")
    leaving.subscribe()
    leaving.request(1)
    leaving.cancel()
    let next = Trial(erased, .independentSubscriptions, "a subscriber after one that has cancelled")
    next.subscribe()
    next.request(PublisherUnderTest.plenty)
    try next.expect(
      subject.variation.agrees(next.probe.values, values),
      "\(listed(next.probe.values)), where one alone gets \(listed(values))")
    return "two subscribers, taking turns, and one after a cancel got the same \(values.count) values"
  }

  static func readyBeforeSubscription(_ subject: Subject) throws -> String {
    let values = try subject.reference(3, .readyBeforeSubscription, atLeast: 1)
    let run = try subject.run(3, .readyBeforeSubscription, "everything requested inside receive(subscription:)") {
      $0.onSubscription = { $0.request(PublisherUnderTest.plenty) }
    }
    run.subscribe()
    if !subject.traits.contains(.hot) {
      try run.expect(
        subject.variation.agrees(run.probe.values, values),
        "there came \(listed(run.probe.values)), and with a later request \(listed(values))")
    }
    let cancelled = try subject.run(
      3, .readyBeforeSubscription, "requested and cancelled inside receive(subscription:)", also: [.silenceAfterCancel]
    ) {
      $0.onSubscription = {
        $0.request(.max(1))
        $0.cancel()
      }
    }
    cancelled.subscribe()
    cancelled.awaitSilence()
    // Completions are the matter of S-05.
    let isSilent = cancelled.probe.values.count <= 1
    if !isSilent { throw cancelled.broken("the cancel was forgotten: \(cancelled.probe.values.count) values came") }
    return "a request and a cancel inside receive(subscription:) worked"
  }

  static func demandPerSubscriber(_ subject: Subject) throws -> String {
    if subject.traits.contains(.hot), subject.finite == nil {
      throw CheckEnd.notApplicable("no finite publisher was given")
    }
    let erased = try subject.make(8)
    let own: Set<Rule> = [.valuesWithinDemand]
    // Demand that one subscriber leaves over, by its end or by a cancel, is not demand of the other.
    let rich = Trial(erased, .demandPerSubscriber, "a subscriber that requests everything", also: own)
    rich.start(PublisherUnderTest.plenty)
    let poor = Trial(
      erased, .demandPerSubscriber, "a subscriber that requests nothing, beside one that requests everything",
      also: own)
    poor.subscribe()
    poor.settle()
    try poor.judge()
    let one = Trial(erased, .demandPerSubscriber, "a subscriber that requests 1, beside another", also: own)
    one.start(.max(1))
    try one.judge()
    try poor.judge()
    return "three subscribers got \(rich.probe.values.count), \(poor.probe.values.count) and "
      + "\(one.probe.values.count) values, with demand for all, for none and for 1"
  }
}
