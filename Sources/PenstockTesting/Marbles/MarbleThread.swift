// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The thread that a diagram runs on.
///
/// Nothing of a diagram is locked: a call on another thread is ignored, and noted here.
internal final class MarbleThread: Sendable {
  private let thread = currentThread()
  private let strangers = Guarded<[String]>([])

  /// Whether a lane is used on this thread; notes it otherwise.
  func isHere(_ lane: String) -> Bool {
    if currentThread() == thread { return true }
    strangers.withLock { $0.append(lane) }
    return false
  }

  /// The lane that was first used on another thread.
  var firstStranger: String? { strangers.withLock(\.first) }
}
