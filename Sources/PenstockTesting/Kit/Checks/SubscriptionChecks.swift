// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules S, as scripts on one thread.
enum SubscriptionChecks {
  typealias Subject = PublisherUnderTest

  static let all: [Rule: Check<Subject>] = [
    .callableInside: callableInside, .flatStack: flatStack, .nestedRequestsCounted: nestedRequestsCounted,
    .silenceAfterCancel: silenceAfterCancel, .cancelInHandshake: cancelInHandshake,
    .cancelIdempotent: cancelIdempotent, .requestAfterEnd: requestAfterEnd, .demandSaturates: demandSaturates,
    .requestNone: requestNone, .returnsPromptly: returnsPromptly, .freesSource: freesSource,
    .identityPerSubscription: identityPerSubscription,
  ]

  static func callableInside(_ subject: Subject) throws -> String {
    let calls: [(String, (Probe) -> Void)] = [
      ("request", { $0.request(.max(1)) }), ("cancel", { $0.cancel() }),
    ]
    for (name, call) in calls {
      let places: [(String, (Probe) -> Void)] = [
        ("receive(subscription:)", { $0.onSubscription = call }),
        (
          "receive(_:)",
          {
            $0.onValue = {
              call($0)
              return $1 > 50 ? .none : .max(1)
            }
          }
        ),
        ("receive(completion:)", { $0.onCompletion = call }),
      ]
      for (place, set) in places {
        let run = try subject.run(8, .callableInside, "\(name) inside \(place)", set)
        run.start(PublisherUnderTest.plenty)
      }
    }
    return "calls inside of callbacks came back"
  }

  static func flatStack(_ subject: Subject) throws -> String {
    let run = try subject.run(200, .flatStack, "1 requested inside each value") {
      $0.onValue = { probe, _ in
        probe.request(.max(1))
        return .none
      }
    }
    run.start(.max(1))
    try run.expect(run.probe.maxDepth <= 1, "\(run.probe.maxDepth) values on the stack at a time")
    guard run.probe.values.count > 1 else {
      throw CheckEnd.notApplicable("the publisher delivers \(run.probe.values.count) value, so nothing can nest")
    }
    return "\(run.probe.values.count) values, never more than one on the stack"
  }

  static func nestedRequestsCounted(_ subject: Subject) throws -> String {
    let run = try subject.run(
      6, .nestedRequestsCounted, "1 requested, 1 more inside the value", also: [.valuesWithinDemand]
    ) {
      $0.onValue = { probe, number in
        if number == 1 { probe.request(.max(1)) }
        return .none
      }
    }
    run.start(.max(1))
    try run.judge()
    return "\(run.probe.values.count) values for 2 requested, one of them inside a value"
  }

  static func silenceAfterCancel(_ subject: Subject) throws -> String {
    for point in 1...3 {
      for isGreedy in [false, true] {
        let run = try subject.run(6, .silenceAfterCancel, "cancelled inside value \(point)") {
          $0.onValue = { probe, number in
            if number == point { probe.cancel() }
            return isGreedy ? .max(1) : .none
          }
        }
        run.start(isGreedy ? .max(1) : PublisherUnderTest.plenty)
        run.settle()
        try run.judgeSilence()
      }
    }
    // The completion comes right after the last value.
    for count in 1...4 where subject.counts.contains(count) {
      let run = try subject.run(count, .silenceAfterCancel, "cancelled inside the last of \(count) values") {
        $0.onValue = { probe, number in
          if number == count { probe.cancel() }
          return .none
        }
      }
      run.start(PublisherUnderTest.plenty)
      try run.judgeSilence()
    }
    for demand in [0, 1, 2] {
      let run = try subject.run(6, .silenceAfterCancel, "cancelled after \(demand) requested")
      run.start(.max(demand))
      run.cancel()
      run.settle()
      try run.judgeSilence()
    }
    return "nothing came after a cancel"
  }

  static func cancelInHandshake(_ subject: Subject) throws -> String {
    for count in [0, 3] {
      let run = try subject.run(
        count, .cancelInHandshake, "\(count) values, cancelled inside receive(subscription:)",
        also: [.silenceAfterCancel]
      ) { $0.onSubscription = { $0.cancel() } }
      run.subscribe()
      run.settle()
      run.awaitSilence()
      if run.probe.state.with({ $0.automaton.isEmpty }) {
        if count == 0 { continue }
        throw CheckEnd.notApplicable("the subscription is Subscriptions.empty: the stream is over before it begins")
      }
      try run.judge()
    }
    return "no value and no completion came"
  }

  static func cancelIdempotent(_ subject: Subject) throws -> String {
    let twice = try subject.run(3, .cancelIdempotent, "cancelled twice")
    twice.start(.max(1))
    twice.cancel()
    twice.cancel()
    try twice.judge()
    let late = try subject.run(1, .cancelIdempotent, "cancelled twice after the end")
    late.start(PublisherUnderTest.plenty)
    late.cancel()
    late.cancel()
    try late.judge()
    let erased = try subject.make(3)
    let runs = ["cancelled twice", "beside one that was cancelled twice"].map { Trial(erased, .cancelIdempotent, $0) }
    for run in runs { run.subscribe() }
    runs[0].cancel()
    runs[0].cancel()
    runs[1].request(PublisherUnderTest.plenty)
    for run in runs { try run.judge() }
    if !subject.traits.contains(.hot) {
      try runs[1].expect(!runs[1].probe.output.isEmpty, "the second cancel has ended another subscriber's stream")
    }
    return "second cancels did nothing\(late.probe.isEnded ? ", nor did those after the end" : "")"
  }

  static func requestAfterEnd(_ subject: Subject) throws -> String {
    let run = try subject.run(4, .requestAfterEnd, "requested after a cancel", also: [.silenceAfterCancel])
    run.start(.max(1))
    try run.judge()
    run.cancel()
    run.request(1)
    run.request(PublisherUnderTest.plenty)
    try run.judgeSilence()
    let ended = try subject.run(1, .requestAfterEnd, "requested after the end")
    ended.start(PublisherUnderTest.plenty)
    guard ended.probe.isEnded else { return "requests after a cancel brought nothing, and the stream does not end" }
    let output = ended.probe.output
    ended.request(1)
    ended.awaitSilence()
    try ended.expect(ended.probe.output == output, "something came")
    return "requests after a cancel and after the end brought nothing"
  }

  static func demandSaturates(_ subject: Subject) throws -> String {
    try subject.mustBeCold()
    let values = try subject.reference(8, .demandSaturates)
    let ways: [(String, [Subscribers.Demand])] = [
      ("unlimited, then 1", [.unlimited, .max(1)]), ("the greatest number twice", [.max(.max), .max(.max)]),
      ("1, then unlimited", [.max(1), .unlimited]),
    ]
    for (label, demands) in ways {
      for isInside in [false, true] {
        let run = try subject.run(8, .demandSaturates, label + (isInside ? ", inside receive(subscription:)" : "")) {
          if isInside { $0.onSubscription = { for demand in demands { $0.request(demand) } } }
        }
        run.subscribe()
        if !isInside { for demand in demands { run.request(demand) } }
        let count = run.probe.values.count
        if isInside, count == 0 { continue }
        try run.expect(
          subject.variation.agrees(run.probe.values, values),
          "there came \(listed(run.probe.values)), where \(listed(values)) is right")
      }
    }
    // Demand that is returned for a value is added as well.
    for demand in [Subscribers.Demand.unlimited, .max(.max)] {
      let run = try subject.run(8, .demandSaturates, "\(demand), and 1 returned for the first value") {
        $0.onValue = { _, number in number == 1 ? .max(1) : .none }
      }
      run.subscribe()
      run.request(demand)
      try run.expect(
        subject.variation.agrees(run.probe.values, values),
        "there came \(listed(run.probe.values)), where \(listed(values)) is right")
    }
    return "all \(values.count) values came, with sums beyond the greatest number and unlimited demand with more"
  }

  static func requestNone(_ subject: Subject) throws -> String {
    let run = try subject.run(3, .requestNone, "request(.none)")
    run.subscribe()
    // Requested directly from the subscription, not through the probe: a request for nothing is the subscriber's
    // mistake here, on purpose.
    run.probe.isRogue = true
    if let subscription = run.probe.subscription {
      ChildProcess.underWay("request(.none)") { subscription.request(.none) }
    }
    run.settle()
    if !run.probe.values.isEmpty { throw run.broken("a value came") }
    return "nothing came of it"
  }

  static func returnsPromptly(_ subject: Subject) throws -> String {
    let run = try subject.run(3, .returnsPromptly, "")
    guard comesBack({ run.subscribe() }) else {
      throw CheckEnd.inconclusive("receive(subscriber:) has not returned: look at P-14")
    }
    for (name, call) in [("request(1)", { run.request(1) }), ("cancel()", { run.cancel() })] {
      guard comesBack(call) else {
        throw CheckEnd.hung("\(name) has not returned", trace: Trace(run.probe.events).description)
      }
    }
    return "they returned"
  }

  static func freesSource(_ subject: Subject) throws -> String {
    let erased = try subject.make(6)
    guard let resources = erased.resources else {
      throw CheckEnd.notApplicable("nobody counts what it holds open: give Driven its resources")
    }
    let before = resources()
    for way in ["cancelled", "requested, then cancelled"] {
      let run = Trial(erased, .freesSource, way)
      run.subscribe()
      if way != "cancelled" { run.request(1) }
      run.cancel()
      try run.expect(resources() <= before, "\(resources() - before) more left open than before")
    }
    // Here the source notices the cancel and the lack of demand at the same time.
    for last in 1...3 {
      let run = Trial(erased, .freesSource, "\(last) requested, and cancelled inside value \(last)")
      run.probe.onValue = { probe, number in
        if number == last { probe.cancel() }
        return .none
      }
      run.subscribe()
      run.request(.max(last))
      run.settle()
      if run.probe.values.count < last { break }
      try run.expect(resources() <= before, "\(resources() - before) more left open than before")
    }
    return "nothing is left open after a cancel, between values and inside them"
  }

  static func identityPerSubscription(_ subject: Subject) throws -> String {
    let erased = try subject.make(3)
    let identifier = CombineIdentifier()
    let runs = ["the first attachment", "the second attachment of the same subscriber"].map {
      Trial(erased, .identityPerSubscription, $0)
    }
    for run in runs { run.subscribe(as: identifier) }
    for run in runs {
      guard let subscription = run.probe.subscription else { throw CheckEnd.inconclusive("there is no subscription") }
      let (first, second) = (subscription.combineIdentifier, subscription.combineIdentifier)
      try run.expect(first == second, "the identifier of the subscription changes")
    }
    if subject.traits.contains(.hot) { return "the identifiers are stable" }
    runs[0].cancel()
    runs[1].request(PublisherUnderTest.plenty)
    for run in runs { try run.judge() }
    try runs[1].expect(!runs[1].probe.output.isEmpty, "the cancel of the first attachment has ended the second")
    return "identifiers are stable, and a cancel concerns one attachment only"
  }
}
