// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A scheduler under test, without its types; time is in milliseconds from now.
struct SchedulerUnderTest {
  /// Whether its time has not gone back since it was asked last.
  let elapsed: () -> Bool
  let now: (@escaping () -> Void) -> Void
  let after: (Int, @escaping () -> Void) -> Void
  let every: (Int, @escaping () -> Void) -> any Cancellable
  let advance: (Int) -> Void
}

/// The rule T-06.
enum SchedulerChecks {
  static func contract(_ subject: SchedulerUnderTest) throws -> String {
    let log = Locked<[String]>([])
    func note(_ text: String) {
      let note = subject.elapsed() ? text : "\(text), where the time has gone back"
      log.with { $0.append(note) }
    }
    func expect(_ expected: [String], _ what: String) throws {
      let came = log.with { texts in
        defer { texts = [] }
        return texts
      }
      if came != expected {
        throw CheckEnd.broken("\(what): ran \(came), where \(expected) is right", trace: "")
      }
      if !subject.elapsed() { throw CheckEnd.broken("\(what): its time has gone back", trace: "") }
    }

    for number in 1...12 { subject.after(10) { note("\(number)") } }
    subject.advance(10)
    try expect((1...12).map(String.init), "12 actions of one date")

    subject.after(20) { note("late") }
    subject.after(5) { note("early") }
    subject.advance(20)
    try expect(["early", "late"], "actions of two dates")

    subject.after(-10) { note("past") }
    subject.now { note("now") }
    subject.advance(1)
    try expect(["past", "now"], "an action whose date is over, and one for now")

    subject.after(5) {
      note("outer")
      subject.now { note("nested") }
      subject.after(5) { note("nested, later") }
    }
    subject.advance(20)
    try expect(["outer", "nested", "nested, later"], "actions scheduled inside an action")

    let timer = Locked<(any Cancellable)?>(nil)
    let repeating = subject.every(5) {
      note("tick")
      timer.with { $0.take() }?.cancel()
    }
    timer.with { $0 = repeating }
    subject.advance(50)
    try expect(["tick"], "repeated work that is cancelled inside its first turn")

    // Cancelling one action leaves the others where they are.
    for number in 1...3 { subject.after(10 * number) { note("\(number)") } }
    let between = subject.every(12) { note("tick") }
    for number in 4...6 { subject.after(10 * number) { note("\(number)") } }
    between.cancel()
    subject.advance(100)
    try expect((1...6).map(String.init), "six actions, among which repeated work was cancelled")

    let steady = subject.every(5) { note("tick") }
    subject.advance(15)
    steady.cancel()
    subject.advance(15)
    try expect(["tick", "tick", "tick"], "repeated work over three intervals, then cancelled")
    return "order of equal and unequal dates, past dates, nesting, repetition and cancelling"
  }
}
