// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules J, and those C that need a sender.
enum SubjectChecks {
  typealias Subject = SubjectSubject

  static let all: [Rule: Check<Subject>] = [
    .replaysToLate: replaysToLate, .ignoresSendsAfterEnd: ignoresSendsAfterEnd, .joinsWithoutGap: joinsWithoutGap,
    .toleratesComingAndGoing: toleratesComingAndGoing, .slowDelaysNobody: slowDelaysNobody,
    .cancelIdempotent: cancelIdempotent, .deliveriesDoNotOverlap: deliveriesDoNotOverlap, .oneEndOfMany: oneEndOfMany,
    .subjectIsAtomic: subjectIsAtomic,
  ]

  /// A subscriber with demand for everything, or for nothing.
  private static func attach(
    _ specimen: SubjectSpecimen, demand: Subscribers.Demand = .unlimited, _ set: (Probe) -> Void = { _ in }
  ) -> Probe {
    let probe = Probe()
    probe.onSubscription = { if demand > .none { $0.request(demand) } }
    set(probe)
    specimen.subscribe(probe)
    return probe
  }

  private static func broken(_ probe: Probe, _ text: String) -> Verdict {
    .broken(text, trace: Trace(probe.events).description)
  }

  static func cancelIdempotent(_ subject: Subject) throws -> String {
    let alone = try SubscriptionChecks.cancelIdempotent(subject.publisher)
    // As many cancels as there are subscribers: a count of them is then zero.
    for count in 2...3 {
      let specimen = subject.make()
      let probes = (0..<count).map { _ in attach(specimen) }
      for _ in probes { probes[0].cancel() }
      specimen.send(1)
      for probe in probes.dropFirst() where probe.values.last != "1" {
        throw broken(probe, "another subscriber was cancelled \(count) times, and a value did not come")
      }
    }
    return alone + ", whose values still came"
  }

  static func replaysToLate(_ subject: Subject) throws -> String {
    for fails in [false, true] where subject.mayFail || !fails {
      let specimen = subject.make()
      for number in 1...3 { specimen.send(number) }
      let replay = (1...3).suffix(subject.replay).map(String.init)
      let early = attach(specimen)
      if early.values != replay {
        throw broken(early, "a late subscriber got \(early.values), not the replay \(replay)")
      }
      guard subject.mayEnd else { continue }
      specimen.end(fails)
      let late = attach(specimen)
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
    guard subject.mayEnd else { throw Verdict.notApplicable("it does not end") }
    let specimen = subject.make()
    let probe = attach(specimen)
    specimen.send(1)
    specimen.end(false)
    let output = probe.output
    specimen.send(2)
    specimen.end(true)
    if probe.output != output { throw broken(probe, "something sent after the end was delivered") }
    let late = attach(specimen)
    if late.values.contains("2") { throw broken(late, "a value sent after the end is in the replay") }
    if late.ends != ["finished"] { throw broken(late, "the first completion is not the one that counts") }
    return "a value and a completion after the end"
  }

  static func joinsWithoutGap(_ subject: Subject) throws -> String {
    for isOnThread in [false, true] {
      let specimen = subject.make()
      let joined = Locked<Probe?>(nil)
      let hasReturned = Locked(true)
      let first = attach(specimen) { probe in
        probe.onValue = { _, _ in
          guard joined.value == nil, probe.values.last == "1" else { return .none }
          if isOnThread {
            let isBack = comesBack { joined.with { $0 = attach(specimen) } }
            hasReturned.with { $0 = isBack }
          } else {
            joined.with { $0 = attach(specimen) }
          }
          return .none
        }
      }
      for number in 1...4 { specimen.send(number) }
      if !hasReturned.value { throw Verdict.inconclusive("subscribing waits for the callback: look at C-05") }
      guard let late = joined.value else { throw Verdict.inconclusive("the first value has not come") }
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
    return "joined during a value, and sent to while it joined, on one thread and on two"
  }

  /// A value that is sent while a subscriber is being given its subscription.
  private static func joinsDuringSend(_ subject: Subject, isOnThread: Bool) throws {
    let specimen = subject.make()
    specimen.send(1)
    let hasReturned = Locked(true)
    let probe = Probe()
    probe.onSubscription = { probe in
      probe.request(.unlimited)
      guard isOnThread else { return specimen.send(2) }
      // The send may wait for this callback: then it is delivered later.
      hasReturned.with { $0 = false }
      let latch = onThread {
        specimen.send(2)
        hasReturned.with { $0 = true }
      }
      _ = latch.wait(milliseconds: Patience.glance)
    }
    specimen.subscribe(probe)
    guard hasReturned.value else { return }
    specimen.send(3)
    let all = ["1", "2", "3"]
    // Who gets no replay may have joined behind the value.
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
    let specimen = subject.make()
    let peers = Locked<[Probe]>([])
    let joined = Locked<[Probe]>([])
    let first = attach(specimen) { probe in
      probe.onValue = { _, _ in
        guard probe.values.last == "1" else { return .none }
        peers.value.first?.cancel()
        joined.with { $0.append(attach(specimen)) }
        return .none
      }
    }
    peers.with { $0 = (0..<3).map { _ in attach(specimen) } }
    let selfish = attach(specimen) { probe in
      probe.onValue = { _, _ in
        if probe.values.last == "2" { probe.cancel() }
        return .none
      }
    }
    for number in 1...4 { specimen.send(number) }
    for probe in joined.value where Array(probe.values.suffix(3)) != ["2", "3", "4"] {
      throw broken(probe, "who joined during the first value got \(probe.values)")
    }
    let sent = ["1", "2", "3", "4"]
    for probe in [first] + peers.value.dropFirst() where Array(probe.values.suffix(4)) != sent {
      throw broken(probe, "who stayed got \(probe.values)")
    }
    if peers.value[0].values.contains("2") { throw broken(peers.value[0], "who was cancelled got a value later") }
    if selfish.values.contains("3") { throw broken(selfish, "who cancelled got a value later") }
    return "cancelled, and attached, inside a value"
  }

  static func slowDelaysNobody(_ subject: Subject) throws -> String {
    let specimen = subject.make()
    let slow = attach(specimen, demand: .none)
    let fast = attach(specimen)
    for number in 1...3 { specimen.send(number) }
    if Array(fast.values.suffix(3)) != ["1", "2", "3"] {
      throw broken(fast, "beside a subscriber without demand one with unlimited demand got \(fast.values)")
    }
    if !slow.values.isEmpty { throw Verdict.inconclusive("P-03 was broken on the way") }
    return "a subscriber without demand beside one with unlimited demand"
  }

  static func deliveriesDoNotOverlap(_ subject: Subject) throws -> String {
    let specimen = subject.make()
    let second = Locked<Latch?>(nil)
    let probe = attach(specimen) { probe in
      probe.onValue = { _, _ in
        guard probe.values.last == "1", second.value == nil else { return .none }
        let latch = onThread { specimen.send(2) }
        second.with { $0 = latch }
        // The send may return at once, or wait for this callback; it may not deliver.
        _ = latch.wait(milliseconds: Patience.glance)
        return .none
      }
    }
    specimen.send(1)
    _ = second.value?.wait(milliseconds: Patience.call)
    if let breach = probe.breaches.first(where: { $0.rule == .deliveriesDoNotOverlap }) {
      throw broken(probe, breach.text)
    }
    if Array(probe.values.suffix(2)) != ["1", "2"] {
      throw Verdict.inconclusive("the second value has not come")
    }
    return "a send on a second thread, while the first was held inside a value"
  }

  static func oneEndOfMany(_ subject: Subject) throws -> String {
    guard subject.mayEnd else { throw Verdict.notApplicable("it does not end") }
    let race = Race(rounds: 40)
    while race.goesOn {
      let specimen = subject.make()
      let probe = attach(specimen)
      race.run([
        { specimen.end(false) }, { specimen.end(subject.mayFail) }, { specimen.send(1) },
      ])
      if probe.ends.count != 1 { throw broken(probe, "\(probe.ends.count) completions; \(race)") }
      if probe.breaches.contains(where: { $0.rule == .silenceAfterCompletion }) {
        throw broken(probe, "a value after the completion; \(race)")
      }
    }
    return "finish, fail and send on three threads: \(race)"
  }

  static func subjectIsAtomic(_ subject: Subject) throws -> String {
    let race = Race(rounds: 40)
    while race.goesOn {
      let specimen = subject.make()
      let witness = attach(specimen)
      let joined = Locked<Probe?>(nil)
      race.run([
        { for number in 1...4 { specimen.send(number) } },
        { for number in 11...14 { specimen.send(number) } },
        { joined.with { $0 = attach(specimen) } },
      ])
      // The order that one subscriber saw explains what all others saw, or nothing does.
      let order = witness.values.filter { $0 != "0" }
      for sender in [(1...4).map(String.init), (11...14).map(String.init)]
      where order.filter(sender.contains) != sender {
        throw broken(witness, "of one sender's values there came \(order.filter(sender.contains)); \(race)")
      }
      guard let late = joined.value else { throw Verdict.inconclusive("subscribing did not return") }
      let seen = late.values.filter { $0 != "0" }
      if seen != Array(order.suffix(seen.count)) {
        throw broken(late, "who joined saw \(seen), where the order was \(order); \(race)")
      }
    }
    return "two senders and one who joins, explained by one order: \(race)"
  }
}
