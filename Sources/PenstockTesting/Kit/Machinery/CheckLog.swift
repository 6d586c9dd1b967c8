// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What one check sees and reaches, whatever it was looking for.
///
/// The probes and upstreams of a check write into it, so that a break counts wherever it is seen, and so that an outcome says
/// what has happened and not what was planned.
final class CheckLog: Sendable {
  /// The log of the check that runs on the calling thread; `nil` outside of checks.
  @TaskLocal static var current: CheckLog?

  private struct State {
    var sightings: [Sighting] = []
    var tally = Tally()
    var obstacle: String?
  }

  private let state = Locked(State())

  var sightings: [Sighting] { state.with { $0.sightings } }
  var tally: Tally { state.with { $0.tally } }
  var obstacle: String? { state.with { $0.obstacle } }

  /// Notes a break of a rule; the first of each rule is kept.
  func see(_ rule: Rule, _ text: String, trace: String) {
    state.with { state in
      if state.sightings.contains(where: { $0.rule == rule }) { return }
      state.sightings.append(Sighting(rule: rule, text: text, trace: trace))
    }
  }

  func count(_ what: Tally.Event, _ number: Int = 1) { state.with { $0.tally.count(what, number) } }

  /// Notes why the check could not do what it wanted, such as that the system has no more threads.
  func obstruct(_ text: String) { state.with { $0.obstacle = $0.obstacle ?? text } }
}

/// A break of a rule that a check has seen on its way to another one.
struct Sighting: Sendable {
  let rule: Rule
  let text: String
  let trace: String
  /// How the process was stopped, if that is what was seen.
  var stop: Outcome.Stop?
}
