// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Waiting for a subject that delivers on threads of its own: by what it calls, up to a limit that no correct subject reaches.
///
/// Whether it has such threads its author says, by ``Verification/inProcess()``, or the thread of a call shows. Of a subject
/// that has shown none, one answer that is missing is waited for a moment, in case that it is the first.
extension CheckLog {
  /// Whether what the subject delivers may come later.
  var isPatient: Bool { state.with { $0.hasThreads } }

  /// How long an answer is waited for that is owed, in milliseconds.
  ///
  /// Where one was missing already, there may be none: only a moment.
  private var limit: Int {
    state.with { state in
      if state.hasThreads { return state.hasMissed ? Patience.glance : Patience.answer }
      return state.hasMissed ? 0 : Patience.glance
    }
  }

  /// Notes that the calling thread is the check's.
  func adoptThread() { state.with { _ = $0.threads.insert(thisThread()) } }

  /// How often the subject has called.
  var calls: Int { state.with { $0.calls } }

  /// Notes a call of the subject's, and wakes who waits.
  func note(_ what: Tally.Event? = nil, on thread: UInt) {
    wake { state in
      if let what { state.tally.count(what, 1) }
      state.calls += 1
      if !state.threads.contains(thread) { state.hasThreads = true }
    }
  }

  /// Has who waits look again.
  ///
  /// - Parameter change: What is new, which is noted first.
  func wake(after change: (inout State) -> Void = { _ in }) {
    let waiting = state.with { state in
      change(&state)
      defer { state.waiting = [] }
      return state.waiting
    }
    for latch in waiting { latch.open() }
  }

  /// Waits until the subject has answered.
  func waitForAnswer(_ hasCome: () -> Bool) {
    if hasCome() || wait(milliseconds: limit, until: hasCome) { return }
    state.with { $0.hasMissed = true }
  }

  /// Waits until the subject has done something with what it was given, if it has shown that this can take time.
  ///
  /// It need not do anything: what it is given may be swallowed.
  func waitForReaction(_ hasCome: () -> Bool) {
    if !hasCome(), isPatient { _ = wait(milliseconds: Patience.glance, until: hasCome) }
  }

  /// Holds the call in which it is called, for a moment in which a second thread would call as well.
  ///
  /// Longer where there are threads for certain: on a busy machine one that is about to call needs its turn.
  func holdForAnother() {
    let before = calls
    _ = wait(milliseconds: isPatient ? 4 * Patience.glance : Patience.overlap) { calls > before }
  }

  /// Whether what a check claims of the subject is so, or becomes so.
  func comesTrue(_ isMet: () -> Bool) -> Bool {
    isMet() || (isPatient && wait(milliseconds: Patience.answer, until: isMet))
  }

  /// Waits for something, whatever the subject has shown.
  ///
  /// - Returns: Whether it has come before the limit.
  func wait(milliseconds limit: Int, until isMet: () -> Bool) -> Bool {
    if limit == 0 || !hasThreads { return false }
    let deadline = ContinuousClock.now + .milliseconds(limit)
    while ContinuousClock.now < deadline {
      let latch = Latch()
      state.with { $0.waiting.append(latch) }
      if isMet() { return true }
      // What is no call, such as that a file is closed, wakes nobody.
      _ = latch.wait(milliseconds: Patience.glance)
    }
    return isMet()
  }
}
