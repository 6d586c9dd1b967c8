// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The number of streams that run, and the publisher of whether any stream runs.
///
/// Several threads may change the number at the same time, and values must not be published out of order. So a thread
/// that finds no other one sending sends until the last value sent is right.
@usableFromInline
internal final class ActivityCount: Sendable {
  private struct State {
    var count = 0
    var isSending = false
  }

  private let state = Guarded(State())
  @usableFromInline internal let shown = CurrentValueSubject<Bool, Never>(false)

  @usableFromInline
  internal init() {}

  internal var count: Int { state.withLock { $0.count } }

  /// Counts a stream until its use ends.
  @usableFromInline
  internal func begin() -> ResourceUse {
    change(by: 1)
    return ResourceUse { self.change(by: -1) }
  }

  private func change(by difference: Int) {
    let mustSend = state.withLock { state in
      state.count += difference
      return !exchange(&state.isSending, with: true)
    }
    if !mustSend { return }
    while let next = nextValue() { shown.send(next) }
  }

  private func nextValue() -> Bool? {
    let last = shown.value
    return state.withLock { state in
      let next = state.count > 0
      if next != last { return next }
      state.isSending = false
      return nil
    }
  }
}
