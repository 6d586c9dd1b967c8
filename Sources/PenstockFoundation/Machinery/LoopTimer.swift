// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Foundation
internal import PenstockCore

/// A timer on a run loop that can be stopped from any thread, once and for all.
///
/// Foundation's timer says neither: one that is invalidated from another thread may be about to fire. Nor does it let go
/// of its closure on every system. So the closure of Foundation's has only a reference to the work, which can be taken
/// back.
internal final class LoopTimer: Cancellable {
  private let work: ScheduledWork
  private let timer: Timer

  /// Starts a timer.
  ///
  /// - Parameters:
  ///   - date: The date of the first run.
  ///   - interval: The time between two runs; `nil` for a single one.
  ///   - tolerance: How much later is still fine.
  ///   - runLoop: Where it runs.
  ///   - mode: The mode in which it runs.
  ///   - action: The work.
  internal init(
    at date: Date, every interval: TimeInterval?, tolerance: TimeInterval?, on runLoop: RunLoop, in mode: RunLoop.Mode,
    _ action: @escaping () -> Void
  ) {
    let work = ScheduledWork(action)
    self.work = work
    timer = Timer(fire: date, interval: interval ?? 0, repeats: interval != nil) { _ in
      if interval == nil { work.runOnce() } else { work.run() }
    }
    if let tolerance, tolerance > 0 { timer.tolerance = tolerance }
    runLoop.add(timer, forMode: mode)
  }

  internal func cancel() {
    stop()
  }

  /// Stops the timer.
  ///
  /// - Returns: Whether it was going until now.
  @discardableResult
  internal func stop() -> Bool {
    guard work.revoke() else { return false }
    timer.invalidate()
    return true
  }
}
