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

/// Stops in the debugger, as a breakpoint would.
///
/// Without a debugger the process ends.
@usableFromInline
@inline(never)
package func stopInDebugger() {
  #if os(Windows)
    DebugBreak()
  #elseif canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    raise(SIGTRAP)
  #else
    trap(.unavailable(what: "A breakpoint", instead: "This system has no debugger to stop in: remove it."))
  #endif
}
