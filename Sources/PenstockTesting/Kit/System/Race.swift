// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Runs closures on threads of their own at the same time, and counts how often they really overlapped: a green run is
/// worth only as much as its overlap.
final class Race: CustomStringConvertible {
  private let rounds: Int
  private let state = Locked((ready: 0, running: 0, hasOverlapped: false))
  private var overlapped = 0
  private var done = 0

  init(rounds: Int) { self.rounds = rounds }

  /// Whether another round is worth it: on a machine that is busy with other things threads seldom overlap, and a green run
  /// would be worth nothing.
  var goesOn: Bool { done < rounds || (overlapped < rounds / 4 && done < 3 * rounds) }

  var description: String { "\(done) rounds, \(overlapped) with overlap" }

  func run(_ work: [() -> Void]) {
    state.with { $0 = (0, 0, false) }
    let start = Latch()
    let latches = work.map { body in
      onThread {
        _ = start.wait(milliseconds: Patience.check)
        // No thread begins before all have arrived, unless one of them is kept from running for long.
        self.state.with { $0.ready += 1 }
        for _ in 0..<10_000 where self.state.value.ready < work.count { yieldProcessor() }
        self.state.with { state in
          state.running += 1
          if state.running > 1 { state.hasOverlapped = true }
        }
        body()
        self.state.with { $0.running -= 1 }
      }
    }
    start.open()
    for latch in latches { _ = latch?.wait(milliseconds: Patience.check) }
    done += 1
    ChildProcess.noteProgress()
    if state.value.hasOverlapped { overlapped += 1 }
  }
}
