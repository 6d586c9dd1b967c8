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

/// Stops in the debugger, like a breakpoint.
///
/// Without a debugger the process ends.
@usableFromInline
@inline(never)
package func stopInDebugger() {
  #if os(Windows)
    DebugBreak()
  #elseif canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    // The Swift runtime may handle the signal by printing a backtrace. It then restores the default action and returns,
    // expecting the trapping instruction to trap again. A raised signal does not recur, so it is raised a second time
    // if the action has changed. A debugger takes the signal before the handler, and leaves the action as it was.
    var (before, after) = (sigaction(), sigaction())
    sigaction(SIGTRAP, nil, &before)
    raise(SIGTRAP)
    sigaction(SIGTRAP, nil, &after)
    let isSame = withUnsafeBytes(of: &before) { before in withUnsafeBytes(of: &after) { before.elementsEqual($0) } }
    if !isSame { raise(SIGTRAP) }
  #else
    // Any other system: WebAssembly has neither signals nor a debugger that could take one.
    trap(.unavailable(what: "A breakpoint", instead: "This system has no debugger to stop in: remove it."))
  #endif
}
