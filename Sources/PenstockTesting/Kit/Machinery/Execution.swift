// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How a check is run: in a process of its own, so that a crash or a call that never returns is a result of the rule and
/// not of the test run; or, where the system cannot copy a process, on a thread of its own.
enum Execution {
  /// What to make of a check that stops its process.
  struct Reading {
    /// Whether a stop of the process is legal.
    var maySafelyStop = false
    /// Whether it runs in the process itself, by its author.
    var isInProcess = false
  }

  /// How many copies of the process a check gets: as many as may have come at the wrong moment one after the other.
  private static let copies = 10

  /// Whether the check has hung once already, among others in one process.
  @TaskLocal static var hasHung = false

  static func run(_ reading: Reading, _ check: @escaping () throws -> String) -> Outcome {
    let copies = ChildProcess.isAvailable && !reading.isInProcess
    if reading.maySafelyStop, !copies, !ChildProcess.isCopy {
      return .inconclusive("it may stop the process, which is legal, and there is no other one for it")
    }
    let tries = hasHung ? 1 : 2
    let result = Locked<Outcome?>(nil)
    let done = onThread(stackSize: 512 << 10) {
      let outcome = copies ? inChild(reading, tries: tries, check) : Outcome(of: check)
      result.with { $0 = outcome }
    }
    // A child has a cap of its own, which comes first, twice. What runs in the process itself can't be tried again, and shares
    // it with other tests: it gets longer.
    let limit = copies ? 3 * Patience.check : Patience.checkInProcess
    guard done.wait(milliseconds: limit) else { return hung(after: copies ? Patience.check : limit) }
    return result.value ?? .inconclusive("the check has left no result")
  }

  /// - Parameter tries: How often the check is run until a hang counts; see ``ChildProcess/noteHang()``.
  private static func inChild(_ reading: Reading, tries: Int, _ check: () throws -> String) -> Outcome {
    var end = ChildProcess.End.hung
    var hangs = 0
    for _ in 1...Self.copies {
      end = ChildProcess.run(isLastTry: hangs == tries - 1) { Outcome(of: check).coded }
      switch end {
      case .hung: hangs += 1
      case .stopped(_, let message) where ChildProcess.isOfCopying(message): continue
      case .stopped, .finished, .unavailable: hangs = tries
      }
      if hangs == tries { break }
    }
    switch end {
    case .finished(let text): return Outcome(coded: text) ?? .inconclusive("the child process has left no result")
    case .hung: return hung(after: Patience.check)
    case .stopped(let signal, let message):
      if reading.maySafelyStop { return .held("it stops the process, which is legal: \(message)") }
      return .broken(.init(text: "it stops the process (signal \(signal)): \(message)", trace: "", isStop: true))
    case .unavailable: return Outcome(of: check)
    }
  }

  private static func hung(after limit: Int) -> Outcome {
    .broken(.init(text: "a call has not come back within \(limit / 1000) seconds", trace: "", isStop: true))
  }
}
