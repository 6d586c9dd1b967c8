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
  private import ucrt
#endif

/// Writes a line to the standard error stream.
func writeError(_ text: String) {
  #if !os(WASI)
    var line = text + "\n"
    line.withUTF8 { bytes in
      #if os(Windows)
        _ = _write(2, bytes.baseAddress, UInt32(bytes.count))
      #else
        _ = write(2, bytes.baseAddress, bytes.count)
      #endif
    }
  #endif
}

/// Makes the process end with a failure, without stopping it now: any test runner then reports the run as failed, and
/// the other tests still run.
func failAtExit() { _ = exitHook }

private let exitHook: Void = {
  #if !os(WASI)
    atexit {
      fflush(nil)
      _exit(1)
    }
  #endif
}()
