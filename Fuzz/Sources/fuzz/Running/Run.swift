// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock

/// Runs a program once, and checks the rules.
struct Run {
  private static let crew = Crew(4)
  /// The time limit for expected events, in seconds.
  private static let patience = 5.0

  static func once(_ program: Program) {
    let lanes = runAndTakeApart(program)
    // Scheduled blocks may keep the operator that owns the clock: the clocks advance until no block is left.
    guard !Verdict.isWaived(.memory) else { return }
    if !settle(lanes, { Census.isEmpty }) {
      let isScheduled = Census.tickets.load(ordering: .acquiring) > 0
      Verdict.report(isScheduled ? .rest : .memory, "still there: \(Census.living)")
    }
  }

  @inline(never)
  private static func runAndTakeApart(_ program: Program) -> [Lane] {
    let world = World(program)
    perform(program, in: world)
    defer { world.takeApart() }
    return world.current?.lanes ?? []
  }

  private static func perform(_ program: Program, in world: World) {
    guard let parts = world.current else { return }
    for (index, pipeline) in program.pipelines.enumerated() where pipeline.startsFirst { parts.subscribe(index) }
    var pieces: [@Sendable () -> Void] = []
    var tasks: [@Sendable () async -> Void] = []
    for (index, actor) in program.actors.enumerated() {
      let performer = Performer(index: index, actor: actor, world: world, parts: Unchecked(parts))
      if actor.isTask {
        tasks.append { await performer.runInTask() }
      } else {
        pieces.append { performer.runOnThread() }
      }
    }
    crew.run(pieces, tasks: tasks)
    switch program.ending {
    case .finish: for source in parts.sources { source.send(completion: .finished) }
    case .fail: for source in parts.sources { source.send(completion: .failure(Fault())) }
    case .cancel: parts.cancelAll()
    case .drop: parts.dropAll()
    }
    checkConservation(of: program, parts, in: world)
    parts.advance(milliseconds: 20)
  }

  private static func checkConservation(of program: Program, _ parts: Parts, in world: World) {
    for index in program.pipelines.indices {
      guard let expected = program.expected(at: index), let tally = parts.tallies(of: index).first else { continue }
      let hasEnded = settle(parts.lanes) { tally.hasEnded || world.isExhausted }
      guard !world.isExhausted else { return }
      if !hasEnded { Verdict.report(.end, "pipeline \(index) has not come to its end") }
      let found = tally.channels
      if found != expected {
        Verdict.report(.conservation, "pipeline \(index): values by channel \(found), sent were \(expected)")
      }
    }
  }

  /// Waits until a condition holds, and advances the clocks meanwhile.
  private static func settle(_ lanes: [Lane], _ holds: () -> Bool) -> Bool {
    let start = DispatchTime.now().uptimeNanoseconds
    let timer = DispatchSemaphore(value: 0)
    var rounds = 0
    while !holds() {
      for lane in lanes { lane.advance(milliseconds: 10) }
      rounds += 1
      if rounds < 50 {
        sched_yield()
      } else {
        _ = timer.wait(timeout: .now() + .microseconds(50))
        if Double(DispatchTime.now().uptimeNanoseconds - start) > patience * 1e9 { return holds() }
      }
    }
    return true
  }
}
