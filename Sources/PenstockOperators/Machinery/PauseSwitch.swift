// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// Whether a subscriber that asks for one value at a time goes on.
///
/// One value at most is outstanding, whoever pauses and resumes on whatever thread. A call that comes while a value is
/// being worked on counts when that is done: the last one has the word, over the answer of the work as well.
@usableFromInline
internal struct PauseSwitch: ~Copyable, Sendable {
  @usableFromInline
  internal enum Phase: UInt8, AtomicRepresentable, Sendable {
    /// Nothing has been asked for, since there is nobody to ask yet.
    case unsubscribed
    /// The same, and nothing is to be asked for.
    case unsubscribedPaused
    /// A value is outstanding.
    case waiting
    /// A value is outstanding, and is to be the last for now.
    case waitingPaused
    /// A value is being worked on.
    case working
    /// The same, and another one is to be asked for whatever comes of it.
    case workingResumed
    /// The same, and no other is to be asked for.
    case workingPaused
    /// Nothing is outstanding.
    case paused
    /// The stream is over.
    case ended
  }

  @usableFromInline internal let atomicPhase = Atomic(Phase.unsubscribed)

  @inlinable
  internal init() {}

  /// Whether no value is asked for until somebody resumes.
  @inlinable
  internal var isPaused: Bool {
    switch atomicPhase.load(ordering: .acquiring) {
    case .unsubscribedPaused, .waitingPaused, .workingPaused, .paused: true
    case .unsubscribed, .waiting, .working, .workingResumed, .ended: false
    }
  }

  /// Moves on from whatever phase it is.
  ///
  /// - Parameter next: The phase that follows; `nil` where nothing is to change.
  /// - Returns: The phase it was, if it changed.
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

  /// The subscription is there.
  ///
  /// - Returns: Whether to ask for a value.
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

  /// A value has come.
  ///
  /// - Returns: Whether to work on it.
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

  /// The work on a value is done.
  ///
  /// - Parameter goesOn: Whether the work wants another one.
  /// - Returns: Whether to ask for one.
  @inlinable
  internal borrowing func end(goesOn: Bool) -> Bool {
    let before = move { phase in
      switch phase {
      case .working: goesOn ? .waiting : .paused
      case .workingResumed: .waiting
      case .workingPaused: .paused
      default: nil
      }
    }
    return before == .workingResumed || (before == .working && goesOn)
  }

  /// - Returns: Whether to ask for a value.
  @inlinable
  internal borrowing func resume() -> Bool {
    let before = move { phase in
      switch phase {
      case .unsubscribedPaused: .unsubscribed
      case .waitingPaused, .paused: .waiting
      case .working, .workingPaused: .workingResumed
      case .unsubscribed, .waiting, .workingResumed, .ended: nil
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
      case .unsubscribedPaused, .waitingPaused, .workingPaused, .paused, .ended: nil
      }
    }
  }

  @inlinable
  internal borrowing func close() {
    atomicPhase.store(.ended, ordering: .releasing)
  }
}
