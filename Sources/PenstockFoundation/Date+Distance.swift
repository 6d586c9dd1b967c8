// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Dispatch
internal import Foundation

extension Date {
  /// The time to another date; zero for the same date, also for an infinite one, where subtraction would not give a
  /// number.
  internal func distanceOrZero(to other: Date) -> TimeInterval {
    self == other ? 0 : other.timeIntervalSince(self)
  }

  /// This date on Dispatch's clock that is never set.
  ///
  /// What waits for it comes in time though the wall clock is set back, as by the timer of a run loop. A date that is no number
  /// has come.
  internal var dispatchTime: DispatchTime {
    let seconds = timeIntervalSinceNow
    // Dispatch counts nanoseconds in 62 bits, so it reaches no further than about sixty years from now.
    if seconds >= 2_000_000_000 { return .distantFuture }
    return .now() + (seconds > 0 ? seconds : 0)
  }
}
