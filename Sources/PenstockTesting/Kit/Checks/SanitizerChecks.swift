// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rule C-07: scripts that race while the thread sanitizer looks on.
enum SanitizerChecks {
  static let ofPublishers: [Rule: Check<PublisherUnderTest>] = [.cleanUnderSanitizer: cleanUnderSanitizer]
  static let ofSubjects: [Rule: Check<SubjectUnderTest>] = [.cleanUnderSanitizer: cleanUnderSanitizer]

  static func cleanUnderSanitizer(_ subject: PublisherUnderTest) throws -> String {
    try judge { race in
      while race.goesOn {
        let run = try subject.run(40, .cleanUnderSanitizer, "")
        run.subscribe()
        // Not by way of the probe if there is a subscription to call: the probe's lock would order the threads, and
        // would hide the races from the sanitizer. So the probe does not know the demand, and cannot judge it.
        run.probe.ownRules = [.valuesWithinDemand]
        let direct = run.probe.subscription
        let ask = { (demand: Subscribers.Demand) in
          if let direct { direct.request(demand) } else { run.probe.request(demand) }
        }
        let request = {
          for _ in 0..<10 {
            ask(.max(1))
            yieldProcessor()
          }
        }
        race.run([
          request, request, { for _ in 0..<3 { run.settle() } },
          {
            ask(.max(5))
            if let direct { direct.cancel() } else { run.probe.cancel() }
          },
        ])
      }
    }
  }

  static func cleanUnderSanitizer(_ subject: SubjectUnderTest) throws -> String {
    try judge { race in
      while race.goesOn {
        let erased = subject.make()
        let send = { for number in 1...5 { erased.send(number) } }
        let join = {
          let probe = Probe()
          probe.onSubscription = { $0.request(.max(3)) }
          erased.subscribe(probe)
          probe.request(.max(1))
          probe.cancel()
        }
        race.run([send, send, join, { erased.end(false) }])
      }
    }
  }

  private static func judge(_ script: (Race) throws -> Void) throws -> String {
    guard ThreadSanitizer.isPresent else {
      throw CheckEnd.inconclusive("only the thread sanitizer can tell: build with --sanitize=thread")
    }
    let race = Race(rounds: 20)
    guard let text = try ThreadSanitizer.reports(during: { try script(race) }) else {
      throw CheckEnd.inconclusive("the scripts have run; what the thread sanitizer reports cannot be heard here")
    }
    guard text.isEmpty else {
      let lines = text.split(separator: "\n").map { "  " + $0 }
      let summaries = lines.filter { $0.contains("SUMMARY: ") }.count
      throw CheckEnd.broken(
        "the thread sanitizer has written \(summaries) reports; \(race)", trace: lines.joined(separator: "\n"))
    }
    return "requests, deliveries, completions and cancels on several threads: \(race)"
  }
}
