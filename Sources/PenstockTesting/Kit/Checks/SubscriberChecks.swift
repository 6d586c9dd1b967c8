// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules R, as scripts on one thread, for subscribers and for operators as upstream sees them.
enum SubscriberChecks {
  typealias Subject = SubscriberUnderTest

  static let all: [Rule: Check<Subject>] = [
    .asksForSomething: asksForSomething, .refusesSecondSubscription: refusesSecondSubscription,
    .copesWithEarlyEnd: copesWithEarlyEnd, .dropsSubscription: dropsSubscription, .cancelsWhenDone: cancelsWhenDone,
    .survivesValueAfterCancel: survivesValueAfterCancel, .callsDoNotOverlap: callsDoNotOverlap,
    .receivesPromptly: receivesPromptly, .survivesUpstream: survivesUpstream,
  ]

  static func asksForSomething(_ subject: Subject) throws -> String {
    let attachment = subject.attached()
    let fed = try attachment.feed(5)
    let subscription = try attachment.link().subscription
    try attachment.link().end()
    if subscription.requests.contains(.none) { throw attachment.broken("it requested .none") }
    guard !subscription.requests.isEmpty else {
      throw CheckEnd.inconclusive("it has requested nothing by itself, so there is nothing to judge")
    }
    return "it requested \(listed(subscription.requests.map(\.words))), for \(fed) values"
  }

  static func refusesSecondSubscription(_ subject: Subject) throws -> String {
    let attachment = subject.attached(isRogue: true)
    let link = try attachment.link()
    guard link.subscription.isLive else {
      throw CheckEnd.inconclusive("it has cancelled its first subscription at once")
    }
    let second = TestSubscription(onRequest: { _ in }, onCancel: {})
    link.offer(second)
    if !attachment.comesTrue({ second.cancels > 0 }) {
      throw attachment.broken("the second subscription was not cancelled")
    }
    if !second.requests.isEmpty { throw attachment.broken("values were requested of the second subscription") }
    if link.subscription.cancels > 0 { throw attachment.broken("the first subscription was cancelled") }
    try attachment.feed(2)
    attachment.cancel?()
    attachment.settle()
    if attachment.cancel != nil, !attachment.comesTrue({ link.subscription.cancels > 0 }) {
      throw attachment.broken("after that, a cancel did not reach the first subscription")
    }
    return "the second was cancelled, the first one kept"
  }

  static func copesWithEarlyEnd(_ subject: Subject) throws -> String {
    for fails in [false, true] {
      let attachment = subject.attached()
      try attachment.link().end(fails: fails)
      attachment.settle()
    }
    return "a completion straight after the subscription did no harm"
  }

  static func dropsSubscription(_ subject: Subject) throws -> String {
    let control = UpstreamControl()
    weak var subscription: TestSubscription?
    let attachment = subject.attach(control, false)
    do {
      let link = try attachment.link()
      subscription = link.subscription
      try attachment.feed(2)
      link.end()
      attachment.settle()
      let calls = link.subscription.state.with { $0.callsAfterEnd }
      if calls > 0 { throw attachment.broken("\(calls) calls on the subscription after the completion") }
    }
    control.dropLinks()
    // Downstream keeps the operator alive by its subscription, unless that subscription is upstream's own.
    if let probe = attachment.probe, probe.subscription as? TestSubscription != nil { probe.dropSubscriptions() }
    if !LifetimeChecks.isGone(subscription) {
      throw CheckEnd.broken("the subscription is still held after the completion", trace: "")
    }
    return withExtendedLifetime(attachment) { "it was let go, and not called" }
  }

  static func cancelsWhenDone(_ subject: Subject) throws -> String {
    guard let enough = subject.enough else { throw CheckEnd.notApplicable("it never has enough, by its author") }
    let attachment = subject.attached()
    try attachment.feed(enough + 3)
    let subscription = try attachment.link().subscription
    if !attachment.comesTrue({ subscription.cancels > 0 }) {
      throw attachment.broken("it has its \(enough) values, and has not cancelled")
    }
    return "it cancelled after \(subscription.ledger.delivered) values"
  }

  static func survivesValueAfterCancel(_ subject: Subject) throws -> String {
    // A subscriber that keeps values in batches has a full batch at some number of values.
    for count in 1...8 {
      let attachment = subject.attached(isRogue: true)
      try attachment.feed(subject.enough ?? count)
      if try attachment.link().subscription.cancels == 0 {
        guard let cancel = attachment.cancel else {
          throw CheckEnd.notApplicable("it does not cancel by itself, and no way to cancel it was given")
        }
        cancel()
      }
      let link = try attachment.link()
      // A value that was under way when the cancel came.
      _ = link.sendValue(99)
      attachment.settle()
    }
    return "a value after its cancel did no harm"
  }

  static func callsDoNotOverlap(_ subject: Subject) throws -> String {
    let race = Race(rounds: 20)
    let requests = Locked((count: 0, overlaps: 0))
    while race.goesOn {
      let control = UpstreamControl()
      // The threads of this round: values of the round before may make the subscriber request later, on another thread.
      let threads = Locked([UInt]())
      // A cancel may come at any instant, by C-02; two requests at the same time may not.
      control.onCall = { name in
        guard name == "request" else { return }
        let thread = thisThread()
        let overlaps = threads.with { threads in
          defer { threads.append(thread) }
          return threads.contains { $0 != thread }
        }
        requests.with {
          $0.count += 1
          if overlaps { $0.overlaps += 1 }
        }
        // Gives another thread, which would also come here, some turns.
        for _ in 0..<20 where threads.with({ $0.count < 2 }) { yieldProcessor() }
        threads.with { threads in _ = threads.lastIndex(of: thread).map { threads.remove(at: $0) } }
      }
      let attachment = subject.attach(control, false)
      let link = try attachment.link()
      let feed = { for number in 0..<20 { link.deliver(number) } }
      if let probe = attachment.probe {
        // Calls from downstream must not overlap either.
        race.run([feed, { for _ in 0..<20 { probe.request(.max(1)) } }])
      } else {
        race.run([feed])
      }
      attachment.settle()
      attachment.cancel?()
      let overlaps = requests.value.overlaps
      if overlaps > 0 { throw attachment.broken("\(overlaps) requests during another; \(race)") }
    }
    return "\(requests.value.count) requests, none during another: \(race)"
  }

  static func receivesPromptly(_ subject: Subject) throws -> String {
    let attachment = subject.attached()
    let done = Locked<Result<Int, any Error>?>(nil)
    let box = Locked(attachment)
    let isBack = comesBack { done.with { $0 = Result { try box.value.feed(2) } } }
    guard isBack else { throw CheckEnd.hung("receive(_:) has not returned", trace: "") }
    return "it returned"
  }

  /// The calls that every upstream makes; other rules are about the effects of unusual ones.
  static func survivesUpstream(_ subject: Subject) throws -> String {
    // A subscriber may have enough before the third, and then there is no end.
    for (count, fails) in [(0, false), (0, true), (1, false), (1, true), (3, false), (3, true)] {
      let attachment = subject.attached()
      try attachment.feed(count)
      try attachment.link().end(fails: fails)
      attachment.settle()
    }
    return "the process went on"
  }
}
