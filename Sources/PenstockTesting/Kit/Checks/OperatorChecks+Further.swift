// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension OperatorChecks {
  /// The rules O that some operators have, and those for which the author gives a second form of the operator.
  static let further: [Rule: Check<Subject>] = [
    .dropsBufferOnCancel: dropsBufferOnCancel, .resubscribesInLoop: resubscribesInLoop,
    .switchCarriesDemand: switchCarriesDemand, .throwingCancelsUpstream: throwingCancelsUpstream,
    .childLimit: childLimit, .releasesOutsideLocks: releasesOutsideLocks, .connectsOnce: connectsOnce,
    .cancelSuppressesScheduled: cancelSuppressesScheduled, .deliveriesDoNotOverlap: deliveriesDoNotOverlap,
    .noLockWhileCalling: noLockWhileCalling,
  ]

  static func deliveriesDoNotOverlap(_ subject: Subject) throws -> String {
    let requested = try GatedChecks.deliveriesDoNotOverlap(subject.publisher)
    // What an operator keeps, it delivers on the thread that requests it, while upstream goes on on another one.
    for (name, act) in [
      ("completes", { (link: UpstreamControl.Link) in link.end() }), ("fails", { $0.end(fails: true) }),
      ("delivers", { _ = $0.deliver(1) }),
    ] {
      let run = subject.run(.deliveriesDoNotOverlap, "upstream \(name) while a kept value is delivered")
      guard run.feed(1) == 1, run.probe.values.isEmpty, !run.probe.isEnded else { return requested }
      let link = Locked(try run.link())
      run.probe.onValue = { _, number in
        if number == 1 { _ = comesBack { act(link.value) } }
        return .none
      }
      run.run.request(1)
      try run.run.judge()
    }
    return requested + "; and upstream, while a kept value was held"
  }

  static func connectsOnce(_ subject: Subject) throws -> String {
    guard subject.traits.contains(.shared) else { throw Verdict.notApplicable("each subscriber has its own run") }
    let control = UpstreamControl()
    let specimen = subject.byHand(control)
    let runs = ["the first subscriber", "the second subscriber"].map { Run(specimen, .connectsOnce, $0) }
    for run in runs {
      run.subscribe()
      run.request(1)
    }
    try runs[1].expect(control.links.count == 1, "upstream was subscribed to \(control.links.count) times")
    runs[0].cancel()
    try runs[0].expect(control.live.count == 1, "the cancel of one subscriber has cancelled upstream")
    runs[1].cancel()
    if subject.traits.contains(.staysConnected) { return "once for two, and upstream stays, by its author" }
    try runs[1].expect(control.live.isEmpty, "the last subscriber has gone, and upstream is still live")
    let next = Run(specimen, .connectsOnce, "a subscriber after the last has gone")
    next.subscribe()
    next.request(1)
    try next.expect(
      !control.live.isEmpty || next.probe.isEnded, "it has neither a new connection to upstream nor an end")
    try leavesInSecondLife(subject)
    try leavesWhileConnecting(subject)
    return "once for two, and left with the last, also after an end and a new beginning"
  }

  /// What counts subscribers has to forget those of a run that has ended.
  private static func leavesInSecondLife(_ subject: Subject) throws {
    for fails in [false, true] {
      let control = UpstreamControl()
      let specimen = subject.byHand(control)
      let early = Run(specimen, .connectsOnce, "a subscriber before the end")
      early.subscribe()
      early.request(1)
      for link in control.links { link.end(fails: fails) }
      let late = Run(specimen, .connectsOnce, "a subscriber after upstream has \(fails ? "failed" : "finished")")
      late.subscribe()
      late.request(1)
      late.cancel()
      try late.expect(
        control.live.isEmpty, "the only subscriber of the second run has gone, and its upstream is still live")
    }
  }

  /// A source that delivers as it is subscribed to: the last subscriber can go before the connection is known.
  private static func leavesWhileConnecting(_ subject: Subject) throws {
    let control = UpstreamControl()
    control.onLink = { link, _ in _ = link.deliver(0) }
    let run = Run(
      subject.byHand(control), .connectsOnce, "the only subscriber cancels inside a value that comes at once")
    run.probe.onSubscription = { $0.request(.max(1)) }
    run.probe.onValue = { probe, _ in
      probe.cancel()
      return .none
    }
    run.subscribe()
    if run.probe.values.isEmpty { run.cancel() }
    try run.expect(control.live.isEmpty, "the only subscriber has gone, and upstream is still live")
  }

  static func noLockWhileCalling(_ subject: Subject) throws -> String {
    let outside = try GatedChecks.noLockWhileCalling(subject.publisher)
    guard let calling = subject.calling else { return outside }
    for (name, call) in GatedChecks.calls {
      let (probe, hasReturned) = (Locked<Probe?>(nil), Locked<Bool?>(nil))
      let run = OperatorRun(
        { control in
          calling(control) {
            guard hasReturned.value == nil, let probe = probe.value else { return }
            let box = Locked(probe)
            let isBack = comesBack { box.with { call($0) } }
            hasReturned.with { $0 = isBack }
          }
        }, .noLockWhileCalling, "\(name) on another thread, inside the operator's closure", [], PublisherSubject.plenty
      ) { run in probe.with { $0 = run.probe } }
      run.feed(1)
      probe.with { $0 = nil }
      switch hasReturned.value {
      case nil: throw Verdict.inconclusive("the operator has not called its closure")
      case false: throw run.broken("the call has not returned before the closure: a lock is held")
      default: break
      }
    }
    return outside + ", and while the operator's closure was"
  }

  static func cancelSuppressesScheduled(_ subject: Subject) throws -> String {
    let run = subject.run(
      .cancelSuppressesScheduled, "cancelled while values wait for their time", also: [.silenceAfterCancel],
      demand: PublisherSubject.plenty)
    // Without letting time pass in between.
    var fed = 0
    for number in 0..<4 {
      for link in run.control.links where link.deliver(number) { fed += 1 }
    }
    let before = run.probe.ledger.delivered
    if fed == 0 || before >= fed { throw Verdict.notApplicable("nothing waits for its time") }
    run.probe.cancel()
    for _ in 0..<3 { run.settle() }
    try run.run.judge()
    return "\(fed - before) of \(fed) values waited, and did not come"
  }

  static func dropsBufferOnCancel(_ subject: Subject) throws -> String {
    guard let objects = subject.objects else {
      throw Verdict.notApplicable("the operator was not given with values that are objects")
    }
    var (made, values): (Int, [() -> VerificationObject?]) = (0, [])
    let run = OperatorRun(
      { control in
        objects(
          control,
          { object in
            made += 1
            values.append({ [weak object] in object })
          }, {})
      }, .dropsBufferOnCancel, "cancelled with kept values", [], .none
    ) { _ in }
    run.feed(6)
    let kept = values.count { $0() != nil }
    run.run.cancel()
    let left = values.count { $0() != nil }
    try run.expect(left == 0, "\(left) of \(made) values are still in memory after the cancel")
    return "\(kept) of \(made) values were kept, and released"
  }

  static func resubscribesInLoop(_ subject: Subject) throws -> String {
    let count = 20_000
    var longest = 0
    for fails in [true, false] {
      let run = subject.run(.resubscribesInLoop, "upstream ends \(count) times, at once", demand: .max(1)) { run in
        run.probe.state.with { $0.limit = 100 }
        run.control.onLink = { [unowned control = run.control] link, number in
          if number < count { link.end(fails: fails) } else { link.end() }
          control.dropOldLinks()
        }
      }
      longest = Swift.max(longest, run.control.attached)
      run.run.cancel()
    }
    guard longest > 1 else { throw Verdict.notApplicable("it does not subscribe again") }
    return "\(longest) upstreams, one after the other, on a stack of 512 KiB"
  }

  static func switchCarriesDemand(_ subject: Subject) throws -> String {
    var asked: [String] = []
    for (fails, returns) in [(true, 0), (true, 1), (false, 0), (false, 1)] {
      // With demand by either road: what was returned for a value is as outstanding as what was requested.
      let way = "upstream \(fails ? "fails" : "finishes") with \(returns > 0 ? "returned " : "")demand left"
      let run = subject.run(.switchCarriesDemand, way, demand: returns > 0 ? .max(1) : .max(5)) { run in
        run.probe.onValue = { _, _ in .max(returns) }
      }
      let fed = run.feed(2)
      guard fed == 2, run.control.links.count == 1 else { continue }
      run.end(fails: fails)
      guard run.control.links.count > 1 else { continue }
      let new = try run.link(1)
      let wanted = run.probe.ledger.outstanding
      try run.expect(
        new.outstanding >= wanted,
        "downstream waits for \(wanted.words), and the new upstream is asked for \(new.outstanding.words)")
      asked.append(new.outstanding.words)
    }
    if !asked.isEmpty { return "the new upstream is asked for \(asked.joined(separator: ", "))" }
    if let children = subject.children {
      let inner = Locked<[UpstreamControl]>([])
      let run = OperatorRun({ children.make($0, inner) }, .switchCarriesDemand, "streams", [], .max(5)) { _ in }
      run.feed(2)
      if inner.value.count == 2, let old = inner.value[0].links.first, old.subscription.cancels > 0,
        let new = inner.value[1].links.first
      {
        let wanted = run.probe.ledger.outstanding
        try run.expect(
          new.outstanding >= wanted,
          "downstream waits for \(wanted.words), and the new stream is asked for \(new.outstanding.words)")
        _ = old.sendValue(77)
        run.settle()
        try run.expect(run.probe.values.isEmpty, "a late value of the stream that was left was passed on")
        return "the new stream is asked for \(new.outstanding.words), and the old one is not heard"
      }
    }
    throw Verdict.notApplicable("it does not subscribe again")
  }

  static func throwingCancelsUpstream(_ subject: Subject) throws -> String {
    guard let throwing = subject.throwing else {
      throw Verdict.notApplicable("the operator was not given with a closure that throws")
    }
    let run = OperatorRun(throwing, .throwingCancelsUpstream, "the closure throws", [], PublisherSubject.plenty) { _ in
    }
    run.feed(4)
    let cancels = try run.link().subscription.cancels
    try run.expect(run.probe.ends.count == 1, "\(run.probe.ends.count) completions came")
    try run.expect(run.probe.ends.first?.hasPrefix("failure") == true, "the stream \(run.probe.ends.first ?? "")")
    try run.expect(cancels > 0, "upstream was not cancelled")
    _ = try run.link().sendValue(5)
    try run.run.judge()
    return "one failure, and upstream was cancelled"
  }

  static func childLimit(_ subject: Subject) throws -> String {
    guard let children = subject.children else {
      throw Verdict.notApplicable("the operator was not given with streams of streams")
    }
    let inner = Locked<[UpstreamControl]>([])
    let run = OperatorRun(
      { children.make($0, inner) }, .childLimit, "inner streams", [], PublisherSubject.plenty
    ) { _ in }
    func live() -> Int { inner.value.reduce(0) { $0 + $1.live.count } }
    for number in 0..<children.limit + 4 {
      run.feed(1, from: number)
      try run.expect(live() <= children.limit, "\(live()) inner streams are live, and \(children.limit) may be")
    }
    for control in inner.value {
      for link in control.links { link.end() }
      run.settle()
      run.feed(1)
      try run.expect(live() <= children.limit, "\(live()) inner streams are live, and \(children.limit) may be")
    }
    return "never more than \(children.limit) of \(inner.value.count)"
  }

  static func releasesOutsideLocks(_ subject: Subject) throws -> String {
    let outside = try LifetimeChecks.releasesOutsideLocks(subject.publisher)
    guard let objects = subject.objects else { return outside }
    // The last reference to each value is the operator's, and its end calls back into the stream. It is kept for want of
    // demand, or until there are more.
    let cases: [(Subscribers.Demand, Int)] = [(.none, 3), (.max(1), 1), (.max(1), 2)]
    for (isCancelled, (demand, count)) in [true, false].flatMap({ end in cases.map { (end, $0) } }) {
      let probe = Locked<Probe?>(nil)
      let run = OperatorRun(
        { control in
          objects(
            control, { _ in },
            {
              probe.value?.request(.max(1))
              if isCancelled { probe.value?.cancel() }
            })
        }, .releasesOutsideLocks, "a value that calls back as it is freed", [], demand
      ) { run in probe.with { $0 = run.probe } }
      run.feed(count)
      if isCancelled { run.run.cancel() } else { run.end() }
      probe.with { $0 = nil }
    }
    return outside + ", and values that do"
  }
}
