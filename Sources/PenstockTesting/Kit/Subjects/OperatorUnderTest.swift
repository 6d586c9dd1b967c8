// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `@unchecked`: the author's closures are `@Sendable`. Their wrappers are not, to the compiler, because the type of a
// publisher that is known as `some Publisher` could belong to an actor.

/// An operator under test, without its types, and what its author says about it.
struct OperatorUnderTest: @unchecked Sendable {
  var traits: Set<OperatorTrait> = []
  /// What it uses the kit's scheduler for; `nil` if it was given none.
  var use: SchedulerUse?
  /// The operator applied to an upstream that the check drives.
  var byHand: (UpstreamControl) -> ErasedPublisher
  /// The operator applied to numbers that come as they are requested.
  var cold: (Int, _ fails: Bool) -> ErasedPublisher
  /// The same with a closure that throws at the number 1.
  var throwing: ((UpstreamControl) -> ErasedPublisher)?
  /// The same with a closure of the check's, which the operator calls for a value.
  var calling: ((UpstreamControl, @escaping @Sendable () -> Void) -> ErasedPublisher)?
  /// The same with values that are objects; the closure is called when one of them is freed.
  var objects: ((UpstreamControl, @escaping (VerificationObject) -> Void, @escaping () -> Void) -> ErasedPublisher)?
  /// An operator on streams of streams, with its limit; the upstreams of the inner streams are added to the list.
  var children: (limit: Int, make: (UpstreamControl, Locked<[UpstreamControl]>) -> ErasedPublisher)?

  /// The operator as a publisher, for the rules that it owes downstream.
  var publisher: PublisherUnderTest {
    var subject = PublisherUnderTest()
    let (cold, traits) = (cold, traits)
    subject.finite = { cold($0, false) }
    if !traits.contains(.catchesFailure) { subject.failing = { cold(0, true) } }
    if traits.contains(.dropsUnrequested) {
      subject.traits.insert(.hot)
      let byHand = byHand
      subject.finite = { count in
        let control = UpstreamControl()
        return byHand(control).paced(control, count)
      }
      // More values would only take more time.
      subject.counts = 0...200
    }
    if traits.contains(.shared) { subject.traits.insert(.shared) }
    if traits.contains(.deliversNothing) { subject.traits.insert(.deliversNothing) }
    for case .variesWithDemand(let variation) in traits { subject.traits.insert(.variesWithDemand(variation)) }
    return subject
  }

  /// The operator as a subscriber, for the rules that it owes upstream.
  var receiver: SubscriberUnderTest {
    let (byHand, staysConnected) = (byHand, traits.contains(.staysConnected))
    return SubscriberUnderTest { control, isRogue in
      let run = Trial(byHand(control), .asksForSomething, "", isFed: true)
      run.probe.isRogue = isRogue
      // Downstream keeps R-02 itself: an operator that passes its subscription on may leave that to downstream.
      run.probe.onSubscription = { probe in
        let (count, latest) = probe.state.with { ($0.automaton.subscriptions, $0.subscriptions.last) }
        if count == 1 { probe.request(PublisherUnderTest.plenty) } else { latest?.cancel() }
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
    _ set: (OperatorTrial) -> Void = { _ in }
  ) -> OperatorTrial {
    OperatorTrial(byHand, rule, label, own, demand, set)
  }
}
