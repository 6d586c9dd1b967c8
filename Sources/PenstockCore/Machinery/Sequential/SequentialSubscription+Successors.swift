// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The transition from one upstream to the next.
extension SequentialSubscription {
  /// Appends publishers to the line, the next one last, and subscribes to the next one.
  ///
  /// If a thread is subscribing already, that thread continues: so publishers that end synchronously are processed in a
  /// loop.
  ///
  /// - Returns: Whether an upstream is awaited.
  @discardableResult @usableFromInline
  internal final func advance(_ starts: [Start] = []) -> Bool {
    let (isAwaited, mustRun) = state.withLock { state -> (Bool, Bool) in
      guard state.phase == .awaiting else { return (false, false) }
      state.line += starts
      state.mustSwitch = true
      if state.isSwitching { return (true, false) }
      state.isSwitching = true
      return (true, true)
    }
    if mustRun { workOff() }
    return isAwaited
  }

  /// Subscribes to one publisher of the line after the other, as long as they end synchronously.
  ///
  /// - Parameter first: Whether the caller is subscribing to the first upstream. Once its subscription has arrived,
  ///   others continue.
  @usableFromInline
  internal final func workOff(toFirst first: Bool = false) {
    while let (start, isLast) = next(toFirst: first) {
      self.isLast = isLast
      start(self)
    }
  }

  private func next(toFirst first: Bool) -> (Start, isLast: Bool)? {
    state.withLock { state in
      if first, state.hasStarted { return nil }
      guard state.mustSwitch, state.phase == .awaiting, let start = state.line.popLast() else {
        state.mustSwitch = false
        state.isSwitching = false
        return nil
      }
      state.mustSwitch = false
      return (start, state.line.isEmpty && !rules.isEndless)
    }
  }
}
