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
#elseif os(WASI) && _runtime(_multithreaded)
  private import WASILibc
  private import wasi_pthread
#endif

/// A number that identifies the calling thread among those that are running.
///
/// Never inlined or folded: an `async` caller may be on another thread after each `await`.
@_optimize(none) @inline(never)
func thisThread() -> UInt {
  #if canImport(Darwin) || canImport(Musl) || canImport(Android)
    // A pointer, or on Android a signed number, which is negative in the upper half of the addresses.
    return UInt(bitPattern: pthread_self())
  #elseif os(Windows)
    return UInt(GetCurrentThreadId())
  #elseif canImport(Glibc)
    return UInt(pthread_self())
  #elseif os(WASI) && _runtime(_multithreaded)
    return UInt(bitPattern: pthread_self())
  #elseif os(WASI)
    return 1  // WebAssembly without threads has one.
  #else
    #error("The identity of a thread on this system is missing: add it here.")
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
