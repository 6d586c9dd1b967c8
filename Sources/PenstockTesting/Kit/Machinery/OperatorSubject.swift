// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `@unchecked`: the author's closures are `@Sendable`. What wraps them is not, to the compiler, because the type of a publisher
// that is known as `some Publisher` could belong to an actor.

/// An operator under test, without its types, and what its author says of it.
struct OperatorSubject: @unchecked Sendable {
  var traits: Set<OperatorTrait> = []
  /// What it uses the kit's scheduler for; `nil` where it was given none.
  var use: SchedulerUse?
  /// The operator behind an upstream that the check drives.
  var byHand: (UpstreamControl) -> Specimen
  /// The operator behind numbers that come as they are requested.
  var cold: (Int, _ fails: Bool) -> Specimen
  /// The same with a closure that throws at the number 1.
  var throwing: ((UpstreamControl) -> Specimen)?
  /// The same with a closure of the check's, which the operator calls for a value.
  var calling: ((UpstreamControl, @escaping @Sendable () -> Void) -> Specimen)?
  /// The same with values that are objects; the closure is called when one of them is freed.
  var objects: ((UpstreamControl, @escaping (VerificationObject) -> Void, @escaping () -> Void) -> Specimen)?
  /// An operator of streams of streams, with its limit; the upstreams of the inner ones are added to the list.
  var children: (limit: Int, make: (UpstreamControl, Locked<[UpstreamControl]>) -> Specimen)?

  /// The operator as a publisher, for the rules that it owes downstream.
  var publisher: PublisherSubject {
    var subject = PublisherSubject()
    let (cold, traits) = (cold, traits)
    subject.finite = { cold($0, false) }
    if !traits.contains(.catchesFailure) { subject.failing = { cold(0, true) } }
    if traits.contains(.dropsUnrequested) { subject.traits.insert(.hot) }
    if traits.contains(.shared) { subject.traits.insert(.shared) }
    return subject
  }

  /// The operator as a subscriber, for the rules that it owes upstream.
  var receiver: ReceiverSubject {
    let (byHand, staysConnected) = (byHand, traits.contains(.staysConnected))
    return ReceiverSubject { control in
      let run = Run(byHand(control), .asksForSomething, "")
      // Downstream keeps R-02 itself: an operator that passes on what it gets may leave that to it.
      run.probe.onSubscription = { probe in
        let (count, latest) = probe.state.with { ($0.automaton.subscriptions, $0.subscriptions.last) }
        if count == 1 { probe.request(PublisherSubject.plenty) } else { latest?.cancel() }
      }
      run.subscribe()
      return .init(
        control: control, probe: run.probe, subscriber: run, settle: { run.settle() },
        cancel: staysConnected ? nil : { run.probe.state.with { $0.subscriptions.first }?.cancel() })
    }
  }

  var prefetch: Int { traits.reduce(0) { if case .prefetches(let count) = $1 { Swift.max($0, count) } else { $0 } } }
  var perOutput: Int { traits.reduce(1) { if case .consumes(let count) = $1 { Swift.max($0, count) } else { $0 } } }
  var upstreams: Int { traits.reduce(1) { if case .upstreams(let count) = $1 { Swift.max($0, count) } else { $0 } } }

  /// The operator between an upstream driven by the check and a probe.
  func run(
    _ rule: Rule, _ label: String, also own: Set<Rule> = [], demand: Subscribers.Demand = .none,
    _ set: (OperatorRun) -> Void = { _ in }
  ) -> OperatorRun {
    OperatorRun(byHand, rule, label, own, demand, set)
  }

  static let rules: [Rule] = Rule.all.filter {
    PublisherSubject.rules.contains($0) || SubscriberChecks.all[$0] != nil || own[$0] != nil
  }.filter { $0 != .cancelsWhenDone && $0 != .receivesPromptly }

  private static let own: [Rule: Check<Self>] = OperatorChecks.all
    .merging(OperatorChecks.further) { first, _ in first }.merging(TimeChecks.ofOperators) { first, _ in first }

  func outcome(of rule: Rule, inProcess: Bool) -> Outcome? {
    guard Self.rules.contains(rule) else { return nil }
    if let check = Self.own[rule] {
      let reading = Execution.Reading(maySafelyStop: rule == .stopsRogueSignals, isInProcess: inProcess)
      return Execution.run(reading) { try check(self) }
    }
    if let check = SubscriberChecks.all[rule] {
      return Execution.run(.init(isInProcess: inProcess)) { try check(receiver) }
    }
    return publisher.outcome(of: rule, inProcess: inProcess)
  }
}

/// An operator between an upstream driven by a check and a probe.
final class OperatorRun {
  let control = UpstreamControl()
  let run: Run
  private let label: String

  init(
    _ make: (UpstreamControl) -> Specimen, _ rule: Rule, _ label: String, _ own: Set<Rule>,
    _ demand: Subscribers.Demand, _ set: (OperatorRun) -> Void
  ) {
    self.label = label
    run = Run(make(control), rule, label, also: own)
    set(self)
    run.subscribe()
    if demand > .none { run.request(demand) }
  }

  var probe: Probe { run.probe }
  func settle() { run.settle() }

  func link(_ place: Int = 0) throws -> UpstreamControl.Link {
    let links = control.links
    guard links.indices.contains(place) else { throw Verdict.inconclusive("it has not subscribed to its upstream") }
    return links[place]
  }

  /// Delivers numbers to all links, as long as they are requested.
  ///
  /// - Returns: How many were delivered.
  @discardableResult
  func feed(_ count: Int, from first: Int = 0) -> Int {
    for number in 0..<count {
      var isDelivered = false
      for link in control.links where link.deliver(first + number) { isDelivered = true }
      settle()
      if !isDelivered { return number }
    }
    return count
  }

  func end(fails: Bool = false) {
    for link in control.links { link.end(fails: fails) }
    settle()
  }

  func expect(_ isMet: Bool, _ text: @autoclosure () -> String) throws {
    try run.judge()
    if !isMet { throw broken(text()) }
  }

  /// A break, with both sides of the operator.
  func broken(_ text: String) -> Verdict {
    let upstream = control.subscriptions.enumerated().map { place, subscription in
      "  upstream \(place): \(subscription.ledger); cancelled \(subscription.cancels)×"
    }
    return .broken(
      "\(label): \(text)", trace: (upstream + [Trace(probe.events).description]).joined(separator: "\n"))
  }
}
