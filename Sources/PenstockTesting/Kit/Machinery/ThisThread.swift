// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Android)
  private import Android
#elseif canImport(Darwin)
  private import Darwin
#elseif os(Windows)
  private import WinSDK
#endif

/// A number that identifies the calling thread among those that are running.
///
/// Never inlined or folded: an `async` caller may be on another thread after each `await`.
@_optimize(none) @inline(never)
func thisThread() -> UInt {
  #if canImport(Darwin) || canImport(Musl)
    return UInt(bitPattern: pthread_self())
  #elseif os(Windows)
    return UInt(GetCurrentThreadId())
  #elseif canImport(Glibc) || canImport(Android)
    return UInt(pthread_self())
  #else
    return 1  // This platform has a single thread.
  #endif
}

/// Lets another thread have the processor.
func yieldProcessor() {
  #if os(Windows)
    SwitchToThread()
  #elseif !os(WASI)
    sched_yield()
  #endif
}
