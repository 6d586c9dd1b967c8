// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Waiting for a subject that delivers on threads of its own: for the calls that it makes, up to a limit that no
/// correct subject reaches.
///
/// The author says whether the subject has such threads, by ``Verification/inProcess()``, or the thread of a call shows
/// it. If a subject has shown none, the first missing answer is waited for a moment, in case the subject has threads
/// after all.
extension CheckLog {
  /// Whether deliveries of the subject may come later.
  var isPatient: Bool { state.with { $0.hasThreads } }

  /// How long to wait for an answer that is owed, in milliseconds.
  ///
  /// If one was missing already, there may be none: only a moment.
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

  /// Notes a call of the subject's, and wakes those who wait.
  func note(_ what: Tally.Event? = nil, on thread: UInt) {
    wake { state in
      if let what { state.tally.count(what, 1) }
      state.calls += 1
      if !state.threads.contains(thread) { state.hasThreads = true }
    }
  }

  /// Makes those who wait look again.
  ///
  /// - Parameter change: The change to the state, which is made first.
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

  /// Waits until the subject has reacted to what it was given, if it has shown that this can take time.
  ///
  /// It need not react: it may swallow what it is given.
  func waitForReaction(_ hasCome: () -> Bool) {
    if !hasCome(), isPatient { _ = wait(milliseconds: Patience.glance, until: hasCome) }
  }

  /// Holds the calling callback for a moment in which a second thread would call as well.
  ///
  /// The moment is longer if the subject is known to have threads: on a busy machine, a thread that is about to call
  /// needs its turn.
  func holdForAnother() {
    let before = calls
    _ = wait(milliseconds: isPatient ? 4 * Patience.glance : Patience.overlap) { calls > before }
  }

  /// Whether a claim of a check about the subject is true, or becomes true.
  func comesTrue(_ isMet: () -> Bool) -> Bool {
    isMet() || (isPatient && wait(milliseconds: Patience.answer, until: isMet))
  }

  /// Waits for a condition, whatever the subject has shown.
  ///
  /// - Returns: Whether it was met before the limit.
  func wait(milliseconds limit: Int, until isMet: () -> Bool) -> Bool {
    if limit == 0 || !hasThreads { return false }
    let deadline = ContinuousClock.now + .milliseconds(limit)
    while ContinuousClock.now < deadline {
      let latch = Latch()
      state.with { $0.waiting.append(latch) }
      if isMet() { return true }
      // An event that is not a call, such as the closing of a file, wakes nobody.
      _ = latch.wait(milliseconds: Patience.glance)
    }
    return isMet()
  }
}
