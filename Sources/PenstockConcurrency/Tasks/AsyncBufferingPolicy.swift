// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What happens to the values of a publisher that arrive between two turns of a loop over them.
///
/// A value for which a call of `next()` waits is always given to that call.
public enum AsyncBufferingPolicy: Hashable, Sendable {
  /// Requests unlimited values, and keeps all of them.
  ///
  /// Memory is the only limit, so this suits a loop that keeps up on average.
  case unbounded

  /// Requests unlimited values, keeps up to a number of them, and drops values that arrive while that many wait.
  case oldest(Int)

  /// Requests unlimited values, keeps up to a number of them, and drops the one that has waited longest when another
  /// arrives.
  case newest(Int)

  /// Requests a number of values, and more only as they are taken, so that upstream waits and nothing is dropped.
  ///
  /// The number is 1 or more. When half of it has been taken, as many are requested again. Upstream has to honour
  /// demand; a subject does so by dropping values.
  case suspending(Int)

  /// Requests unlimited values, and keeps the latest: `newest(1)`.
  @inlinable
  public static var latest: Self { .newest(1) }
}
