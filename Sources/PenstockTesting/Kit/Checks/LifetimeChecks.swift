// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules M, by weak references.
///
/// Swift frees an object as soon as nothing holds it. So nothing is waited for, but for threads that are not the check's: one
/// that has delivered may hold what it has delivered to for a moment longer.
enum LifetimeChecks {
  typealias Subject = PublisherSubject

  static let all: [Rule: Check<Subject>] = [
    .freedAfterCancel: freedAfterCancel, .freedAfterCompletion: freedAfterCompletion, .freedAtOnce: freedAtOnce,
    .noCycle: noCycle, .releasesOutsideLocks: releasesOutsideLocks,
  ]

  /// A subscriber that is known by a weak reference, after it has lived its life in a scope of its own.
  private struct Remains {
    weak var probe: Probe?
    weak var subscription: AnyObject?
    var events: [StreamEvent] = []
    var hasEnded = false
  }

  private static func live(
    _ specimen: Specimen, _ rule: Rule, keeping kept: inout (any Subscription)?, _ life: (Run) -> Void
  ) throws -> Remains {
    let run = Run(specimen, rule, "")
    run.subscribe()
    life(run)
    var remains = Remains(probe: run.probe)
    // The subscription of a stream that is over before it begins is one for all.
    if !run.probe.state.with({ $0.automaton.isEmpty }), let subscription = run.probe.subscription,
      type(of: subscription as Any) is AnyClass
    {
      remains.subscription = subscription as AnyObject
    }
    kept = run.probe.subscription
    (remains.events, remains.hasEnded) = (run.probe.events, run.probe.isEnded)
    run.probe.dropSubscriptions()
    return remains
  }

  private static func expectGone(
    _ object: @autoclosure () -> AnyObject?, _ text: String, _ events: [StreamEvent]
  ) throws {
    if !isGone(object()) { throw Verdict.broken(text, trace: Trace(events).description) }
  }

  /// Whether an object is freed, now or, if there are threads that are not the check's, soon.
  static func isGone(_ object: @autoclosure () -> AnyObject?) -> Bool {
    if object() == nil { return true }
    // A copy of the process has the threads of the check alone.
    if ChildProcess.isCopy || !hasThreads { return false }
    let moment = Latch()
    for _ in 0..<Patience.call / Patience.glance {
      _ = moment.wait(milliseconds: Patience.glance)
      if object() == nil { return true }
    }
    return false
  }

  static func freedAfterCancel(_ subject: Subject) throws -> String {
    for demand in [0, 1] {
      let specimen = try subject.make(3)
      var kept: (any Subscription)?
      let remains = try live(specimen, .freedAfterCancel, keeping: &kept) { run in
        if demand > 0 { run.request(demand) }
        run.cancel()
      }
      kept = nil
      try withExtendedLifetime(specimen) {
        try expectGone(
          remains.probe, "cancelled after \(demand) requested, and dropped: the publisher still holds the subscriber",
          remains.events)
      }
    }
    return "the subscriber is freed while the publisher lives"
  }

  static func freedAfterCompletion(_ subject: Subject) throws -> String {
    let specimen = try subject.make(2)
    var kept: (any Subscription)?
    let remains = try live(specimen, .freedAfterCompletion, keeping: &kept) { $0.request(Subject.plenty) }
    kept = nil
    guard remains.hasEnded else { throw Verdict.inconclusive("the stream does not end") }
    try withExtendedLifetime(specimen) {
      try expectGone(
        remains.probe, "the stream has ended, and its subscriber is still held by the publisher", remains.events)
    }
    return "the subscriber is freed while the publisher lives"
  }

  static func freedAtOnce(_ subject: Subject) throws -> String {
    for isCancelled in [true, false] {
      let specimen = try subject.make(2)
      var kept: (any Subscription)?
      let remains = try live(specimen, .freedAtOnce, keeping: &kept) {
        if isCancelled { $0.cancel() } else { $0.request(Subject.plenty) }
      }
      if !isCancelled, !remains.hasEnded { continue }
      try withExtendedLifetime((specimen, kept)) {
        try expectGone(
          remains.probe,
          "the subscription holds its subscriber after \(isCancelled ? "the cancel" : "the completion")", remains.events
        )
      }
    }
    return "a held subscription holds no subscriber after the end"
  }

  static func noCycle(_ subject: Subject) throws -> String {
    var kept: (any Subscription)?
    var specimen: Specimen? = try subject.make(3)
    let remains = try live(specimen!, .noCycle, keeping: &kept) {
      $0.request(1)
      $0.cancel()
    }
    kept = nil
    specimen = nil
    try expectGone(
      remains.subscription, "publisher and subscriber are gone, and the subscription is still there", remains.events)
    return "with its publisher and its subscriber the subscription goes"
  }

  /// The last reference to a subscriber is the subscription's, and its end calls back.
  static func releasesOutsideLocks(_ subject: Subject) throws -> String {
    for (name, call) in [
      ("requests", { (subscription: any Subscription) in subscription.request(.max(1)) }), ("cancels", { $0.cancel() }),
    ] {
      let specimen = try subject.make(3)
      let subscription = Locked<(any Subscription)?>(nil)
      func attach() {
        let run = Run(specimen, .releasesOutsideLocks, "a subscriber that \(name) as it is freed")
        run.probe.onEnd = { if let subscription = subscription.value { call(subscription) } }
        run.subscribe()
        subscription.with { $0 = run.probe.subscription }
        run.probe.dropSubscriptions()
      }
      attach()
      subscription.value?.cancel()
      specimen.settle()
      // Freed here and not under the lock: it may hold the subscriber until then.
      let last = subscription.with { subscription in
        defer { subscription = nil }
        return subscription
      }
      withExtendedLifetime(last) {}
    }
    return "subscribers that request and cancel as they are freed"
  }
}
