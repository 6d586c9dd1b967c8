// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules O that concern any operator, as scripts on one thread with both sides in the hands of the check.
enum OperatorChecks {
  typealias Subject = OperatorSubject

  static let all: [Rule: Check<Subject>] = [
    .subscribesOnce: subscribesOnce, .oneSubscriptionDownstream: oneSubscriptionDownstream,
    .asksUpstreamForNoMore: asksUpstreamForNoMore, .replacesSwallowed: replacesSwallowed,
    .cancelReachesUpstream: cancelReachesUpstream, .earlyEndCancelsUpstream: earlyEndCancelsUpstream,
    .failureAtOnce: failureAtOnce, .endBehindValues: endBehindValues,
    .laterValuesWithinDemand: laterValuesWithinDemand, .stopsRogueSignals: stopsRogueSignals,
    .answersOncePerValue: answersOncePerValue, .transparentChangesNothing: transparentChangesNothing,
  ]

  static func subscribesOnce(_ subject: Subject) throws -> String {
    let run = subject.run(.subscribesOnce, "subscribed once", demand: .max(2))
    run.feed(2)
    let count = run.control.links.count
    try run.expect(count == subject.upstreams, "upstream was subscribed to \(count) times")
    return "\(count) for one downstream"
  }

  static func oneSubscriptionDownstream(_ subject: Subject) throws -> String {
    for fails in [false, true] {
      let run = subject.run(
        .oneSubscriptionDownstream, "upstream \(fails ? "fails" : "finishes")", also: [.oneSubscription],
        demand: .max(5))
      for _ in 0..<3 {
        run.feed(1)
        run.end(fails: fails)
      }
      let count = run.probe.state.with { $0.automaton.subscriptions }
      if count > 1 { throw run.broken("downstream got \(count) subscriptions") }
    }
    return "one, also where upstream ended and was subscribed to again"
  }

  static func asksUpstreamForNoMore(_ subject: Subject) throws -> String {
    if subject.traits.contains(.requestsEverything) {
      throw Verdict.notApplicable("it requests everything, by its author")
    }
    for demand in 0...3 {
      let run = subject.run(.asksUpstreamForNoMore, "downstream asks for \(demand)")
      if demand > 0 { run.run.request(demand) }
      for number in 0..<20 {
        let wanted = run.probe.ledger.outstanding
        let limit = wanted * subject.perOutput + .max(subject.prefetch)
        for link in run.control.links where link.subscription.isLive && link.outstanding > limit {
          try run.expect(
            false,
            "upstream is asked for \(link.outstanding.words), where downstream waits for \(wanted.words) "
              + "and \(subject.prefetch) may be prefetched")
        }
        if run.feed(1, from: number) == 0 { break }
      }
    }
    return "0 to 3 asked for, with a prefetch of \(subject.prefetch)"
  }

  static func replacesSwallowed(_ subject: Subject) throws -> String {
    var swallowed = 0
    for demand in 1...2 {
      let run = subject.run(.replacesSwallowed, "\(demand) asked for at a time", demand: .max(demand))
      for number in 0..<60 {
        // Long enough to use up what was prefetched.
        if run.probe.ledger.outstanding == .none { run.run.request(demand) }
        if run.probe.isEnded { break }
        let before = run.probe.ledger.delivered
        let fed = run.feed(1, from: number)
        try run.expect(
          fed > 0 || run.control.live.isEmpty || run.probe.ledger.outstanding == .none,
          "after \(number) values upstream is asked for none, and downstream still waits for "
            + "\(run.probe.ledger.outstanding.words)")
        if run.probe.ledger.delivered == before { swallowed += 1 }
      }
    }
    return "\(swallowed) values were swallowed, and it did not stall"
  }

  static func cancelReachesUpstream(_ subject: Subject) throws -> String {
    if subject.traits.contains(.staysConnected) {
      throw Verdict.notApplicable("it stays with its upstream, by its author")
    }
    for demand in [0, 2] {
      let run = subject.run(.cancelReachesUpstream, "cancelled after \(demand) asked for")
      if demand > 0 { run.run.request(demand) }
      run.feed(1)
      guard !run.control.live.isEmpty else { continue }
      let live = run.control.live
      run.run.cancel()
      try run.run.judge()
      for subscription in live where subscription.cancels != 1 {
        throw run.broken("a live upstream was cancelled \(subscription.cancels) times")
      }
      let left = run.control.live.count
      if left > 0 { throw run.broken("\(left) upstreams are still live") }
    }
    if let children = subject.children {
      let inner = Locked<[UpstreamControl]>([])
      let run = OperatorRun({ children.make($0, inner) }, .cancelReachesUpstream, "inner streams", [], .max(5)) { _ in }
      run.feed(children.limit)
      let live = inner.value.flatMap(\.live)
      run.run.cancel()
      for subscription in live where subscription.cancels != 1 {
        throw run.broken("a live inner stream was cancelled \(subscription.cancels) times")
      }
    }
    return "each live upstream was cancelled once"
  }

  static func earlyEndCancelsUpstream(_ subject: Subject) throws -> String {
    let run = subject.run(.earlyEndCancelsUpstream, "fed until it ends", demand: PublisherSubject.plenty)
    run.feed(60)
    guard run.probe.isEnded else { throw Verdict.notApplicable("it does not end before its upstream, in 60 values") }
    try run.expect(run.control.live.isEmpty, "downstream has its completion, and upstream runs on")
    return "ended after \(run.probe.ledger.delivered) values, and upstream was cancelled"
  }

  static func failureAtOnce(_ subject: Subject) throws -> String {
    if subject.traits.contains(.catchesFailure) { throw Verdict.notApplicable("it answers failures, by its author") }
    for demand in [0, 1] {
      let run = subject.run(.failureAtOnce, "upstream fails, \(demand) asked for")
      if demand > 0 { run.run.request(demand) }
      run.feed(1)
      if run.control.live.isEmpty { continue }
      run.end(fails: true)
      try run.expect(run.probe.isEnded, "the failure has not reached downstream")
    }
    return "with nothing asked for, and with a value"
  }

  static func endBehindValues(_ subject: Subject) throws -> String {
    if subject.traits.contains(.dropsUnrequested) {
      throw Verdict.notApplicable("it drops what is not asked for, by its author")
    }
    func output(_ label: String, inTime: Bool) throws -> (OperatorRun, [String]) {
      let run = subject.run(.endBehindValues, label, demand: inTime ? PublisherSubject.plenty : .none)
      // As many as an operator accepts that nobody has asked for anything: the same in both runs.
      run.feed(accepted)
      run.end()
      run.run.request(PublisherSubject.plenty)
      try run.run.judge()
      return (run, run.probe.output)
    }
    let trial = subject.run(.endBehindValues, "nothing asked for")
    let accepted = trial.feed(20)
    let (_, prompt) = try output("everything asked for before the end", inTime: true)
    let (run, late) = try output("everything asked for after the end", inTime: false)
    // Values may be combined differently with time; their number and the end may not be less.
    try run.expect(
      late.count >= prompt.count || accepted == 0,
      "\(accepted) values were accepted; \(listed(late)) came of them, where in time there came \(listed(prompt))")
    return "\(accepted) values accepted without demand, and none lost"
  }

  static func laterValuesWithinDemand(_ subject: Subject) throws -> String {
    for demand in 0...2 {
      let run = subject.run(
        .laterValuesWithinDemand, "\(demand) asked for, and time passes", also: [.valuesWithinDemand])
      if demand > 0 { run.run.request(demand) }
      run.feed(6)
      for _ in 0..<3 { run.settle() }
      try run.run.judge()
    }
    return "with 0, 1 and 2 asked for, as time passes"
  }

  static func stopsRogueSignals(_ subject: Subject) throws -> String {
    let rogues: [(String, Bool, (OperatorRun) throws -> Void)] = [
      (
        "a value after the completion", true,
        {
          try $0.link().sendEnd(false); _ = try $0.link().sendValue(1)
        }
      ),
      (
        "a second completion", true,
        {
          try $0.link().sendEnd(false); try $0.link().sendEnd(false)
        }
      ),
      (
        "a failure after the completion", true,
        {
          try $0.link().sendEnd(false); try $0.link().sendEnd(true)
        }
      ),
      ("a value before the subscription", false, { _ = try $0.link().sendValue(1) }),
    ]
    let own: Set<Rule> = [
      .silenceAfterCompletion, .oneSubscription, .subscriptionFirst, .valuesWithinDemand, .silenceAfterCancel,
    ]
    for (label, introduces, act) in rogues {
      let run = subject.run(.stopsRogueSignals, "upstream sends \(label)", also: own) { run in
        run.control.introduces = introduces
      }
      if introduces { run.run.request(3) }
      try act(run)
      run.settle()
      try run.run.judge()
    }
    return "\(rogues.count) kinds of signals out of order, none passed on"
  }

  static func answersOncePerValue(_ subject: Subject) throws -> String {
    let limit = 1_000
    let run = subject.run(.answersOncePerValue, "one value from upstream, and 1 more asked for with each") { run in
      run.probe.onValue = { probe, number in
        if number == limit { probe.cancel() }
        return number < limit ? .max(1) : .none
      }
    }
    run.run.request(1)
    // Until one gets through.
    for number in 1...10 where run.probe.ledger.delivered == 0 { run.feed(1, from: number) }
    let count = run.probe.ledger.delivered
    try run.expect(count < limit, "\(count) values came of one")
    return "\(count) values came of one"
  }

  static func transparentChangesNothing(_ subject: Subject) throws -> String {
    guard subject.traits.contains(.transparent) else { throw Verdict.notApplicable("it does not only look") }
    let run = subject.run(.transparentChangesNothing, "an operator that only looks") { run in
      run.probe.onValue = { probe, number in
        if number == 2 { probe.request(.max(3)) }
        return number == 1 ? .max(1) : .none
      }
    }
    run.run.request(2)
    let fed = run.feed(10)
    let (down, up) = (run.probe.ledger, try run.link().subscription.ledger)
    try run.expect(
      down.requested == up.requested && down.returned == up.returned && fed == down.delivered,
      "upstream: \(up); downstream: \(down)")
    run.end()
    try run.expect(run.probe.isEnded, "the completion has not come")
    return "the same demand by both roads, and \(fed) values"
  }
}
