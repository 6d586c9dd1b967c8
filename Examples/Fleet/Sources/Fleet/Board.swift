// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork
import Foundation

/// The display while the fleet runs.
struct Board {
  let engine: Engine
  /// Whether each picture replaces the previous one; otherwise a line is written each second.
  let isLive: Bool
  private var last = (date: ContinuousClock.now, sums: Ledger.Sums(), settled: [String: Int]())
  private var notes = Notes()

  init(_ engine: Engine, isLive: Bool) { (self.engine, self.isLive) = (engine, isLive) }

  mutating func show(_ ledger: Ledger, _ crew: Crew, _ servers: Servers, _ backlog: Backlog?, elapsed: Duration) {
    let (now, sums) = (ContinuousClock.now, ledger.sums)
    let seconds = max((now - last.date) / .seconds(1), 0.001)
    let rates = (
      confirmed: Double(sums.confirmed - last.sums.confirmed) / seconds,
      done: Double(sums.done - last.sums.done) / seconds
    )
    let settled = last.settled
    last = (now, sums, Dictionary(uniqueKeysWithValues: crew.workers.map { ($0.name, $0.state.counts.settled) }))
    let news = ledger.takeNotes()
    for note in news { notes.add(note) }
    let left = backlog.map { "\($0.waiting) waiting, \($0.unsettled) with workers" } ?? "no answer from the servers"
    guard isLive else {
      for note in news { print("  \(note)") }
      print(
        String(
          format: "%5.1f s  %d confirmed (%.0f/s), %d done (%.0f/s), %@, %d redelivered", elapsed / .seconds(1),
          sums.confirmed, rates.confirmed, sums.done, rates.done, left, sums.redelivered))
      return
    }
    var text = "\u{1B}[H\u{1B}[J"
    text += "Fleet on \(engine.rawValue)" + String(format: "%50.1f s\n\n", elapsed / .seconds(1))
    if !servers.nodes.isEmpty {
      text += "servers   " + servers.nodes.map { "\($0.name) \($0.state)" }.joined(separator: "   ") + "\n"
    }
    text += String(format: "orders    %8d confirmed  %7.0f a second\n", sums.confirmed, rates.confirmed)
    text += String(format: "          %8d done       %7.0f a second\n", sums.done, rates.done)
    text += "          \(left)\n"
    text += "          \(sums.redelivered) redelivered, \(sums.repeated) done once more than needed\n\n"
    text += "worker      asked   fetched   settled  a second  in flight  restarts\n"
    for (name, worker) in crew.workers {
      let counts = worker.counts
      text += name.padding(toLength: 6, withPad: " ", startingAt: 0)
      // A worker that has been started again counts from 0.
      let rate = Double(max(0, counts.settled - (settled[name] ?? 0))) / seconds
      text += String(
        format: "%11d %9d %9d %9.0f %10d %9d\n", counts.asked, counts.fetched, counts.settled, rate, counts.inFlight,
        worker.restarts)
    }
    text += "\n" + notes.lines(width: terminalWidth - 2).map { "  \($0)\n" }.joined()
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
