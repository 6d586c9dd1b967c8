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
    // An operator delivers what it keeps on the thread that requests it, while upstream continues on another thread.
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
    try oneThreadForWhatWaits(subject)
    return requested + "; and upstream, while a kept value was held"
  }

  /// With many values waiting, an operator may hand them to a second thread, which it does while the first value is
  /// held.
  private static func oneThreadForWhatWaits(_ subject: Subject) throws {
    for demand in [Subscribers.Demand.max(1), .max(10), .unlimited] {
      let run = subject.run(.deliveriesDoNotOverlap, "40 values wait, and \(demand) is asked for")
      let moment = Latch()
      // Without letting time pass: that would wait for the other thread.
      for number in 0..<40 { for link in run.control.links { link.deliver(number) } }
      run.probe.onValue = { _, number in
        if number < 8 { _ = moment.wait(milliseconds: Patience.overlap / 2) }
        return .none
      }
      run.probe.request(demand)
      for number in 40..<60 where run.probe.values.count < 40 {
        for link in run.control.links { link.deliver(number) }
        _ = moment.wait(milliseconds: 2)
      }
      run.settle()
      try run.run.judge()
    }
  }

  static func noLockWhileCalling(_ subject: Subject) throws -> String {
    let outside = try GatedChecks.noLockWhileCalling(subject.publisher)
    try noLockWhileCallingUpstream(subject)
    guard let calling = subject.calling else { return outside }
    for (name, call) in GatedChecks.calls {
      let (probe, hasReturned) = (Locked<Probe?>(nil), Locked<Bool?>(nil))
      let run = OperatorTrial(
        { control in
          calling(control) {
            guard hasReturned.value == nil, let probe = probe.value else { return }
            let box = Locked(probe)
            let isBack = comesBack { box.with { call($0) } }
            hasReturned.with { $0 = isBack }
          }
        }, .noLockWhileCalling, "\(name) on another thread, inside the operator's closure", [],
        PublisherUnderTest.plenty
      ) { run in probe.with { $0 = run.probe } }
      run.feed(1)
      probe.with { $0 = nil }
      switch hasReturned.value {
      case nil: throw CheckEnd.inconclusive("the operator has not called its closure")
      case false: throw run.broken("the call has not returned before the closure: a lock is held")
      default: break
      }
    }
    return outside + ", and while the operator's closure was held"
  }

  /// While upstream is called, a subscriber on another thread may call as well.
  private static func noLockWhileCallingUpstream(_ subject: Subject) throws {
    for (name, call) in GatedChecks.calls {
      let (probe, isHeld, log) = (Locked<Probe?>(nil), Locked<String?>(nil), CheckLog.current)
      let run = subject.run(.noLockWhileCalling, "\(name) on another thread, while upstream is called") { run in
        probe.with { $0 = run.probe }
        let (isBusy, calls) = (Locked(false), Locked(0))
        run.control.onCall = { upstreamCall in
          // Not inside itself, and not forever: upstream may be called again because of what is requested here.
          guard upstreamCall != "subscribe", !isBusy.value, let one = probe.value, one.subscription != nil else {
            return
          }
          let number = calls.with { calls in
            calls += 1
            return calls
          }
          if number > 3, upstreamCall == "request" { return }
          isBusy.with { $0 = true }
          let box = Locked(one)
          if !comesBack({ call(box.value) }) { isHeld.with { $0 = upstreamCall } }
          log?.count(.heldCalls)
          isBusy.with { $0 = false }
        }
      }
      run.run.request(PublisherUnderTest.plenty)
      run.feed(30)
      run.run.cancel()
      probe.replace(with: nil)
      if let held = isHeld.value {
        throw run.broken("the call has not returned before upstream's \(held): a lock is held")
      }
    }
  }

  static func cancelSuppressesScheduled(_ subject: Subject) throws -> String {
    let run = subject.run(
      .cancelSuppressesScheduled, "cancelled while values wait for their time", also: [.silenceAfterCancel],
      demand: PublisherUnderTest.plenty)
    // Without letting time pass in between.
    var fed = 0
    for number in 0..<4 {
      for link in run.control.links where link.deliver(number) { fed += 1 }
    }
    let before = run.probe.ledger.delivered
    let pauses = try cancelsInPause(subject)
    if fed == 0 || before >= fed {
      guard pauses > 0 else { throw CheckEnd.notApplicable("nothing waits for its time") }
      return "cancelled in \(pauses) pauses, it did not subscribe again"
    }
    run.probe.cancel()
    for _ in 0..<3 { run.settle() }
    try run.run.judge()
    return "\(fed - before) of \(fed) values waited, and did not come"
  }

  /// An operator that tries again after a pause does not do so after a cancel.
  ///
  /// - Returns: How many pauses there were.
  private static func cancelsInPause(_ subject: Subject) throws -> Int {
    guard subject.traits.contains(.catchesFailure), subject.use != nil else { return 0 }
    var pauses = 0
    for fails in [true, false] {
      let label = "cancelled while it waits before another attempt"
      let run = subject.run(.cancelSuppressesScheduled, label, demand: PublisherUnderTest.plenty)
      for link in run.control.links { link.end(fails: fails) }
      let attempts = run.control.attached
      guard !run.probe.isEnded, run.control.live.isEmpty else { continue }
      pauses += 1
      run.probe.cancel()
      for _ in 0..<10 { run.settle() }
      try run.expect(
        run.control.attached == attempts,
        "after the cancel upstream was subscribed to \(run.control.attached - attempts) times")
    }
    return pauses
  }

  static func dropsBufferOnCancel(_ subject: Subject) throws -> String {
    guard let objects = subject.objects else {
      throw CheckEnd.notApplicable("the operator was not given with values that are objects")
    }
    var (made, values): (Int, [() -> VerificationObject?]) = (0, [])
    let run = OperatorTrial(
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
    func left() -> Int { values.count { $0() != nil } }
    try run.expect(left() == 0, "\(left()) of \(made) values are still in memory after the cancel")
    return "\(kept) of \(made) values were kept, and released by the cancel"
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
    if subject.children != nil { longest = Swift.max(longest, try innerStreamsBehindOne(subject)) }
    guard longest > 1 else { throw CheckEnd.notApplicable("it does not subscribe again") }
    return "\(longest) upstreams, one after the other, on a stack of 512 KiB"
  }

  /// Inner streams that end at once, and that have waited until an earlier one ended.
  private static func innerStreamsBehindOne(_ subject: Subject) throws -> Int {
    guard let children = subject.children else { return 0 }
    let (inner, count) = (Locked<[UpstreamControl]>([]), 5_000)
    let run = OperatorTrial(
      { control in
        children.make(control, inner)
      }, .resubscribesInLoop, "\(count) inner streams wait behind one, and are over at once", [], .unlimited
    ) { _ in }
    run.probe.state.with { $0.limit = 100 }
    run.feed(1)
    guard let first = inner.value.first else { return 0 }
    let outer = try run.link()
    var fed = 0
    while fed < count, outer.deliver(fed) { fed += 1 }
    // All but the first end as soon as they are subscribed to.
    for control in inner.value.dropFirst() { control.onLink = { link, _ in link.end() } }
    for link in first.links { link.end() }
    run.settle()
    return fed
  }

  static func switchCarriesDemand(_ subject: Subject) throws -> String {
    var asked: [String] = []
    for (fails, returns) in [(true, 0), (true, 1), (false, 0), (false, 1)] {
      // Demand may be granted by either road: what was returned for a value is as outstanding as what was requested.
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
    asked += try requestInPause(subject)
    if !asked.isEmpty { return "the new upstream is asked for \(asked.joined(separator: ", "))" }
    if let children = subject.children {
      let inner = Locked<[UpstreamControl]>([])
      let run = OperatorTrial({ children.make($0, inner) }, .switchCarriesDemand, "streams", [], .max(5)) { _ in }
      run.feed(2)
      if inner.value.count == 2, let old = inner.value[0].links.first, old.subscription.cancels > 0,
        let new = inner.value[1].links.first
      {
        let wanted = run.probe.ledger.outstanding
        try run.expect(
          new.outstanding >= wanted,
          "downstream waits for \(wanted.words), and the new stream is asked for \(new.outstanding.words)")
        run.turnRogue()
        _ = old.sendValue(77)
        run.settle()
        try run.expect(run.probe.values.isEmpty, "a late value of the stream that was left was passed on")
        return "the new stream is asked for \(new.outstanding.words), and the old one is not heard"
      }
    }
    throw CheckEnd.notApplicable("it does not subscribe again")
  }

  /// Demand that is requested while the operator waits before another attempt counts for that attempt.
  private static func requestInPause(_ subject: Subject) throws -> [String] {
    let run = subject.run(.switchCarriesDemand, "2 more asked for in the pause before another attempt", demand: .max(1))
    for link in run.control.links { link.end(fails: true) }
    guard !run.probe.isEnded, run.control.live.isEmpty, run.control.links.count == 1 else { return [] }
    run.probe.request(.max(2))
    for _ in 0..<10 where run.control.links.count == 1 { run.settle() }
    guard run.control.links.count > 1 else { return [] }
    let (new, wanted) = (try run.link(1), run.probe.ledger.outstanding)
    try run.expect(
      new.outstanding >= wanted,
      "downstream waits for \(wanted.words), and the new upstream is asked for \(new.outstanding.words)")
    return [new.outstanding.words]
  }

  static func throwingCancelsUpstream(_ subject: Subject) throws -> String {
    guard let throwing = subject.throwing else {
      throw CheckEnd.notApplicable("the operator was not given with a closure that throws")
    }
    let run = OperatorTrial(throwing, .throwingCancelsUpstream, "the closure throws", [], PublisherUnderTest.plenty) {
      _ in
    }
    run.feed(4)
    let link = try run.link()
    try run.expect(run.probe.ends.count == 1, "\(run.probe.ends.count) completions came")
    try run.expect(run.probe.ends.first?.hasPrefix("failure") == true, "the stream \(run.probe.ends.first ?? "")")
    try run.expect(link.subscription.cancels > 0, "upstream was not cancelled")
    run.turnRogue()
    _ = link.sendValue(5)
    return "one failure, and upstream was cancelled"
  }

  static func childLimit(_ subject: Subject) throws -> String {
    guard let children = subject.children else {
      throw CheckEnd.notApplicable("the operator was not given with streams of streams")
    }
    let inner = Locked<[UpstreamControl]>([])
    let run = OperatorTrial(
      { children.make($0, inner) }, .childLimit, "inner streams", [], PublisherUnderTest.plenty
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
    // The operator has the last reference to each value, and releasing it calls back into the stream. The operator
    // keeps the value for want of demand, or until more have come.
    let cases: [(Subscribers.Demand, Int)] = [(.none, 3), (.max(1), 1), (.max(1), 2)]
    for (isCancelled, (demand, count)) in [true, false].flatMap({ end in cases.map { (end, $0) } }) {
      let probe = Locked<Probe?>(nil)
      let run = OperatorTrial(
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
    return outside + ", and so did values"
  }
}
