// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The state of a subscriber that requests one value at a time and can be paused.
///
/// At most one value is outstanding, whichever threads pause and resume. A call during the work on a value takes effect
/// when the work is done: the last call decides, and overrides the work's own result.
@usableFromInline
internal struct PauseSwitch: ~Copyable, Sendable {
  @usableFromInline
  internal enum Phase: UInt8, AtomicCellValue, Sendable {
    /// Nothing has been requested, since the subscription has not arrived.
    case unsubscribed
    /// The subscription has not arrived, and nothing is to be requested when it does.
    case unsubscribedPaused
    /// A value is outstanding.
    case waiting
    /// A value is outstanding; after that value nothing is to be requested.
    case waitingPaused
    /// A value is being processed.
    case working
    /// A value is being processed, and another one is to be requested whatever the result.
    case workingResumed
    /// A value is being processed, and no other is to be requested.
    case workingPaused
    /// Nothing is outstanding.
    case paused
    /// The stream has ended, and a value is still being processed.
    case ending
    /// The stream has ended.
    case ended
  }

  @usableFromInline internal let atomicPhase = AtomicCell(Phase.unsubscribed)

  @inlinable
  internal init() {}

  /// Whether no value is requested until a call of ``resume()``.
  @inlinable
  internal var isPaused: Bool {
    switch atomicPhase.load(ordering: .acquiring) {
    case .unsubscribedPaused, .waitingPaused, .workingPaused, .paused: true
    case .unsubscribed, .waiting, .working, .workingResumed, .ending, .ended: false
    }
  }

  /// Changes the phase.
  ///
  /// - Parameter next: Returns the phase that follows the given one; `nil` for no change.
  /// - Returns: The previous phase, if it has changed.
  @inlinable
  internal borrowing func move(_ next: (Phase) -> Phase?) -> Phase? {
    var phase = atomicPhase.load(ordering: .relaxed)
    while true {
      guard let following = next(phase) else { return nil }
      let (exchanged, original) = atomicPhase.weakCompareExchange(
        expected: phase, desired: following, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if exchanged { return phase }
      phase = original
    }
  }

  /// Records that the subscription has arrived.
  ///
  /// - Returns: Whether to request a value.
  @inlinable
  internal borrowing func subscribe() -> Bool {
    let before = move { phase in
      switch phase {
      case .unsubscribed: .waiting
      case .unsubscribedPaused: .paused
      default: nil
      }
    }
    return before == .unsubscribed
  }

  /// Records that a value has arrived.
  ///
  /// - Returns: Whether to process it.
  @inlinable
  internal borrowing func begin() -> Bool {
    let before = move { phase in
      switch phase {
      case .waiting: .working
      case .waitingPaused: .workingPaused
      default: nil
      }
    }
    return before != nil
  }

  /// Records that a value has been processed.
  ///
  /// - Parameter goesOn: Whether the work wants another value.
  /// - Returns: Whether to request one, and whether the stream has ended meanwhile: then the caller releases what the work
  ///   has used.
  @inlinable
  internal borrowing func end(goesOn: Bool) -> (requests: Bool, hasEnded: Bool) {
    let before = move { phase in
      switch phase {
      case .working: goesOn ? .waiting : .paused
      case .workingResumed: .waiting
      case .workingPaused: .paused
      case .ending: .ended
      default: nil
      }
    }
    return (before == .workingResumed || (before == .working && goesOn), before == .ending)
  }

  /// Resumes.
  ///
  /// - Returns: Whether to request a value.
  @inlinable
  internal borrowing func resume() -> Bool {
    let before = move { phase in
      switch phase {
      case .unsubscribedPaused: .unsubscribed
      case .waitingPaused, .paused: .waiting
      case .working, .workingPaused: .workingResumed
      case .unsubscribed, .waiting, .workingResumed, .ending, .ended: nil
      }
    }
    return before == .paused
  }

  @inlinable
  internal borrowing func pause() {
    _ = move { phase in
      switch phase {
      case .unsubscribed: .unsubscribedPaused
      case .waiting: .waitingPaused
      case .working, .workingResumed: .workingPaused
      case .unsubscribedPaused, .waitingPaused, .workingPaused, .paused, .ending, .ended: nil
      }
    }
  }

  /// Ends the stream.
  ///
  /// - Returns: Whether the caller releases what is used for a value: the stream was open, and none is being processed.
  @inlinable
  internal borrowing func close() -> Bool {
    let before = move { phase in
      switch phase {
      case .working, .workingResumed, .workingPaused: .ending
      case .unsubscribed, .unsubscribedPaused, .waiting, .waitingPaused, .paused: .ended
      case .ending, .ended: nil
      }
    }
    return switch before {
    case .unsubscribed, .unsubscribedPaused, .waiting, .waitingPaused, .paused: true
    default: false
    }
  }
}
