// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// Whether a subscriber of deliveries is cancelling.
///
/// `flatMap` cancels its inner streams before its upstream, as Combine's does. A delivery that is given back in between
/// would come again to the subscriber that is leaving, be dropped there, and wait for its deadline.
@usableFromInline
internal final class Leaving: Sendable {
  private struct State {
    var isUnderWay = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Guarded(State())

  @usableFromInline
  internal init() {}

  /// Records that a cancel begins.
  @usableFromInline
  internal func begin() { state.withLock { $0.isUnderWay = true } }

  /// Records that the cancel has reached everything.
  @usableFromInline
  internal func end() {
    let waiting = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    for work in waiting { work() }
  }

  /// Performs work, after a cancel that is under way.
  internal func after(_ work: @escaping @Sendable () -> Void) {
    let mayWork = state.withLock { state in
      if state.isUnderWay { state.waiting.append(work) }
      return !state.isUnderWay
    }
    if mayWork { work() }
  }
}
