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
@usableFromInline
package func currentThread() -> UInt {
  #if canImport(Darwin) || canImport(Musl)
    UInt(bitPattern: pthread_self())
  #elseif canImport(Glibc) || canImport(Android)
    UInt(pthread_self())
  #elseif os(Windows)
    UInt(GetCurrentThreadId()) << 1
  #else
    2  // One thread is all there is.
  #endif
}
