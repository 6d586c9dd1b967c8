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
#elseif os(Windows)
  internal import WinSDK
#elseif os(WASI) && _runtime(_multithreaded)
  internal import WASILibc
  internal import wasi_pthread
#endif

/// A number that identifies the calling thread among all running threads; even, and never zero.
///
/// The library compares it only while a call on that thread is still running, so systems may reuse the number after the
/// thread has ended.
///
/// The call must never be inlined or folded. The C library declares `pthread_self` a function whose result never
/// changes. That holds for a thread, but not for an `async` function, which may resume on another thread after an
/// `await`: a number computed once for the whole function would then belong to the wrong thread. So neither client code
/// nor inlined code of the library may contain the call to `pthread_self`, and the optimiser must not look into this
/// function and conclude that it reads nothing.
@_semantics("optimize.no.crossmodule") @_optimize(none) @inline(never)
@usableFromInline
package func currentThread() -> UInt {
  #if PENSTOCK_EXPLORER
    if let thread = interleavingScheduler?.thread { return thread }
  #endif
  #if canImport(Glibc)
    return pthread_self()
  #elseif canImport(Darwin) || canImport(Musl) || canImport(Android)
    // A pointer, or on Android a signed number, which is negative in the upper half of the addresses.
    return UInt(bitPattern: pthread_self())
  #elseif os(Windows)
    return UInt(GetCurrentThreadId()) << 1
  #elseif os(WASI) && _runtime(_multithreaded)
    return UInt(bitPattern: pthread_self())
  #elseif os(WASI)
    return 2  // WebAssembly without threads has one.
  #else
    // A guess would make two threads one, and a lock-free section open to both.
    #error("The identity of a thread on this system is missing: add it here.")
  #endif
}
