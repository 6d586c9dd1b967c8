// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How a check is run: in a process of its own, so that a crash or a call that never returns is a result for the rule
/// and does not end the test run; or, where the system cannot copy a process, on a thread of its own.
struct Execution {
  let rule: Rule
  /// Whether a stop of the process is legal.
  var maySafelyStop = false
  /// Whether it runs in the process itself, according to its author.
  var isInProcess = false
  /// Whether the subject delivers no values, according to its author.
  var deliversNothing = false

  /// The number of copies of the process that a check gets: several copies in a row may come at the wrong moment.
  private static let copies = 10

  /// Why there is no outcome for a rule whose break may be a legal stop.
  static let needsProcess = "it may stop the process, which is legal, and there is no other one for it"

  /// Whether a check has hung before, among several in one process.
  @TaskLocal static var hasHung = false

  func run(_ check: @escaping () throws -> String) -> Examination {
    let copies = ChildProcess.isAvailable && !isInProcess
    if maySafelyStop, !copies, !ChildProcess.isCopy {
      return Examination(.inconclusive(Self.needsProcess))
    }
    let tries = Self.hasHung ? 1 : 2
    let result = Locked<Examination?>(nil)
    let done = onThread(stackSize: 512 << 10) {
      let examination = copies ? inChild(tries: tries, check) : examine(check)
      result.with { $0 = examination }
    }
    guard let done else { return Examination(.inconclusive(noThread)) }
    // A child has a cap of its own, which is reached first, twice. A check in the process itself can't be tried again,
    // and shares the process with other tests: it gets more time.
    let limit = copies ? 3 * Patience.check : Patience.checkInProcess
    guard done.wait(milliseconds: limit) else { return hung(in: "", after: copies ? Patience.check : limit) }
    return result.value ?? Examination(.inconclusive("the check has left no result"))
  }

  private func examine(_ check: () throws -> String) -> Examination {
    Examination(of: rule, hasThreads: isInProcess, deliversNothing: deliversNothing, check)
  }

  /// - Parameter tries: The number of times that the check is run before a hang counts; see
  ///   ``ChildProcess/noteHang()``.
  private func inChild(tries: Int, _ check: () throws -> String) -> Examination {
    var end = ChildProcess.End.unavailable
    var hangs = 0
    for _ in 1...Self.copies {
      end = ChildProcess.run(isLastTry: hangs == tries - 1) { examine(check).coded }
      switch end {
      case .hung: hangs += 1
      case .stopped(_, let message, _) where ChildProcess.isOfCopying(message): continue
      case .stopped, .finished, .unavailable: hangs = tries
      }
      if hangs == tries { break }
    }
    switch end {
    case .finished(let text):
      return Examination(coded: text) ?? Examination(.inconclusive("the child process has left no result"))
    case .hung(let call): return hung(in: call, after: Patience.check)
    case .stopped(let how, let message, let call):
      if maySafelyStop { return Examination(.held("it stops the process, which is legal: \(message)")) }
      return stopped(.crash, in: call, "it stops the process (\(how))\(place(call)): \(message)")
    case .unavailable: return examine(check)
    }
  }

  private func hung(in call: String, after limit: Int) -> Examination {
    stopped(.hang, in: call, "\(call.isEmpty ? "a call" : call) has not come back within \(limit / 1000) seconds")
  }

  private func place(_ call: String) -> String { call.isEmpty ? "" : " in \(call)" }

  /// A stop counts under the rule that is about stops, and leaves the rule that was being checked open.
  private func stopped(_ stop: Outcome.Stop, in call: String, _ text: String) -> Examination {
    let finding = Outcome.Finding(text: text, trace: "", stop: stop)
    let broken = rule.broken(by: stop, in: call)
    if broken == rule { return Examination(.broken(finding)) }
    return Examination(.inconclusive("its check was stopped: \(text)"), seen: [broken: finding])
  }
}
