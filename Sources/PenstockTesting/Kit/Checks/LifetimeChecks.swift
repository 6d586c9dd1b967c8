// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules M, by weak references.
///
/// Swift frees an object as soon as nothing holds it, so nothing is waited for.
enum LifetimeChecks {
  typealias Subject = PublisherSubject

  static let all: [Rule: Check<Subject>] = [
    .freedAfterCancel: freedAfterCancel, .freedAfterCompletion: freedAfterCompletion, .freedAtOnce: freedAtOnce,
    .noCycle: noCycle,
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

  private static func expectGone(_ object: AnyObject?, _ text: String, _ events: [StreamEvent]) throws {
    if object != nil { throw Verdict.broken(text, trace: Trace(events).description) }
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
}
