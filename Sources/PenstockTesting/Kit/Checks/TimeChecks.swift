// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules T of publishers and operators, on the kit's scheduler: T-02 is with the operators, T-06 with the schedulers.
enum TimeChecks {
  static let ofPublishers: [Rule: Check<PublisherUnderTest>] = [
    .orderAcrossScheduler: orderAcrossScheduler, .noDrift: noDrift, .nothingPending: nothingPending,
    .ticksWithoutDemand: ticksWithoutDemand,
  ]

  static let ofOperators: [Rule: Check<OperatorUnderTest>] = [
    .orderAcrossScheduler: orderAcrossScheduler, .nothingPending: nothingPending,
  ]

  private static let needsScheduler = CheckEnd.notApplicable("it was not given with a scheduler of the kit's")

  /// Notes what a probe gets outside of the scheduler's actions.
  private final class Strays {
    private let calls = Locked<[String]>([])

    var first: String? { calls.value.first }

    func note(_ call: String, _ scheduler: VerificationScheduler) {
      if !scheduler.isRunning { calls.with { $0.append(call) } }
    }

    func watch(_ probe: Probe, _ scheduler: VerificationScheduler) {
      probe.onValue = { _, number in
        self.note("value \(number)", scheduler)
        return .none
      }
      probe.onCompletion = { _ in self.note("the completion", scheduler) }
    }
  }

  // MARK: T-01

  static func orderAcrossScheduler(_ subject: OperatorUnderTest) throws -> String {
    guard let use = subject.use else { throw needsScheduler }
    if use == .subscriptions { return try callsOnScheduler(subject) }
    for fails in [false, true] {
      // Step by step; then with time for the last value before the completion; and then all at once.
      let paced = try outputs(subject, use, fails: fails, paced: true, label: "with time in between")
      let waiting = try outputs(subject, use, fails: fails, paced: nil, label: "with time before the completion")
      let burst = try outputs(subject, use, fails: fails, paced: false, label: "everything at once")
      let common = burst.probe.values.compactMap { paced.probe.values.firstIndex(of: $0) }
      if common != common.sorted() {
        throw burst.broken("\(listed(burst.probe.values)) is another order than upstream's")
      }
      if fails || subject.traits.contains(.dropsUnrequested) { continue }
      try burst.expect(
        burst.probe.values == waiting.probe.values,
        "the completion has overtaken values: \(listed(burst.probe.values)) came, where later there came "
          + listed(waiting.probe.values))
    }
    return use == .deliveries
      ? "values and completions came in the scheduler's actions, in order" : "values and completions came in order"
  }

  /// - Parameter paced: Whether time passes between the values; `nil` for before the completion only.
  private static func outputs(
    _ subject: OperatorUnderTest, _ use: SchedulerUse, fails: Bool, paced: Bool?, label: String
  ) throws -> OperatorTrial {
    let strays = Strays()
    let run = subject.run(
      .orderAcrossScheduler, "\(fails ? "a failure" : "an end") behind 4 values, \(label)",
      also: [.silenceAfterCompletion], demand: PublisherUnderTest.plenty
    ) { run in
      if use == .deliveries, let scheduler = run.run.erased.scheduler { strays.watch(run.probe, scheduler) }
    }
    for number in 0..<4 {
      for link in run.control.links { link.deliver(number) }
      if paced == true { run.settle() }
    }
    if paced == nil { for _ in 0..<3 { run.settle() } }
    for link in run.control.links { link.end(fails: fails) }
    for _ in 0..<3 { run.settle() }
    try run.run.judge()
    if let stray = strays.first { throw run.broken("\(stray) did not come in an action of the scheduler") }
    return run
  }

  private static func callsOnScheduler(_ subject: OperatorUnderTest) throws -> String {
    let strays = Strays()
    var calls = 0
    let run = subject.run(.orderAcrossScheduler, "subscribed, asked and cancelled") { run in
      guard let scheduler = run.run.erased.scheduler else { return }
      run.control.onCall = {
        calls += 1
        strays.note($0, scheduler)
      }
    }
    run.run.request(1)
    run.feed(1)
    run.run.request(1)
    run.run.cancel()
    if let stray = strays.first { throw run.broken("\(stray) was not called in an action of the scheduler") }
    try run.expect(calls > 2, "upstream was called \(calls) times only")
    return "\(calls) calls of upstream, all in the scheduler's actions"
  }

  static func orderAcrossScheduler(_ subject: PublisherUnderTest) throws -> String {
    let strays = Strays()
    var publishers: [(ErasedPublisher, VirtualTime.Stride)] = []
    if let finite = subject.finite {
      publishers.append((finite(subject.counts.clamp(3)), 0))
    }
    if let ticking = subject.ticking { publishers.append((ticking.make(), ticking.interval)) }
    publishers.removeAll { $0.0.scheduler == nil }
    if publishers.isEmpty { throw needsScheduler }
    var count = 0
    for (erased, interval) in publishers {
      guard let scheduler = erased.scheduler else { continue }
      let run = Trial(erased, .orderAcrossScheduler, "on the scheduler", also: [.silenceAfterCompletion])
      strays.watch(run.probe, scheduler)
      // At once: the request itself may deliver what time has brought before.
      erased.subscribe(run.probe, CombineIdentifier())
      run.request(PublisherUnderTest.plenty)
      for _ in 0..<5 {
        scheduler.advance(by: interval)
        run.settle()
      }
      run.cancel()
      try run.judge()
      if let stray = strays.first { throw run.broken("\(stray) did not come in an action of the scheduler") }
      count += run.probe.ledger.delivered
    }
    return "\(count) values came in the scheduler's actions"
  }

  // MARK: T-04

  /// Returns what is left on a scheduler after everything that runs only once has run.
  private static func left(on scheduler: VerificationScheduler) -> String? {
    // Combine has no way to take back an action that runs once, but that action can do nothing any more.
    scheduler.runWaiting(limit: 200)
    if scheduler.repeating > 0 { return "repeated work is still on the scheduler" }
    return scheduler.waiting > 0 ? "work on the scheduler schedules itself again and again" : nil
  }

  static func nothingPending(_ subject: OperatorUnderTest) throws -> String {
    guard subject.use != nil else { throw needsScheduler }
    let ways: [(String, (OperatorTrial) -> Void)] = [
      ("cancelled at once", { $0.probe.cancel() }),
      (
        "cancelled while values wait",
        { run in
          for number in 0..<3 { for link in run.control.links { link.deliver(number) } }
          run.probe.cancel()
        }
      ),
      (
        "cancelled inside a value",
        { run in
          run.probe.onValue = { probe, _ in
            probe.cancel()
            return .none
          }
          run.feed(3)
          run.probe.cancel()
        }
      ),
      (
        "finished",
        { run in
          run.feed(3)
          run.end()
        }
      ),
      (
        "failed",
        { run in
          run.feed(3)
          run.end(fails: true)
        }
      ),
    ]
    for (label, way) in ways {
      let run = subject.run(.nothingPending, label, demand: PublisherUnderTest.plenty)
      way(run)
      for _ in 0..<3 { run.settle() }
      // An operator that subscribes again continues, rightly.
      guard let scheduler = run.run.erased.scheduler,
        run.probe.isEnded || run.probe.events.contains(where: { $0.kind == .cancelled })
      else { continue }
      if let left = left(on: scheduler) { throw run.broken(left) }
    }
    return "nothing was left after a cancel, an end or a failure"
  }

  static func nothingPending(_ subject: PublisherUnderTest) throws -> String {
    var count = 0
    for make in subject.makers {
      for way in ["cancelled at once", "cancelled after a request", "cancelled inside the first value", "ended"] {
        let run = Trial(make(), .nothingPending, way)
        guard let scheduler = run.erased.scheduler else { continue }
        if way.hasSuffix("value") {
          run.probe.onValue = { probe, _ in
            probe.cancel()
            return .none
          }
        }
        run.subscribe()
        if way != "cancelled at once" { run.request(PublisherUnderTest.plenty) }
        if way.hasSuffix("value") || way == "ended" {
          for _ in 0..<5 {
            scheduler.advance(by: subject.ticking?.interval ?? 0)
            run.settle()
          }
        }
        if way == "ended", !run.probe.isEnded { continue }
        if way != "ended" { run.cancel() }
        if let left = left(on: scheduler) { throw run.broken(left) }
        count += 1
      }
    }
    if let make = subject.failing {
      let run = Trial(make(), .nothingPending, "failed")
      if let scheduler = run.erased.scheduler {
        run.subscribe()
        run.request(PublisherUnderTest.plenty)
        for _ in 0..<5 { run.settle() }
        if run.probe.isEnded, let left = left(on: scheduler) { throw run.broken(left) }
        count += 1
      }
    }
    if count == 0 { throw needsScheduler }
    return "nothing was left, in \(count) ways to cancel and to end"
  }

  // MARK: P-03, P-04, T-03, T-05

  /// Ticks that nobody has requested may not come, even after ticks that were missed.
  static func valuesWithinDemand(_ erased: ErasedPublisher, every interval: VirtualTime.Stride) throws {
    for (first, pause, more) in [(0, 3, 1), (1, 3, 1), (2, 5, 2), (1, 1, 1)] {
      let run = Trial(erased, .valuesWithinDemand, "\(first) ticks requested, \(more) after \(pause) intervals")
      run.subscribe()
      if first > 0 { run.request(first) }
      run.erased.scheduler?.advance(by: .nanoseconds(interval.nanoseconds * (first + pause)))
      run.request(more)
      run.erased.scheduler?.advance(by: .nanoseconds(interval.nanoseconds * (more + 3)))
      run.cancel()
      try run.judge()
    }
  }

  /// Ticks that are not requested are lost, so only their number can be compared.
  static func bothRoadsCount(_ subject: PublisherUnderTest) throws -> String {
    guard let ticking = subject.ticking else { throw needsScheduler }
    let (interval, make) = (ticking.interval, ticking.make)
    let ways = [
      Way("4 requested", 4) { _, _ in .none },
      Way("1 requested, 3 returned, one for a tick", 1) { _, number in number < 4 ? .max(1) : .none },
      Way("1 requested, 3 returned at once", 1) { _, number in number == 1 ? .max(3) : .none },
      Way("2 requested, 2 more inside a tick", 2) { probe, number in
        if number == 1 { probe.request(.max(2)) }
        return .none
      },
    ]
    for way in ways {
      let run = Trial(make(), .bothRoadsCount, way.label)
      run.probe.onValue = way.onValue
      run.subscribe()
      run.request(way.first)
      run.erased.scheduler?.advance(by: .nanoseconds(interval.nanoseconds * 20))
      run.cancel()
      let count = run.probe.ledger.delivered
      try run.expect(count == 4, "4 ticks granted, \(count) came in 20 intervals")
    }
    return "4 ticks came, granted in \(ways.count) ways"
  }

  /// A way to request ticks.
  private struct Way {
    let label: String
    let first: Int
    let onValue: (Probe, Int) -> Subscribers.Demand

    init(_ label: String, _ first: Int, _ onValue: @escaping (Probe, Int) -> Subscribers.Demand) {
      (self.label, self.first, self.onValue) = (label, first, onValue)
    }
  }

  /// A run of a publisher that ticks, with its scheduler and the time between two ticks.
  private static func ticking(
    _ subject: PublisherUnderTest, _ rule: Rule, _ label: String
  ) throws -> (Trial, VerificationScheduler, VirtualTime.Stride) {
    guard let ticking = subject.ticking else { throw CheckEnd.notApplicable("it was not given as one that ticks") }
    let (interval, make) = (ticking.interval, ticking.make)
    let run = Trial(make(), rule, label)
    guard let scheduler = run.erased.scheduler else { throw needsScheduler }
    return (run, scheduler, interval)
  }

  static func noDrift(_ subject: PublisherUnderTest) throws -> String {
    let (run, scheduler, interval) = try ticking(subject, .noDrift, "a scheduler that is late")
    let dates = Locked<[VirtualTime]>([])
    run.probe.onValue = { _, _ in
      dates.with { $0.append(scheduler.now) }
      return .none
    }
    run.subscribe()
    run.request(.unlimited)
    for _ in 0..<3 where dates.value.isEmpty { scheduler.advance(by: interval) }
    guard let first = dates.value.first else { throw CheckEnd.inconclusive("no tick came in three intervals") }
    // From zero up to somewhat less than half of the interval, in an order that is the same each time.
    scheduler.beLate { .nanoseconds($0 * 7 % 10 * (interval.nanoseconds / 20)) }
    scheduler.advance(by: .nanoseconds(interval.nanoseconds * 1_000))
    run.probe.cancel()
    for (number, date) in dates.value.enumerated() {
      let due = first.advanced(by: .nanoseconds(interval.nanoseconds * number))
      if due.distance(to: date).magnitude.nanoseconds > interval.nanoseconds / 2 {
        throw CheckEnd.broken(
          "tick \(number + 1) came at \(date), and was due at \(due); the scheduler is never late by more than "
            + "\(VirtualTime.Stride(nanoseconds: interval.nanoseconds / 20 * 9))", trace: "")
      }
    }
    return "\(dates.value.count) ticks came on a scheduler that is late by up to 45 % of the interval"
  }

  static func ticksWithoutDemand(_ subject: PublisherUnderTest) throws -> String {
    let (run, scheduler, interval) = try ticking(
      subject, .ticksWithoutDemand, "100 intervals without demand, then everything requested")
    run.subscribe()
    run.request(1)
    for _ in 0..<3 where run.probe.ledger.delivered == 0 { scheduler.advance(by: interval) }
    let before = run.probe.ledger.delivered
    if before == 0 { throw CheckEnd.inconclusive("no tick came in three intervals") }
    scheduler.advance(by: .nanoseconds(interval.nanoseconds * 100))
    run.request(PublisherUnderTest.plenty)
    let count = run.probe.ledger.delivered - before
    try run.expect(count <= 1, "\(count) values came at once")
    run.cancel()
    return "\(count == 0 ? "none" : "one") of 100 ticks was kept"
  }
}
