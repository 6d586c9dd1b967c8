// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rule T-06 for a scheduler whose time passes on its own.
///
/// The checks expect nothing to be fast: they wait for actions, and compare their order and their dates.
struct RealTimeChecks<Subject: Scheduler> {
  /// What has run so far.
  private struct State {
    var names: [String] = []
    /// The first break that an action has found itself.
    var complaint: String?
    var latest: Subject.SchedulerTimeType?
    var isRunning = false
    /// How many actions the check waits for.
    var awaited: (count: Int, latch: Latch)?
  }

  private let scheduler: Subject
  private let ordersEqualDates: Bool
  private let state = Locked(State())

  init(_ scheduler: Subject, ordersEqualDates: Bool) {
    (self.scheduler, self.ordersEqualDates) = (scheduler, ordersEqualDates)
  }

  func contract() throws -> String {
    try oneAtATime()
    try equalDates()
    try differentDates()
    try unevenDates()
    try nested()
    try repeated()
    let dates = ordersEqualDates ? "equal and unequal dates" : "unequal dates; by its author, not of equal ones"
    return "no action before its date, past dates, nesting, repetition and cancelling, and the order of " + dates
  }

  // MARK: Actions that run once

  /// The first action is held for a moment, in which the second would come if it did not wait.
  private func oneAtATime() throws {
    let second = Latch()
    scheduler.schedule(note("first") { _ = second.wait(milliseconds: 4 * Patience.glance) })
    scheduler.schedule(note("second") { second.open() })
    try expect(["first", "second"], "two actions, of which the first is held")
  }

  private func equalDates() throws {
    let numbers = (1...12).map(String.init)
    for number in numbers { scheduler.schedule(note(number)) }
    try expect(numbers, "12 actions for now")
    try inTime("12 actions of one date", inOrder: ordersEqualDates) {
      let same = date(20)
      for number in numbers { scheduler.schedule(after: same, note(number, due: same)) }
      return (same, numbers)
    }
    let past = date(-10)
    scheduler.schedule(after: past, note("past"))
    try expect(["past"], "an action whose date is over")
  }

  private func differentDates() throws {
    try inTime("actions of two dates, the later one scheduled first") {
      let (early, late) = (date(20), date(40))
      scheduler.schedule(after: late, note("late", due: late))
      scheduler.schedule(after: early, note("early", due: early))
      return (early, ["early", "late"])
    }
  }

  /// Dates that are no round number in any unit: a scheduler that rounds them is too early for some.
  private func unevenDates() throws {
    let numbers = (1...12).map(String.init)
    try inTime("12 actions, 1.3 milliseconds apart", inOrder: false) {
      let start = date(20)
      for (turn, number) in numbers.enumerated() {
        let due = start.advanced(by: .microseconds(1_300 * turn))
        scheduler.schedule(after: due, note(number, due: due))
      }
      return (start, numbers)
    }
  }

  private func nested() throws {
    scheduler.schedule(
      note("outer") {
        scheduler.schedule(note("nested"))
        let later = date(5)
        scheduler.schedule(after: later, note("nested, later", due: later))
      })
    try expect(["outer", "nested", "nested, later"], "actions scheduled inside an action")
  }

  /// Schedules actions, again until all were scheduled before the first was due, and expects them in their order.
  ///
  /// If the machine has stopped the thread in between, the order says nothing.
  private func inTime(
    _ what: String, inOrder: Bool = true, _ schedule: () -> (first: Subject.SchedulerTimeType, names: [String])
  ) throws {
    for _ in 0..<20 {
      let (first, names) = schedule()
      let isInTime = scheduler.now < first
      let came = try wait(names.count, what)
      if isInTime { return try compare(inOrder ? came : came.sorted(), inOrder ? names : names.sorted(), what) }
    }
    throw CheckEnd.inconclusive("\(what): 20 times the machine was too busy to schedule them in 20 milliseconds")
  }

  // MARK: Actions that repeat

  private func repeated() throws {
    try cancelled(after: 1, "repeated work that is cancelled inside its first turn")
    try cancelled(after: 3, "repeated work that is cancelled inside its third turn")
    let timer = scheduler.schedule(after: date(20), interval: .milliseconds(5), note("tick"))
    timer.cancel()
    try expectEnd([], "repeated work that is cancelled before its first turn")
  }

  private func cancelled(after count: Int, _ what: String) throws {
    let timer = Locked<(any Cancellable)?>(nil)
    let turns = Locked(0)
    // Inside an action, so that the first turn does not come before the cancellable is stored.
    scheduler.schedule {
      let start = date(5)
      let cancellable = scheduler.schedule(after: start, interval: .milliseconds(5)) {
        let turn = turns.with { turns in
          defer { turns += 1 }
          return turns
        }
        let due = start.advanced(by: .milliseconds(5 * turn))
        note("tick", due: due) { if turn == count - 1 { timer.with { $0.take() }?.cancel() } }()
      }
      timer.with { $0 = cancellable }
    }
    try expectEnd(Array(repeating: "tick", count: count), what)
  }

  /// Expects actions, and nothing after them.
  private func expectEnd(_ names: [String], _ what: String) throws {
    try compare(try wait(names.count, what), names, what)
    let later = date(40)
    scheduler.schedule(after: later, note("end", due: later))
    try expect(["end"], what + ", and nothing behind it")
  }

  // MARK: What an action notes

  private func date(_ milliseconds: Int) -> Subject.SchedulerTimeType {
    scheduler.now.advanced(by: .milliseconds(milliseconds))
  }

  /// An action that notes its name, and whether it comes before its date.
  private func note(
    _ name: String, due date: Subject.SchedulerTimeType? = nil, then act: @escaping () -> Void = {}
  ) -> () -> Void {
    {
      let now = scheduler.now
      state.with { state in
        if state.isRunning { state.complaint = state.complaint ?? "\(name) ran during another action" }
        state.isRunning = true
        if let latest = state.latest, now < latest { state.complaint = state.complaint ?? "its time has gone back" }
        state.latest = now
        // A date may be rounded to the unit in which the system counts.
        if let date, now.distance(to: date) > .milliseconds(1) {
          state.complaint = state.complaint ?? "\(name) ran before its date"
        }
      }
      act()
      let latch = state.with { state -> Latch? in
        state.isRunning = false
        state.names.append(name)
        guard let awaited = state.awaited, state.names.count >= awaited.count else { return nil }
        return awaited.latch
      }
      latch?.open()
    }
  }

  // MARK: What is expected

  private func expect(_ names: [String], _ what: String) throws {
    try compare(try wait(names.count, what), names, what)
  }

  private func compare(_ came: [String], _ names: [String], _ what: String) throws {
    if let complaint = state.with({ $0.complaint }) { throw CheckEnd.broken("\(what): \(complaint)", trace: "") }
    if came != names { throw CheckEnd.broken("\(what): ran \(came), where \(names) is right", trace: "") }
  }

  /// Waits for a number of actions, and takes what has run.
  private func wait(_ count: Int, _ what: String) throws -> [String] {
    let latch = Latch()
    let isThere = state.with { state in
      state.awaited = (count, latch)
      return state.names.count >= count
    }
    let hasCome = isThere || latch.wait(milliseconds: Patience.call)
    let names = state.with { state in
      defer { (state.names, state.awaited) = ([], nil) }
      return state.names
    }
    if !hasCome {
      throw CheckEnd.broken(
        "\(what): after \(Patience.call / 1000) seconds \(names.count) of \(count) have run", trace: "")
    }
    return names
  }
}
