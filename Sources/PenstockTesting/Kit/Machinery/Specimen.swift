// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One publisher under test, without its types.
struct Specimen {
  /// Subscribes a probe; subscribers with the same identifier count as one attached twice.
  let subscribe: (Probe, CombineIdentifier) -> Void
  /// Lets time pass, where the publisher needs that.
  let settle: () -> Void
  /// The number of resources that the publisher holds open; `nil` where nobody counts them.
  let resources: (() -> Int)?
  /// The kit's scheduler, on which the publisher works; `nil` where it was given none.
  var scheduler: VerificationScheduler?

  init(subscribe: @escaping (Probe, CombineIdentifier) -> Void, settle: @escaping () -> Void) {
    (self.subscribe, self.settle, resources) = (subscribe, settle, nil)
  }

  /// Makes a publisher on a scheduler of its own, which a check lets run for so long after each step.
  init<P: Publisher>(passing time: VirtualTime.Stride, _ make: (VerificationScheduler) -> P) {
    let scheduler = VerificationScheduler()
    self.init(Driven(make(scheduler), settle: { scheduler.advance(by: time) }))
    self.scheduler = scheduler
  }

  init<P: Publisher>(_ driven: Driven<P>) {
    let publisher = driven.publisher
    subscribe = { publisher.subscribe(ProbeSubscriber<P.Output, P.Failure>(probe: $0, combineIdentifier: $1)) }
    settle = driven.settle
    resources = driven.resources
  }
}

/// One subscription to a publisher under test, with what a check does and expects.
final class Run {
  let probe: Probe
  let specimen: Specimen
  private let rule: Rule
  private let label: String
  /// Rules whose breaks count as breaks of this one, because nothing but this one has been done.
  private let own: Set<Rule>

  init(_ specimen: Specimen, _ rule: Rule, _ label: String, also own: Set<Rule> = [], probe: Probe = Probe()) {
    (self.specimen, self.rule, self.label, self.probe) = (specimen, rule, label, probe)
    self.own = own.union([rule])
  }

  func subscribe(as identifier: CombineIdentifier = CombineIdentifier()) {
    specimen.subscribe(probe, identifier)
    settle()
  }

  func request(_ demand: Subscribers.Demand) {
    probe.request(demand)
    settle()
  }

  /// Lets time pass until it brings nothing more: what came may have asked for more, which has its own time to come.
  func settle() {
    for _ in 0..<100 {
      let before = probe.state.with { $0.events.count }
      specimen.settle()
      if probe.state.with({ $0.events.count }) == before { return }
    }
  }

  func request(_ count: Int) { request(.max(count)) }

  func cancel() {
    probe.cancel()
    settle()
  }

  /// Ends the check if the rule is broken, or if something else went wrong that makes its words meaningless.
  func judge() throws {
    let (events, breaches) = probe.state.with { ($0.events, $0.breaches) }
    if let own = breaches.first(where: { self.own.contains($0.breach.rule) }) {
      let trace = Trace(events, mark: (own.event, own.breach.text))
      throw Verdict.broken("\(label): \(own.breach.text)", trace: trace.description)
    }
    if let other = breaches.first {
      throw Verdict.inconclusive("\(label): \(other.breach.rule.id) was broken on the way: \(other.breach.text)")
    }
  }

  func expect(_ isMet: Bool, _ text: @autoclosure () -> String) throws {
    try judge()
    if !isMet { throw broken(text()) }
  }

  func broken(_ text: String) -> Verdict {
    let events = probe.events
    let trace = events.isEmpty ? "" : Trace(events, mark: (events.count - 1, text)).description
    return .broken("\(label): \(text)", trace: trace)
  }
}
