// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules J, and those of the rules C that need a sender.
enum SubjectChecks {
  typealias Subject = SubjectUnderTest

  static let all: [Rule: Check<Subject>] = [
    .replaysToLate: replaysToLate, .ignoresSendsAfterEnd: ignoresSendsAfterEnd, .joinsWithoutGap: joinsWithoutGap,
    .toleratesComingAndGoing: toleratesComingAndGoing, .slowDelaysNobody: slowDelaysNobody,
    .cancelIdempotent: cancelIdempotent, .deliveriesDoNotOverlap: deliveriesDoNotOverlap, .oneEndOfMany: oneEndOfMany,
    .subjectIsAtomic: subjectIsAtomic, .freedAfterCancel: freedAfterCancel,
    .freedAfterCompletion: freedAfterCompletion,
  ]

  /// A subscriber with demand for everything, or for nothing.
  private static func attach(
    _ erased: ErasedSubject, demand: Subscribers.Demand = .unlimited, _ set: (Probe) -> Void = { _ in }
  ) -> Probe {
    let probe = Probe()
    probe.onSubscription = { if demand > .none { $0.request(demand) } }
    set(probe)
    erased.subscribe(probe)
    return probe
  }

  private static func broken(_ probe: Probe, _ text: String) -> CheckEnd {
    .broken(text, trace: Trace(probe.events).description)
  }

  static func cancelIdempotent(_ subject: Subject) throws -> String {
    let alone = try SubscriptionChecks.cancelIdempotent(subject.publisher)
    // As many cancels as there are subscribers, so that a count of subscribers is then zero.
    for count in 2...3 {
      let erased = subject.make()
      let probes = (0..<count).map { _ in attach(erased) }
      for _ in probes { probes[0].cancel() }
      erased.send(1)
      for probe in probes.dropFirst() where probe.values.last != "1" {
        throw broken(probe, "another subscriber was cancelled \(count) times, and a value did not come")
      }
    }
    return alone + "; values of other subscribers still came"
  }

  static func replaysToLate(_ subject: Subject) throws -> String {
    for fails in [false, true] where subject.mayFail || !fails {
      let erased = subject.make()
      for number in 1...3 { erased.send(number) }
      let replay = (1...3).suffix(subject.replay).map(String.init)
      let early = attach(erased)
      if early.values != replay {
        throw broken(early, "a late subscriber got \(early.values), not the replay \(replay)")
      }
      guard subject.mayEnd else { continue }
      erased.end(fails)
      let late = attach(erased)
      let expected = subject.replaysAfterEnd ? replay : []
      if late.ends.count != 1 { throw broken(late, "a subscriber after the end got \(late.ends.count) completions") }
      if late.ends[0].hasPrefix("failure") != fails {
        throw broken(late, "the completion is not the one that was sent")
      }
      if late.values != expected {
        throw broken(late, "a subscriber after the end got \(late.values), not the replay \(expected)")
      }
    }
    return "a replay of \(subject.replay), and the stored completion"
  }

  static func ignoresSendsAfterEnd(_ subject: Subject) throws -> String {
    guard subject.mayEnd else { throw CheckEnd.notApplicable("it does not end") }
    let erased = subject.make()
    let probe = attach(erased)
    erased.send(1)
    erased.end(false)
    let output = probe.output
    erased.send(2)
    erased.end(true)
    if probe.output != output { throw broken(probe, "something sent after the end was delivered") }
    let late = attach(erased)
    if late.values.contains("2") { throw broken(late, "a value sent after the end is in the replay") }
    if late.ends != ["finished"] { throw broken(late, "the first completion is not the one that counts") }
    return "a value and a completion sent after the end came to nobody"
  }

  static func joinsWithoutGap(_ subject: Subject) throws -> String {
    for isOnThread in [false, true] {
      let erased = subject.make()
      let joined = Locked<Probe?>(nil)
      let hasReturned = Locked(true)
      let first = attach(erased) { probe in
        probe.onValue = { _, _ in
          guard joined.value == nil, probe.values.last == "1" else { return .none }
          if isOnThread {
            let isBack = comesBack { joined.with { $0 = attach(erased) } }
            hasReturned.with { $0 = isBack }
          } else {
            joined.with { $0 = attach(erased) }
          }
          return .none
        }
      }
      for number in 1...4 { erased.send(number) }
      if !hasReturned.value { throw CheckEnd.inconclusive("subscribing waits for the callback: look at C-05") }
      guard let late = joined.value else { throw CheckEnd.inconclusive("the first value has not come") }
      let all = ["1", "2", "3", "4"]
      let expected = subject.replay > 0 ? [all] : [all, Array(all.dropFirst())]
      if !expected.contains(late.values) {
        throw broken(
          late,
          "who joined during value 1\(isOnThread ? ", on another thread," : "") got \(late.values)")
      }
      first.onValue = nil
    }
    for isOnThread in [false, true] { try joinsDuringSend(subject, isOnThread: isOnThread) }
    return "who joined during a send got everything from there on"
  }

  /// A value that is sent while a subscriber is being given its subscription.
  private static func joinsDuringSend(_ subject: Subject, isOnThread: Bool) throws {
    let erased = subject.make()
    erased.send(1)
    let hasReturned = Locked(true)
    let probe = Probe()
    probe.onSubscription = { probe in
      probe.request(.unlimited)
      guard isOnThread else { return erased.send(2) }
      // The send may wait for this callback; then the value is delivered later.
      hasReturned.with { $0 = false }
      let latch = onThread {
        erased.send(2)
        hasReturned.with { $0 = true }
      }
      _ = latch?.wait(milliseconds: Patience.glance)
    }
    erased.subscribe(probe)
    guard hasReturned.value else { return }
    erased.send(3)
    let all = ["1", "2", "3"]
    // A subscriber that gets no replay may have joined after the value.
    let least = subject.replay > 0 ? 2 : 1
    let values = probe.values.filter { $0 != "0" }
    if values.count < least || values != Array(all.suffix(values.count)) {
      throw broken(
        probe,
        "2 was sent \(isOnThread ? "on another thread " : "")inside receive(subscription:), 3 after it, and there came "
          + "\(values)")
    }
  }

  static func toleratesComingAndGoing(_ subject: Subject) throws -> String {
    let erased = subject.make()
    let peers = Locked<[Probe]>([])
    let joined = Locked<[Probe]>([])
    let first = attach(erased) { probe in
      probe.onValue = { _, _ in
        guard probe.values.last == "1" else { return .none }
        peers.value.first?.cancel()
        joined.with { $0.append(attach(erased)) }
        return .none
      }
    }
    peers.with { $0 = (0..<3).map { _ in attach(erased) } }
    let selfish = attach(erased) { probe in
      probe.onValue = { _, _ in
        if probe.values.last == "2" { probe.cancel() }
        return .none
      }
    }
    for number in 1...4 { erased.send(number) }
    try attachesInside(subject)
    for probe in joined.value where Array(probe.values.suffix(3)) != ["2", "3", "4"] {
      throw broken(probe, "who joined during the first value got \(probe.values)")
    }
    let sent = ["1", "2", "3", "4"]
    for probe in [first] + peers.value.dropFirst() where Array(probe.values.suffix(4)) != sent {
      throw broken(probe, "who stayed got \(probe.values)")
    }
    if peers.value[0].values.contains("2") { throw broken(peers.value[0], "who was cancelled got a value later") }
    if selfish.values.contains("3") { throw broken(selfish, "who cancelled got a value later") }
    return "subscribers came and went inside a value, and everybody else got everything"
  }

  /// A second subscriber that comes while the first is given its subscription.
  private static func attachesInside(_ subject: Subject) throws {
    let erased = subject.make()
    let second = Locked<Probe?>(nil)
    let first = Probe()
    first.onSubscription = { probe in
      if second.value == nil { second.replace(with: attach(erased)) }
      probe.request(.unlimited)
    }
    erased.subscribe(first)
    for number in 1...2 { erased.send(number) }
    for (probe, name) in [(first, "who subscribed first"), (second.value ?? first, "who subscribed inside of that")] {
      let count = probe.state.with { $0.automaton.subscriptions }
      if count != 1 { throw broken(probe, "\(name) got \(count) subscriptions") }
      if Array(probe.values.suffix(2)) != ["1", "2"] { throw broken(probe, "\(name) got \(probe.values)") }
    }
  }

  /// A subject that keeps what nobody has asked for, and a cancel inside the last of it.
  static func freedAfterCancel(_ subject: Subject) throws -> String {
    let alone = try LifetimeChecks.freedAfterCancel(subject.publisher)
    for (point, isNested) in (1...3).flatMap({ point in [(point, false), (point, true)] }) {
      let erased = subject.make()
      weak var left: Probe?
      do {
        // Values wait for demand, or for the delivery during which they are sent.
        let probe = attach(erased, demand: isNested ? .unlimited : .none) { probe in
          probe.onValue = { probe, number in
            if isNested, number == 1 { for number in 2...3 { erased.send(number) } }
            if number == point { probe.cancel() }
            return .none
          }
        }
        left = probe
        for number in 1...(isNested ? 1 : 3) { erased.send(number) }
        probe.request(.max(3))
        // A second cancel might do what the first has forgotten.
        if probe.values.count < point { probe.cancel() }
        probe.dropSubscriptions()
      }
      try withExtendedLifetime(erased) {
        try LifetimeChecks.expectGone(
          left, "cancelled inside kept value \(point), and dropped: the subject still holds the subscriber", [])
      }
    }
    return alone
  }

  /// Releases subscribers that come after the end, or inside a send before it, as well.
  static func freedAfterCompletion(_ subject: Subject) throws -> String {
    let alone = try LifetimeChecks.freedAfterCompletion(subject.publisher)
    guard subject.mayEnd else { return alone }
    for isLate in [true, false] {
      let erased = subject.make()
      weak var left: Probe?
      let joined = Locked<Probe?>(nil)
      let first = attach(erased) { probe in
        probe.onValue = { probe, _ in
          if !isLate, joined.value == nil, probe.values.last == "1" { joined.replace(with: attach(erased)) }
          return .none
        }
      }
      erased.send(1)
      erased.end(false)
      if isLate { joined.replace(with: attach(erased)) }
      left = joined.value
      left?.dropSubscriptions()
      joined.replace(with: nil)
      try withExtendedLifetime((erased, first)) {
        try LifetimeChecks.expectGone(
          left,
          "\(isLate ? "subscribed after the end" : "subscribed inside a value, and the stream has ended"): the subject "
            + "still holds the subscriber", [])
      }
    }
    return alone
  }

  static func slowDelaysNobody(_ subject: Subject) throws -> String {
    let erased = subject.make()
    let slow = attach(erased, demand: .none)
    let fast = attach(erased)
    for number in 1...3 { erased.send(number) }
    if Array(fast.values.suffix(3)) != ["1", "2", "3"] {
      throw broken(fast, "beside a subscriber without demand one with unlimited demand got \(fast.values)")
    }
    return "a subscriber without demand got \(slow.values.count) values, one with unlimited demand beside it "
      + "\(fast.values.count)"
  }

  static func deliveriesDoNotOverlap(_ subject: Subject) throws -> String {
    let erased = subject.make()
    let (second, log) = (Locked<Latch?>(nil), CheckLog.current)
    let probe = attach(erased) { probe in
      probe.onValue = { _, _ in
        guard probe.values.last == "1", second.value == nil else { return .none }
        let latch = onThread { erased.send(2) }
        second.with { $0 = latch }
        // The send may return at once, or wait for this callback; it may not deliver.
        _ = latch?.wait(milliseconds: Patience.glance)
        log?.count(.heldCalls)
        return .none
      }
    }
    erased.send(1)
    _ = second.value?.wait(milliseconds: Patience.call)
    if let breach = probe.breaches.first(where: { $0.rule == .deliveriesDoNotOverlap }) {
      throw broken(probe, breach.text)
    }
    if Array(probe.values.suffix(2)) != ["1", "2"] {
      throw CheckEnd.inconclusive("the second value has not come")
    }
    return "what another thread sent came after the value that was held"
  }

  static func oneEndOfMany(_ subject: Subject) throws -> String {
    guard subject.mayEnd else { throw CheckEnd.notApplicable("it does not end") }
    let race = Race(rounds: 40)
    while race.goesOn {
      let erased = subject.make()
      let probe = attach(erased) { $0.ownRules = [.silenceAfterCompletion, .deliveriesDoNotOverlap] }
      race.run([
        { erased.end(false) }, { erased.end(subject.mayFail) }, { erased.send(1) },
      ])
      if probe.ends.count != 1 { throw broken(probe, "\(probe.ends.count) completions; \(race)") }
      if probe.breaches.contains(where: { $0.rule == .silenceAfterCompletion }) {
        throw broken(probe, "a value after the completion; \(race)")
      }
    }
    return "finish, fail and send on three threads: \(race)"
  }

  static func subjectIsAtomic(_ subject: Subject) throws -> String {
    let race = Race(rounds: 150)
    while race.goesOn {
      let erased = subject.make()
      let witness = attach(erased)
      let joined = Locked<Probe?>(nil)
      race.run([
        { for number in 1...4 { erased.send(number) } },
        { for number in 11...14 { erased.send(number) } },
        { joined.with { $0 = attach(erased) } },
      ])
      // The order that one subscriber saw has to explain what all others saw.
      let order = witness.values.filter { $0 != "0" }
      for sender in [(1...4).map(String.init), (11...14).map(String.init)]
      where order.filter(sender.contains) != sender {
        throw broken(witness, "of one sender's values there came \(order.filter(sender.contains)); \(race)")
      }
      guard let late = joined.value else { throw CheckEnd.inconclusive("subscribing did not return") }
      let seen = late.values.filter { $0 != "0" }
      if seen != Array(order.suffix(seen.count)) {
        throw broken(late, "who joined saw \(seen), where the order was \(order); \(race)")
      }
    }
    return "two senders and one who joins, explained by one order: \(race)"
  }
}
