// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rules P about order, about calls that return promptly, and about calls that must not stop the process.
extension PublisherChecks {
  static func orderKept(_ subject: Subject) throws -> String {
    if subject.variation != nil { throw CheckEnd.notApplicable("its order depends on demand, by its author") }
    if subject.traits.contains(.hot) { return try orderOfWhatIsLeft(subject) }
    let values = try subject.reference(5, .orderKept, atLeast: 2)
    let ways: [(String, (Probe, Int) -> Subscribers.Demand)] = [
      (
        "1 requested inside each value",
        { probe, _ in
          probe.request(.max(1))
          return .none
        }
      ),
      (
        "2 requested inside a value",
        { probe, number in
          if number == 1 { probe.request(.max(2)) }
          return .max(1)
        }
      ),
      (
        "everything requested inside the first value",
        { probe, number in
          if number == 1 { probe.request(PublisherUnderTest.plenty) }
          return .none
        }
      ),
    ]
    for (label, way) in ways {
      let run = try subject.run(5, .orderKept, label) { $0.onValue = way }
      run.subscribe()
      run.request(1)
      run.request(PublisherUnderTest.plenty)
      try run.judge()
      // Fewer values are another rule's matter.
      let isInOrder = run.probe.values.elementsEqual(values) || run.probe.values.sorted() != values.sorted()
      try run.expect(isInOrder, "\(listed(run.probe.values)), where the order is \(listed(values))")
    }
    return "\(values.count) values in order, with requests inside of them"
  }

  /// A publisher that drops values may leave some out, but may not exchange them.
  private static func orderOfWhatIsLeft(_ subject: Subject) throws -> String {
    let values = try subject.reference(12, .orderKept, atLeast: 2)
    guard Set(values).count == values.count else {
      throw CheckEnd.notApplicable("equal values come, of which nobody can tell the order")
    }
    for demand in 1...4 {
      let run = try subject.run(12, .orderKept, "\(demand) requested, and the rest later")
      run.start(.max(demand))
      run.request(PublisherUnderTest.plenty)
      let places = run.probe.values.compactMap(values.firstIndex)
      try run.expect(
        places == places.sorted(), "\(listed(run.probe.values)), where the order is \(listed(values))")
    }
    return "what came was in order"
  }

  static func subscribesPromptly(_ subject: Subject) throws -> String {
    let run = try subject.run(3, .subscribesPromptly, "")
    guard comesBack({ run.subscribe() }) else {
      throw CheckEnd.hung("receive(subscriber:) has not returned", trace: "")
    }
    return "it returned"
  }

  /// The calls that every subscriber makes; other rules are about the effects of unusual ones.
  static func survivesSubscriber(_ subject: Subject) throws -> String {
    guard let make = subject.makers.first else { throw CheckEnd.notApplicable("no publisher was given") }
    let lives: [(String, Subscribers.Demand, cancels: Bool)] = [
      ("cancelled at once", .none, true), ("one value requested, and cancelled", .max(1), true),
      ("everything requested", Subject.plenty, false),
    ]
    for (label, demand, cancels) in lives {
      var erased = make()
      erased.dropsUnrequested = subject.traits.contains(.hot)
      let run = Trial(erased, .survivesSubscriber, label)
      run.start(demand)
      if cancels { run.cancel() }
    }
    return "the process went on"
  }
}
