// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The rule J-06.
extension OperatorChecks {
  static func connectsOnce(_ subject: Subject) throws -> String {
    guard subject.traits.contains(.shared) else { throw CheckEnd.notApplicable("each subscriber has its own run") }
    let control = UpstreamControl()
    let erased = subject.byHand(control)
    let runs = ["the first subscriber", "the second subscriber"].map { Trial(erased, .connectsOnce, $0) }
    for run in runs {
      run.subscribe()
      run.request(1)
    }
    try runs[1].expect(control.links.count == 1, "upstream was subscribed to \(control.links.count) times")
    runs[0].cancel()
    try runs[0].expect(control.live.count == 1, "the cancel of one subscriber has cancelled upstream")
    runs[1].cancel()
    if subject.traits.contains(.staysConnected) { return "once for two, and upstream stays, by its author" }
    try runs[1].expect(control.live.isEmpty, "the last subscriber has gone, and upstream is still live")
    let next = Trial(erased, .connectsOnce, "a subscriber after the last has gone")
    next.subscribe()
    next.request(1)
    try next.expect(
      !control.live.isEmpty || next.probe.isEnded, "it has neither a new connection to upstream nor an end")
    try joinsInsideTheEnd(subject)
    try leavesInSecondLife(subject)
    try leavesWhileConnecting(subject)
    return "once for two, and left with the last, also after an end and a new beginning"
  }

  /// A subscriber that comes as the run ends gets a new run, or an end.
  private static func joinsInsideTheEnd(_ subject: Subject) throws {
    let control = UpstreamControl()
    let erased = subject.byHand(control)
    let next = Trial(erased, .connectsOnce, "a subscriber that comes inside the completion of another")
    let first = Trial(erased, .connectsOnce, "a subscriber before the end")
    first.probe.onCompletion = { _ in next.attach() }
    first.subscribe()
    first.request(1)
    for link in control.links { link.end() }
    first.settle()
    next.request(1)
    try next.expect(
      !control.live.isEmpty || next.probe.isEnded, "it has neither a connection to upstream nor an end")
  }

  /// An operator that counts subscribers has to forget those of a run that has ended.
  private static func leavesInSecondLife(_ subject: Subject) throws {
    for fails in [false, true] {
      let control = UpstreamControl()
      let erased = subject.byHand(control)
      let early = Trial(erased, .connectsOnce, "a subscriber before the end")
      early.subscribe()
      early.request(1)
      for link in control.links { link.end(fails: fails) }
      let late = Trial(erased, .connectsOnce, "a subscriber after upstream has \(fails ? "failed" : "finished")")
      late.subscribe()
      late.request(1)
      late.cancel()
      try late.expect(
        control.live.isEmpty, "the only subscriber of the second run has gone, and its upstream is still live")
    }
  }

  /// With a source that delivers while it is subscribed to, the last subscriber can leave before the connection is
  /// known.
  private static func leavesWhileConnecting(_ subject: Subject) throws {
    let control = UpstreamControl()
    control.onLink = { link, _ in _ = link.deliver(0) }
    let run = Trial(
      subject.byHand(control), .connectsOnce, "the only subscriber cancels inside a value that comes at once")
    run.probe.onSubscription = { $0.request(.max(1)) }
    run.probe.onValue = { probe, _ in
      probe.cancel()
      return .none
    }
    run.subscribe()
    if run.probe.values.isEmpty { run.cancel() }
    try run.expect(control.live.isEmpty, "the only subscriber has gone, and upstream is still live")
  }
}
