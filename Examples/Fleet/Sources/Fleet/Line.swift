// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// The lines that a process writes for the process that has started it.
enum Line {
  /// Writes a line, at once and whole: a pipe takes that much without mixing it with the lines of other threads.
  static func write(_ report: Report) {
    let bytes = Array((report.line.replacing("\n", with: " ") + "\n").utf8.prefix(4_000))
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(1, $0.baseAddress, $0.count) }
      // Nothing reads the pipe any more.
      if count < 0, errno != EINTR { exit(1) }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
