// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Returns a time that never goes back, in nanoseconds, with the resolution of the system's ticks: some milliseconds.
///
/// It costs a tenth of an exact time: for Linux, `man 2 clock_gettime`.
package func coarseTime() -> UInt {
  #if canImport(Glibc) || canImport(Musl) || canImport(Android)
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return UInt(time.tv_sec) * 1_000_000_000 + UInt(time.tv_nsec)
  #elseif canImport(Darwin)
    return UInt(clock_gettime_nsec_np(CLOCK_UPTIME_RAW_APPROX))
  #else
    // Any other system: the clock of the standard library, which is exact.
    let components = processStart.duration(to: .now).components
    return UInt(components.seconds) * 1_000_000_000 + UInt(components.attoseconds / 1_000_000_000)
  #endif
}

#if !(canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Darwin))
  private let processStart = ContinuousClock.now
#endif
