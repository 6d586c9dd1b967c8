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
#endif

/// A number that tells the calling thread from all others that are running, even and not zero.
///
/// Only ever compared with itself while that thread is still inside of a call, so it does not matter that systems give
/// the number to a new thread when the old one has ended.
///
/// It is a call, always. The C library declares `pthread_self` a function whose result never changes, which is true of
/// a thread and not of an `async` function: that one goes on with another thread behind an `await`, and a number that
/// was computed once for the whole function would be another thread's by then. So neither a client's code nor the
/// library's own may contain the call itself, and the optimiser must not look into this function to find out that it
/// reads nothing.
@_semantics("optimize.no.crossmodule") @_optimize(none) @inline(never)
@usableFromInline
package func currentThread() -> UInt {
  #if canImport(Darwin) || canImport(Musl)
    UInt(bitPattern: pthread_self())
  #elseif canImport(Glibc)
    pthread_self()
  #elseif canImport(Android)
    UInt(pthread_self())
  #elseif os(Windows)
    UInt(GetCurrentThreadId()) << 1
  #else
    2  // One thread is all there is.
  #endif
}
