// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Foundation
internal import PenstockCore

/// A timer on a run loop that any thread can stop; once stopped, it never fires.
///
/// Foundation's timer guarantees neither: if another thread invalidates it, it may be about to fire, and not every
/// system then releases its closure. So the closure of Foundation's timer only references the work, which can be
/// cancelled.
internal final class LoopTimer: Cancellable {
  private let work: ScheduledWork
  private let timer: Timer

  /// Makes a timer that is not on a run loop yet.
  ///
  /// - Parameters:
  ///   - date: The date of the first run.
  ///   - interval: The time between two runs; `nil` for a single run.
  ///   - tolerance: The permitted delay.
  ///   - action: The work.
  internal init(
    at date: Date, every interval: TimeInterval?, tolerance: TimeInterval?, _ action: @escaping () -> Void
  ) {
    let work = ScheduledWork(action)
    self.work = work
    // With Foundation on Linux, a run loop that sleeps on another thread misses a date that has passed when it gets the
    // timer.
    let first = interval == nil ? date : max(date, Date(timeIntervalSinceNow: 0.001))
    timer = Timer(fire: first, interval: interval ?? 0, repeats: interval != nil) { _ in
      if interval == nil { work.runOnce() } else { work.run() }
    }
    if let tolerance, tolerance > 0 { timer.tolerance = tolerance }
  }

  /// Starts the timer: it may fire on another thread before this returns.
  internal func start(on runLoop: RunLoop, in mode: RunLoop.Mode) { runLoop.add(timer, forMode: mode) }

  internal func cancel() {
    stop()
  }

  /// Stops the timer.
  ///
  /// - Returns: Whether it was running until now.
  @discardableResult
  internal func stop() -> Bool {
    guard work.cancel() else { return false }
    timer.invalidate()
    return true
  }
}
