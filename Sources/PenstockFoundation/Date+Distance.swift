// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Dispatch
internal import Foundation

extension Date {
  /// Returns the time to another date; zero for the same date, even an infinite one, for which subtraction gives no
  /// number.
  internal func distanceOrZero(to other: Date) -> TimeInterval {
    self == other ? 0 : other.timeIntervalSince(self)
  }

  /// This date on Dispatch's clock, which is never set.
  ///
  /// An action that waits for it runs on time even if the wall clock is set back, as with the timer of a run loop. A
  /// date that is NaN has passed.
  internal var dispatchTime: DispatchTime {
    let seconds = timeIntervalSinceNow
    // Dispatch counts nanoseconds in 62 bits, so it reaches no further than about sixty years from now.
    if seconds >= 2_000_000_000 { return .distantFuture }
    return .now() + (seconds > 0 ? seconds : 0)
  }
}
