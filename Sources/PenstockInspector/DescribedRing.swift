// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// The latest signals of one link, with the texts that a closure of the user has made of their values.
@usableFromInline
internal final class DescribedRing: Sendable {
  private struct State {
    var signals: [LinkState.DescribedSignal] = []
    /// The place of the oldest signal, once all places are taken.
    var oldest = 0
    var count = 0
  }

  private let state = Guarded(State())

  @usableFromInline
  internal init() {}

  /// - Parameters:
  ///   - value: The text of a value; `nil` for a completion.
  ///   - isFailure: Whether the completion is a failure.
  @usableFromInline
  internal func append(_ value: String?, isFailure: Bool = false) {
    let signal = LinkState.DescribedSignal(value: value, isFailure: isFailure, time: .now)
    state.withLock { state in
      state.count += 1
      if state.signals.count < SignalRing.size { return state.signals.append(signal) }
      state.signals[state.oldest] = signal
      state.oldest = (state.oldest + 1) % SignalRing.size
    }
  }

  internal var contents: (signals: [LinkState.DescribedSignal], earlier: Int) {
    state.withLock { state in
      (Array(state.signals[state.oldest...] + state.signals[..<state.oldest]), state.count - state.signals.count)
    }
  }
}
