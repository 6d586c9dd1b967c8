// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension SerialSubscription {
  /// Keeps the subscriber of a target that resides, for which the calls have been made, until the end of the stream.
  @inlinable @inline(__always)
  internal final func keep<Target: _FusionTarget>(_ target: __owned Target) {
    embed(target._makeResident(in: .passUnretained(self)))
    releasesDownstream = true
  }
}
