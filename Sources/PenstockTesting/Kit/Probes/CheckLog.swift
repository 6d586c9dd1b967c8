// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Everything that one check sees and reaches, whatever it was looking for.
///
/// The probes and upstreams of a check write into it, so that a break counts wherever it is seen, and so that an
/// outcome says what has happened, not what was planned.
final class CheckLog: ThreadOwner {
  /// The log of the check that runs on the calling thread; `nil` outside of checks.
  static var current: CheckLog? { Threads.owner as? CheckLog }

  struct State {
    var seen: [Rule: Outcome.Finding] = [:]
    var tally = Tally()
    var obstacle: String?
    /// The threads of the check: a call on another thread is made by the subject.
    var threads: Set<UInt> = []
    var hasThreads: Bool
    /// The number of calls that the subject has made.
    var calls = 0
    /// Whether the check has waited for something in vain.
    var hasMissed = false
    /// Opened by the next event.
    var waiting: [Latch] = []
  }

  let state: Locked<State>

  /// - Parameter hasThreads: Whether the subject has threads of its own, according to its author.
  init(hasThreads: Bool = false) { state = Locked(State(hasThreads: hasThreads)) }

  /// The breaks of rules, each under its own.
  var seen: [Rule: Outcome.Finding] { state.with { $0.seen } }
  var tally: Tally { state.with { $0.tally } }
  var obstacle: String? { state.with { $0.obstacle } }

  /// Notes a break of a rule; the first of each rule is kept.
  func see(_ rule: Rule, _ text: String, trace: String) {
    state.with { $0.seen[rule] = $0.seen[rule] ?? Outcome.Finding(text: text, trace: trace) }
  }

  func count(_ what: Tally.Event, _ number: Int = 1) { state.with { $0.tally.count(what, number) } }

  /// Notes why the check could not do what it wanted, such as a system without more threads.
  func obstruct(_ text: String) { state.with { $0.obstacle = $0.obstacle ?? text } }
}
