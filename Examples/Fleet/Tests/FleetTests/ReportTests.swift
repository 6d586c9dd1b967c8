// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork
import Testing

@testable import Fleet

@Suite struct ReportTests {
  @Test(
    arguments: [
      Report.confirmed(3...9), .done(12, attempt: 2), .counts(WorkerCounts(asked: 9, fetched: 7, settled: 5)),
      .note("w1 is killed, for the 2nd time"),
    ])
  func `A report is read as it was written`(_ report: Report) {
    #expect(Report(line: report.line) == report)
  }

  @Test(arguments: ["", "done", "done 1", "done one 2", "confirmed 9 3", "counts 1 2", "done 1 2 3", "don"])
  func `A line that was cut off is no report`(_ line: String) { #expect(Report(line: line) == nil) }

  @Test(arguments: ["", "order", "order x", "order 0", "order -1", "order 1 2", "letter 1"])
  func `What is no order is told apart from one`(_ text: String) {
    #expect(throws: NoOrder.self) { try Order(payload: Array(text.utf8)) }
    #expect((try? Order(payload: Order(number: 17).payload))?.number == 17)
  }
}

@Suite struct LedgerTests {
  @Test func `An order that is confirmed and not done is missing, whatever comes first`() {
    let ledger = Ledger()
    ledger.add(.done(2, attempt: 1), from: "w1")
    ledger.add(.confirmed(1...4), from: "producer")
    ledger.add(.done(4, attempt: 2), from: "w2")
    #expect(ledger.missing == [1, 3])
    ledger.add(.done(1, attempt: 1), from: "w1")
    ledger.add(.done(3, attempt: 1), from: "w1")
    ledger.add(.done(3, attempt: 2), from: "w2")
    #expect(ledger.missing.isEmpty)
    #expect(ledger.sums == Ledger.Sums(confirmed: 4, done: 4, repeated: 1, redelivered: 2))
  }
}

@Suite struct NotesTests {
  @Test func `What is said again is there once, and no line is wrapped`() {
    var notes = Notes()
    for number in 1...7 { notes.add("note \(number)") }
    for _ in 1...3 { notes.add(String(repeating: "long ", count: 30)) }
    notes.add("note 2")
    let lines = notes.lines(width: 30)
    #expect(lines.count == 8 && lines.allSatisfy { $0.count <= 30 })
    #expect(lines[0] == "note 1" && lines[7] == "note 2 (2 times)")
    #expect(lines[6] == "long long long long… (3 times)")
    notes.add("note 8")
    #expect(notes.lines(width: 30).first == "note 3")
  }
}
