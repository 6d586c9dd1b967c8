// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Dispatch
internal import Foundation

extension Date {
  /// The time to another date, and nothing at all to the same one, which an infinite date would not say by itself.
  internal func distanceOrZero(to other: Date) -> TimeInterval {
    self == other ? 0 : other.timeIntervalSince(self)
  }

  /// This date on the clock that Dispatch waits by when it waits for a date.
  internal var wallTime: DispatchWallTime {
    let seconds = timeIntervalSinceNow
    // Dispatch counts nanoseconds since 1970 in 62 bits, so sixty years from now are as far as it goes.
    guard seconds < 2_000_000_000 else { return .distantFuture }
    return .now() + max(seconds, 0)
  }
}
