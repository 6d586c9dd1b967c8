// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules M, checked by weak references.
///
/// Swift frees an object as soon as nothing holds it. So the checks wait only for threads that are not their own: a
/// thread that has delivered may hold the subscriber for a moment longer.
enum LifetimeChecks {
  typealias Subject = PublisherUnderTest

  static let all: [Rule: Check<Subject>] = [
    .freedAfterCancel: freedAfterCancel, .freedAfterCompletion: freedAfterCompletion, .freedAtOnce: freedAtOnce,
    .noCycle: noCycle, .releasesOutsideLocks: releasesOutsideLocks,
  ]

  /// What is left of a subscriber, known by a weak reference, after its life in a scope of its own.
  private struct Remains {
    weak var probe: Probe?
    weak var subscription: AnyObject?
    var events: [StreamEvent] = []
    var hasEnded = false
  }

  private static func live(
    _ erased: ErasedPublisher, _ rule: Rule, keeping kept: inout (any Subscription)?, cancelsInside point: Int = 0,
    _ life: (Trial) -> Void
  ) throws -> Remains {
    let run = Trial(erased, rule, "")
    if point > 0 {
      run.probe.onValue = { probe, number in
        if number == point { probe.cancel() }
        return .none
      }
    }
    if erased.dropsUnrequested { run.start(Subject.plenty) } else { run.subscribe() }
    life(run)
    var remains = Remains(probe: run.probe)
    // All streams that are over before they begin share one subscription.
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

  static func expectGone(
    _ object: @autoclosure () -> AnyObject?, _ text: String, _ events: [StreamEvent]
  ) throws {
    if !isGone(object()) { throw CheckEnd.broken(text, trace: Trace(events).description) }
    CheckLog.current?.count(.freed)
  }

  /// Whether an object is freed, now or, if there are threads that are not the check's, soon.
  static func isGone(_ object: @autoclosure () -> AnyObject?) -> Bool {
    object() == nil || CheckLog.current?.wait(milliseconds: Patience.answer) { object() == nil } == true
  }

  static func freedAfterCancel(_ subject: Subject) throws -> String {
    for demand in [0, 1] {
      let erased = try subject.make(3)
      var kept: (any Subscription)?
      let remains = try live(erased, .freedAfterCancel, keeping: &kept) { run in
        if demand > 0 { run.request(demand) }
        run.cancel()
      }
      kept = nil
      try withExtendedLifetime(erased) {
        try expectGone(
          remains.probe, "cancelled after \(demand) requested, and dropped: the publisher still holds the subscriber",
          remains.events)
      }
    }
    for point in 1...3 {
      let erased = try subject.make(3)
      var kept: (any Subscription)?
      let remains = try live(erased, .freedAfterCancel, keeping: &kept, cancelsInside: point) {
        $0.request(Subject.plenty)
        // A second cancel might do what the first has forgotten.
        if $0.probe.values.count < point { $0.cancel() }
      }
      kept = nil
      try withExtendedLifetime(erased) {
        try expectGone(
          remains.probe, "cancelled inside value \(point), and dropped: the publisher still holds the subscriber",
          remains.events)
      }
    }
    return "the subscriber is freed while the publisher lives"
  }

  static func freedAfterCompletion(_ subject: Subject) throws -> String {
    try freedAfterEnd(of: try subject.make(2), "ended", orElse: subject.withoutEnd)
    if let failing = subject.failing { try freedAfterEnd(of: failing(), "failed", orElse: nil) }
    return "the subscriber is freed while the publisher lives"
  }

  private static func freedAfterEnd(of erased: ErasedPublisher, _ end: String, orElse open: CheckEnd?) throws {
    var kept: (any Subscription)?
    let remains = try live(erased, .freedAfterCompletion, keeping: &kept) { $0.request(Subject.plenty) }
    kept = nil
    if !remains.hasEnded {
      if let open { throw open }
      return
    }
    try withExtendedLifetime(erased) {
      try expectGone(
        remains.probe, "the stream has \(end), and its subscriber is still held by the publisher", remains.events)
    }
  }

  static func freedAtOnce(_ subject: Subject) throws -> String {
    for isCancelled in [true, false] {
      let erased = try subject.make(2)
      var kept: (any Subscription)?
      let remains = try live(erased, .freedAtOnce, keeping: &kept) {
        if isCancelled { $0.cancel() } else { $0.request(Subject.plenty) }
      }
      if !isCancelled, !remains.hasEnded { continue }
      try withExtendedLifetime((erased, kept)) {
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
    var erased: ErasedPublisher? = try subject.make(3)
    let remains = try live(erased!, .noCycle, keeping: &kept) {
      $0.request(1)
      $0.cancel()
    }
    kept = nil
    erased = nil
    try expectGone(
      remains.subscription, "publisher and subscriber are gone, and the subscription is still there", remains.events)
    return "with its publisher and its subscriber the subscription goes"
  }

  /// The last reference to a subscriber is the subscription's, and its end calls back.
  static func releasesOutsideLocks(_ subject: Subject) throws -> String {
    for (name, call) in [
      ("requests", { (subscription: any Subscription) in subscription.request(.max(1)) }), ("cancels", { $0.cancel() }),
    ] {
      let erased = try subject.make(3)
      let subscription = Locked<(any Subscription)?>(nil)
      let (log, isFreed) = (CheckLog.current, Locked(false))
      func attach() {
        let run = Trial(erased, .releasesOutsideLocks, "a subscriber that \(name) as it is freed")
        run.probe.onEnd = {
          log?.count(.freed)
          isFreed.with { $0 = true }
          if let subscription = subscription.value { call(subscription) }
        }
        run.subscribe()
        subscription.with { $0 = run.probe.subscription }
        run.probe.dropSubscriptions()
      }
      attach()
      subscription.value?.cancel()
      erased.settle()
      // Freed here and not under the lock: it may hold the subscriber until then.
      let last = subscription.with { subscription in
        defer { subscription = nil }
        return subscription
      }
      withExtendedLifetime(last) {}
      // A thread of the subject's may hold it for a moment longer.
      if !erased.isDriven { log?.waitForReaction { isFreed.value } }
    }
    return "subscribers requested and cancelled as they were freed"
  }
}
