// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules O that concern any operator, as scripts on one thread with both sides in the hands of the check.
enum OperatorChecks {
  typealias Subject = OperatorUnderTest

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
    try run.expect(
      run.control.links.count == subject.upstreams, "upstream was subscribed to \(run.control.links.count) times")
    return "\(run.control.links.count) for one downstream"
  }

  static func oneSubscriptionDownstream(_ subject: Subject) throws -> String {
    for (fails, count) in [(false, 1), (true, 1), (false, 0), (true, 0)] {
      let run = subject.run(
        .oneSubscriptionDownstream, "upstream \(fails ? "fails" : "finishes")", also: [.oneSubscription],
        demand: .max(5))
      for _ in 0..<3 {
        run.feed(count)
        run.end(fails: fails)
      }
      let count = run.probe.state.with { $0.automaton.subscriptions }
      if count > 1 { throw run.broken("downstream got \(count) subscriptions") }
    }
    return "downstream got one subscription, whatever became of upstream"
  }

  static func asksUpstreamForNoMore(_ subject: Subject) throws -> String {
    if subject.traits.contains(.requestsEverything) {
      throw CheckEnd.notApplicable("it requests everything, by its author")
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
    return "upstream was never asked for more than downstream, and \(subject.prefetch)"
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
      throw CheckEnd.notApplicable("it stays with its upstream, by its author")
    }
    var cancelled = 0
    for (demand, count) in [(0, 1), (2, 1), (1, 0)] {
      let run = subject.run(.cancelReachesUpstream, "cancelled after \(demand) asked for and \(count) fed")
      if demand > 0 { run.run.request(demand) }
      run.feed(count)
      guard !run.control.live.isEmpty else { continue }
      let live = run.control.live
      run.run.cancel()
      try run.run.judge()
      for subscription in live {
        try run.expect(
          subscription.cancels == 1, "a live upstream was cancelled \(subscription.cancels) times")
      }
      cancelled += live.count
      try run.expect(run.control.live.isEmpty, "\(run.control.live.count) upstreams are still live")
    }
    if let children = subject.children {
      let inner = Locked<[UpstreamControl]>([])
      let run = OperatorTrial({ children.make($0, inner) }, .cancelReachesUpstream, "inner streams", [], .max(5)) { _ in
      }
      run.feed(children.limit)
      let live = inner.value.flatMap(\.live)
      run.run.cancel()
      for subscription in live {
        try run.expect(
          subscription.cancels == 1, "a live inner stream was cancelled \(subscription.cancels) times")
      }
      cancelled += live.count
    }
    if cancelled == 0 { throw CheckEnd.inconclusive("no upstream was live as downstream cancelled") }
    return "each live upstream was cancelled once, of \(cancelled)"
  }

  static func earlyEndCancelsUpstream(_ subject: Subject) throws -> String {
    var ends: [String] = []
    let run = subject.run(.earlyEndCancelsUpstream, "fed until it ends", demand: PublisherUnderTest.plenty)
    run.feed(60)
    if run.probe.isEnded {
      try run.expect(run.control.live.isEmpty, "downstream has its completion, and upstream runs on")
      ends.append("after \(run.probe.ledger.delivered) values")
    }
    if subject.upstreams > 1 { try endsWithOneOfSeveral(subject, &ends) }
    if subject.children != nil { try endsWithInnerStreams(subject, &ends) }
    if ends.isEmpty { throw CheckEnd.notApplicable("it does not end before its upstream, in 60 values") }
    return "it ended \(listed(ends)), and no upstream ran on"
  }

  /// One of several upstreams ends while the others live, before and after values, and with one that is ahead.
  private static func endsWithOneOfSeveral(_ subject: Subject, _ ends: inout [String]) throws {
    for place in 0..<subject.upstreams {
      for (fails, ahead) in [(false, 0), (false, 1), (false, 2), (true, 0), (true, 1)] {
        let label = "upstream \(place) \(fails ? "fails" : "finishes")\(ahead > 0 ? ", \(ahead) values ahead" : "")"
        let run = subject.run(.earlyEndCancelsUpstream, label, demand: PublisherUnderTest.plenty)
        run.feed(1)
        let one = try run.link(place)
        for number in 0..<ahead { one.deliver(10 + number) }
        one.end(fails: fails)
        run.settle()
        // The others use up the values that were ahead.
        for number in 0..<ahead where !run.probe.isEnded {
          for (other, link) in run.control.links.enumerated() where other != place { link.deliver(20 + number) }
          run.settle()
        }
        guard run.probe.isEnded else { continue }
        try run.expect(run.control.live.isEmpty, "downstream has its completion, and another upstream runs on")
        ends.append("when \(label)")
      }
    }
  }

  /// The outer stream, or one of the inner ones, fails while inner streams live.
  private static func endsWithInnerStreams(_ subject: Subject, _ ends: inout [String]) throws {
    guard let children = subject.children else { return }
    for isOuter in [true, false] {
      let inner = Locked<[UpstreamControl]>([])
      let label = "\(isOuter ? "the outer stream" : "an inner stream") fails"
      let run = OperatorTrial(
        { children.make($0, inner) }, .earlyEndCancelsUpstream, label, [], PublisherUnderTest.plenty
      ) { _ in }
      run.feed(Swift.min(children.limit, 3))
      if isOuter { run.end(fails: true) } else { inner.value.first?.links.first?.end(fails: true) }
      run.settle()
      guard run.probe.isEnded else { continue }
      func left() -> Int { inner.value.reduce(run.control.live.count) { $0 + $1.live.count } }
      try run.expect(left() == 0, "downstream has its completion, and \(left()) streams run on")
      ends.append("when \(label)")
    }
  }

  static func failureAtOnce(_ subject: Subject) throws -> String {
    if subject.traits.contains(.catchesFailure) { throw CheckEnd.notApplicable("it answers failures, by its author") }
    // Of one value nothing may be left; of several values some wait.
    for (demand, count) in [(0, 1), (1, 1), (0, 4), (1, 4)] {
      let run = subject.run(.failureAtOnce, "upstream fails, \(demand) asked for")
      if demand > 0 { run.run.request(demand) }
      run.feed(count)
      if run.control.live.isEmpty { continue }
      run.end(fails: true)
      if run.run.comesTrue({ run.probe.isEnded }) { continue }
      let late = run.broken("the failure has not reached downstream")
      // A failure that waits is tolerated; one that becomes another end is not.
      run.run.request(PublisherUnderTest.plenty)
      if let end = run.probe.ends.first, !end.hasPrefix("failure") {
        CheckLog.current?.see(
          .saysFailure, "upstream failed while a value waited, and the stream \(end)",
          trace: Trace(run.probe.events).description)
      }
      throw late
    }
    return "the failure came without a request"
  }

  static func endBehindValues(_ subject: Subject) throws -> String {
    if subject.traits.contains(.dropsUnrequested) {
      throw CheckEnd.notApplicable("it drops what is not asked for, by its author")
    }
    func output(_ label: String, inTime: Bool) throws -> OperatorTrial {
      let run = subject.run(.endBehindValues, label, demand: inTime ? PublisherUnderTest.plenty : .none)
      // As many values as the operator accepts without demand: the same number in both runs.
      run.feed(accepted)
      run.end()
      run.run.request(PublisherUnderTest.plenty)
      try run.run.judge()
      return run
    }
    let trial = subject.run(.endBehindValues, "nothing asked for")
    let accepted = trial.feed(20)
    if accepted == 0 { throw CheckEnd.notApplicable("it accepts no value that nobody has asked for") }
    if trial.control.live.isEmpty { throw CheckEnd.notApplicable("it is done before its upstream is") }
    let prompt = try output("everything asked for before the end", inTime: true).probe
    let run = try output("everything asked for after the end", inTime: false)
    // Values may be combined differently over time, but no fewer may come, and the end has to come.
    try run.expect(
      run.probe.output.count >= prompt.output.count,
      "\(accepted) values were accepted; \(listed(run.probe.output)) came of them, where in time there came "
        + listed(prompt.output))
    return "\(accepted) values were accepted without demand, and none was lost"
  }

  static func laterValuesWithinDemand(_ subject: Subject) throws -> String {
    for demand in 0...2 {
      let run = subject.run(
        .laterValuesWithinDemand, "\(demand) asked for, and time passes", also: [.valuesWithinDemand])
      if demand > 0 { run.run.request(demand) }
      run.feed(6)
      for _ in 0..<3 { run.settle() }
      try run.run.judge()
      // What the operator has collected may come out at the end.
      run.end()
      try run.run.judge()
    }
    return "no more came than was asked for, as time passed"
  }

  static func stopsRogueSignals(_ subject: Subject) throws -> String {
    let rogues: [(String, Bool, (OperatorTrial) throws -> Void)] = [
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
        run.turnRogue()
      }
      if introduces { run.run.request(3) }
      try act(run)
      run.settle()
      try run.run.judge()
    }
    return "of \(rogues.count) kinds of signals out of order none was passed on"
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
    // Until one value gets through.
    for number in 1...10 where run.probe.ledger.delivered == 0 { run.feed(1, from: number) }
    if run.probe.ledger.delivered == 0 { run.end() }
    let count = run.probe.ledger.delivered
    try run.expect(count < limit, "\(count) values came of one")
    return "\(count) values came of one"
  }

  static func transparentChangesNothing(_ subject: Subject) throws -> String {
    guard subject.traits.contains(.transparent) else { throw CheckEnd.notApplicable("it does not only look") }
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
