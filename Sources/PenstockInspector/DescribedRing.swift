// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// What one link has to do with the texts of its latest signals: it adds to them, and its own end is the last of them.
///
/// The texts are an object of their own, so that who looks at them can see how the stream has ended.
@usableFromInline
internal final class DescribedRing: Sendable {
  internal let signals = DescribedSignals()

  @usableFromInline
  internal init() {}

  // A link that goes away without a completion has been cancelled, or let go.
  deinit { signals.cancel() }

  @usableFromInline
  internal func append(_ value: String) { signals.append(.value(value)) }

  @usableFromInline
  internal func appendEnd(isFailure: Bool) { signals.append(isFailure ? .failed : .finished) }
}

/// The latest signals of one link, with the texts that a closure of the user has made of their values.
internal final class DescribedSignals: Sendable {
  fileprivate struct State {
    var signals: [Inspector.Recording.Signal] = []
    /// The place of the oldest signal, once all places are taken.
    var oldest = 0
    var count = 0
    var hasEnded = false
  }

  private let state = Guarded(State())

  fileprivate func append(_ kind: Inspector.Recording.Signal.Kind) {
    let signal = Inspector.Recording.Signal(kind: kind, time: .now)
    state.withLock { $0.append(signal) }
  }

  fileprivate func cancel() {
    let signal = Inspector.Recording.Signal(kind: .cancelled, time: .now)
    state.withLock { if !$0.hasEnded { $0.append(signal) } }
  }

  internal var recording: Inspector.Recording {
    state.withLock { state in
      Inspector.Recording(
        signals: Array(state.signals[state.oldest...] + state.signals[..<state.oldest]),
        earlier: state.count - state.signals.count)
    }
  }
}

extension DescribedSignals.State {
  fileprivate mutating func append(_ signal: Inspector.Recording.Signal) {
    if case .value = signal.kind {} else { hasEnded = true }
    count += 1
    if signals.count < SignalRing.size { return signals.append(signal) }
    signals[oldest] = signal
    oldest = (oldest + 1) % SignalRing.size
  }
}
