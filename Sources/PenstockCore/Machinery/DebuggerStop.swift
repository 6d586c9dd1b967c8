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
    // The Swift runtime may print a backtrace of a crash. It then puts the default action back and returns, since an
    // instruction that traps would trap once more. A signal that was raised does not come again by itself. A debugger
    // takes the signal before any of this, and leaves the action as it was.
    var (before, after) = (sigaction(), sigaction())
    sigaction(SIGTRAP, nil, &before)
    raise(SIGTRAP)
    sigaction(SIGTRAP, nil, &after)
    let isSame = withUnsafeBytes(of: &before) { before in withUnsafeBytes(of: &after) { before.elementsEqual($0) } }
    if !isSame { raise(SIGTRAP) }
  #else
    trap(.unavailable(what: "A breakpoint", instead: "This system has no debugger to stop in: remove it."))
  #endif
}
