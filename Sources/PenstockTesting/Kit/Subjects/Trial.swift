// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One subscription to a publisher under test, with what a check does and expects.
final class Trial {
  let probe: Probe
  let erased: ErasedPublisher
  private let rule: Rule
  private let label: String
  /// Rules whose breaks count as breaks of this one, because only this one has been tested.
  private let own: Set<Rule>
  /// For an operator, which answers to what it is fed: the number of its calls before that; `nil` for a publisher,
  /// which owes what is requested.
  private var callsBefore: Int?

  /// - Parameter isFed: Whether it is an operator, which is fed.
  init(
    _ erased: ErasedPublisher, _ rule: Rule, _ label: String, also own: Set<Rule> = [], probe: Probe = Probe(),
    isFed: Bool = false
  ) {
    (self.erased, self.rule, self.label, self.probe) = (erased, rule, label, probe)
    callsBefore = isFed ? 0 : nil
    self.own = own.union([rule])
    probe.label = label
    probe.ownRules = own
  }

  func subscribe(as identifier: CombineIdentifier = CombineIdentifier()) {
    attach(as: identifier)
    settle()
  }

  /// Subscribes, and lets no time pass.
  func attach(as identifier: CombineIdentifier = CombineIdentifier()) {
    ChildProcess.underWay("receive(subscriber:)") { erased.subscribe(probe, identifier) }
  }

  /// Subscribes with demand from the beginning: requested after the subscription or, if the publisher drops what nobody
  /// has requested, inside it.
  func start(_ demand: Subscribers.Demand) {
    if erased.dropsUnrequested, demand > .none {
      let act = probe.onSubscription
      probe.onSubscription = {
        act?($0)
        $0.request(demand)
      }
      return subscribe()
    }
    subscribe()
    if demand > .none { request(demand) }
  }

  func request(_ demand: Subscribers.Demand) {
    probe.request(demand)
    settle()
  }

  /// Lets time pass, and waits for the answer of a subject that delivers on threads of its own.
  func settle() {
    passTime()
    if !erased.isDriven, let log = CheckLog.current { wait(log) }
  }

  /// Lets time pass until it brings nothing more: values that came may have asked for more, which also need time.
  func passTime() {
    for _ in 0..<100 {
      let before = probe.state.with { $0.events.count }
      ChildProcess.underWay("what happens as time passes") { erased.settle() }
      if probe.state.with({ $0.events.count }) == before { return }
    }
  }

  private func wait(_ log: CheckLog) {
    guard let before = callsBefore else { return log.waitForAnswer { probe.isServed } }
    log.waitForReaction { probe.isServed || log.calls > before }
    callsBefore = log.calls
  }

  /// Waits until another subscriber has got everything: anything under way for this one would have come by then.
  ///
  /// Only for a publisher that delivers on threads of its own and gives each subscriber a run of its own: for any
  /// other, it shows at once that nothing comes.
  func awaitSilence() {
    guard !erased.isDriven, !erased.isShared, !erased.dropsUnrequested, CheckLog.current?.isPatient == true else {
      return
    }
    Trial(erased, rule, "another subscriber, beside one that is to get nothing more").start(PublisherUnderTest.plenty)
  }

  /// Whether a condition is met, or becomes met if the publisher delivers on threads of its own.
  func comesTrue(_ isMet: () -> Bool) -> Bool {
    isMet() || (!erased.isDriven && CheckLog.current?.comesTrue(isMet) == true)
  }

  func request(_ count: Int) { request(.max(count)) }

  func cancel() {
    probe.cancel()
    settle()
  }

  /// Ends the check if its rule is broken.
  ///
  /// A break of another rule stays in the log, and counts there.
  func judge() throws {
    let (events, breaches) = probe.state.with { ($0.events, $0.breaches) }
    guard let own = breaches.first(where: { self.own.contains($0.breach.rule) }) else { return }
    let trace = Trace(events, mark: (own.event, own.breach.text))
    throw CheckEnd.broken("\(label): \(own.breach.text)", trace: trace.description)
  }

  /// Ends the check if its rule is broken by now, or is broken by what is still under way.
  func judgeSilence() throws {
    awaitSilence()
    try judge()
  }

  func expect(_ isMet: @autoclosure () -> Bool, _ text: @autoclosure () -> String) throws {
    try expect(isMet, orElse: { broken(text()) })
  }

  func expect(_ isMet: () -> Bool, orElse end: () -> CheckEnd) throws {
    try judge()
    if comesTrue(isMet) { return }
    // The reason may be something that came meanwhile.
    try judge()
    throw end()
  }

  func broken(_ text: String) -> CheckEnd {
    let events = probe.events
    let trace = events.isEmpty ? "" : Trace(events, mark: (events.count - 1, text)).description
    return .broken("\(label): \(text)", trace: trace)
  }
}
