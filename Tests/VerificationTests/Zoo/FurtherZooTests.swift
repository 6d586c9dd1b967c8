// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting
import Testing

@Suite struct FurtherZooTests {
  private static func verification(_ fault: PublisherFault?) -> PublisherVerification {
    PublisherVerification(fault?.rawValue ?? "well-behaved").finite { count in
      let publisher = ZooPublisher(count: count, fault: fault)
      return Driven(publisher, resources: { publisher.source.resources })
    }
  }

  @Test(.hasOwnProcesses, arguments: PublisherFault.allCases)
  func `Each fault of a publisher is found by its rule, and by no other`(_ fault: PublisherFault) async {
    let report = await Self.verification(fault).report()
    #expect(report.leading.map(\.rule.id) == [fault.rule], "\(report)")
  }

  @Test(arguments: PublisherVerification.rules)
  func `A publisher without a fault keeps each rule`(_ rule: Rule) {
    let result = Self.verification(nil).result(of: rule)
    #expect(!result.outcome.isBroken, "\(result)")
  }

  @Test func `More inner streams than the limit, and no more`() {
    func verification(_ limit: Int) -> OperatorVerification {
      OperatorVerification("flatMap") { $0.map { $0 } }.children(max: 2) {
        $0.flatMap(maxPublishers: .max(limit)) { $0 }
      }
    }
    #expect(verification(3).result(of: .named("O-15")!).outcome.isBroken)
    #expect(verification(2).result(of: .named("O-15")!).outcome.word == "held")
  }

  @Test func `An operator that only looks, and one that asks for itself`() {
    let asking = OperatorVerification("asking") {
      $0.buffer(size: 5, prefetch: .keepFull, whenFull: .dropNewest)
    }.traits(.transparent)
    #expect(asking.result(of: .named("O-17")!).outcome.isBroken)
    let looking = OperatorVerification("looking") { $0.handleEvents() }.traits(.transparent)
    #expect(looking.result(of: .named("O-17")!).outcome.word == "held")
  }

  @Test func `A shared publisher, and one that only says so`() {
    let apart = OperatorVerification("apart") { $0.map { $0 } }.traits(.shared)
    #expect(apart.result(of: .named("J-06")!).outcome.isBroken)
    let shared = OperatorVerification("shared") { $0.share() }.traits(.shared)
    #expect(shared.result(of: .named("J-06")!).outcome.word == "held")
  }

  @Test func `Values that come later, within demand and not, and after a cancel and not`() {
    func verification(_ fault: TickFault?) -> OperatorVerification {
      OperatorVerification("later") { upstream in
        let clock = VirtualTimeScheduler()
        return Driven(Ticking(upstream: upstream, clock: clock, fault: fault), settle: { clock.advance(by: 1) })
      }.traits(.requestsEverything, .dropsUnrequested)
    }
    // Not in a report, in which C-07 would drive it from several threads, for which it is not made.
    #expect(["O-10", "P-03"].contains { verification(.ignoresDemand).result(of: .named($0)!).outcome.isBroken })
    #expect(verification(.ignoresDemand).result(of: .named("O-10")!).outcome.word != "held")
    #expect(verification(.ignoresCancel).result(of: .named("T-02")!).outcome.isBroken)
    #expect(verification(nil).result(of: .named("O-10")!).outcome.word == "held")
    #expect(verification(nil).result(of: .named("T-02")!).outcome.word == "held")
  }

  @Test func `A scheduler that turns equal dates round`() {
    func verification(_ isReversed: Bool) -> SchedulerVerification<TurningScheduler> {
      SchedulerVerification("turning") {
        TurningScheduler(isReversed)
      } advance: {
        $0.base.advance(by: $1)
      }
    }
    #expect(verification(true).result(of: .named("T-06")!).outcome.isBroken)
    #expect(verification(false).result(of: .named("T-06")!).outcome.word == "held")
  }

  @Test func `A waiver is used, or it is a failure`() async throws {
    let broken = PublisherVerification("zoo").finite { MisbehavingPublisher(Array(0..<$0), .endNeedsDemand) }
    #expect(throws: TestFailure.self) { try broken.check("P-07") }
    let waived = broken.waiving("P-07", because: "its file knows no better")
    try await waived.checkAll()
    #expect(waived.result(of: .named("P-07")!).outcome.word == "waived")
    let unused = PublisherVerification("fine").finite { (0..<$0).publisher }.waiving("P-07", because: "no reason")
    #expect(throws: TestFailure.self) { try unused.check("P-07") }
    await #expect(throws: TestFailure.self) { try await unused.checkAll() }
    #expect(await unused.report().unusedWaivers.map(\.id) == ["P-07"])
  }

  @Test func `A waiver of a rule that cannot be looked at is not called unused`() async throws {
    // The check may stop the process, so it is left open in this one.
    let here = PublisherVerification("fine").finite { MisbehavingPublisher(Array(0..<$0)) }
      .waiving("S-09", because: "it traps").inProcess()
    #expect(here.result(of: .named("S-09")!).outcome.word == "inconclusive")
    #expect(await here.report().unusedWaivers.isEmpty)
    try await here.checkAll()
  }

  @Test func `A report says what was called, and what to do about it`() async {
    let text = PublisherVerification("feed").finite { MisbehavingPublisher(Array(0..<$0), .overflows) }
      .result(of: .named("P-03")!).description
    #expect(text.contains("✘ P-03"))
    #expect(text.contains("◀ 1 more than granted"))
    #expect(text.contains("Often: request(_:) does not store"))
    #expect(text.contains("try verification.check(\"P-03\")"))
    let table = await PublisherVerification("fine").finite { (0..<$0).publisher }.report().markdown
    #expect(table.contains("| P-03 | No more values than were requested, at any moment | held: "))
  }

  private struct Read: Decodable {
    let subject: String
    let results: [[String: String]]
    let unusedWaivers: [String]
  }

  @Test func `A report is read as JSON, with all that its text says`() throws {
    let name = "feed \"1\" \\ tab\tline\nbell\u{7} ü 🦩"
    let report = PublisherVerification(name).finite { MisbehavingPublisher(Array(0..<$0), .overflows) }
      .waiving("P-01", because: "nothing").report()
    let read = try JSONDecoder().decode(Read.self, from: Data(report.json.utf8))
    #expect(read.subject == name)
    #expect(read.results.map { $0["rule"] } == report.results.map(\.rule.id))
    #expect(read.results.map { $0["reason"] } == report.results.map(\.outcome.reason))
    #expect(read.results.count { $0["outcome"] == "broken" } == report.broken.count)
    let broken = try #require(read.results.first { $0["outcome"] == "broken" && $0["follows"] == nil })
    #expect(broken["trace"]?.contains("\n") == true)
    #expect(broken["cause"] == Rule.named("P-03")?.cause)
    #expect(read.unusedWaivers == ["P-01"])
  }
}
