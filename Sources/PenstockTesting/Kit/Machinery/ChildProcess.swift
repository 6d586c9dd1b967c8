// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  // Any other system: a process that runs Swift code cannot be copied, or nobody has tried.
#endif

/// Runs a closure in a copy of the process, so that a crash or a hang is seen from outside.
///
/// Only where the system can copy a process that runs Swift code: elsewhere, and under the thread sanitizer, checks run in
/// the process itself.
enum ChildProcess {
  enum End {
    case finished(String)
    case stopped(signal: Int32, message: String)
    case hung
    case unavailable
  }

  #if canImport(Glibc) || canImport(Musl)
    /// A debugger stops in the process itself only: set `PENSTOCK_VERIFY_IN_PROCESS` for it.
    static let isAvailable = getenv("PENSTOCK_VERIFY_IN_PROCESS") == nil && !ThreadSanitizer.isPresent

    /// Held while a process begins: one that began in between would keep this one's pipes open as long as it runs, and so
    /// the end of this one could not be told from a hang.
    private static let beginnings = Locked(())

    static func run(_ body: () -> String) -> End {
      var (results, errors): ([Int32], [Int32]) = ([0, 0], [0, 0])
      let child = beginnings.with { _ -> Int32 in
        guard pipe(&results) == 0, pipe(&errors) == 0 else { return -1 }
        let child = fork()
        guard child > 0 else { return child }
        close(results[1])
        close(errors[1])
        return child
      }
      guard child >= 0 else { return .unavailable }
      if child == 0 {
        // No handler of the parent's, which may write a long report: the parent makes its own of the signal.
        for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGALRM] { signal(number, SIG_DFL) }
        // Should the parent be gone before it can end a child that hangs.
        alarm(UInt32(4 * Patience.check / 1000))
        dup2(errors[1], 2)
        write(body(), to: results[1])
        _exit(0)
      }
      let text = read(results[0])
      if text == nil { kill(child, SIGKILL) }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      let message = read(errors[0]) ?? ""
      close(results[0])
      close(errors[0])
      guard let text else { return .hung }
      let number = status & 0x7F
      return number == 0 ? .finished(text) : .stopped(signal: number, message: firstLine(message))
    }

    private static func write(_ text: String, to file: Int32) {
      var text = text
      text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)[...]
        while !rest.isEmpty {
          let count = systemWrite(file, UnsafeRawBufferPointer(rebasing: rest))
          guard count > 0 else { return }
          rest = rest.dropFirst(count)
        }
      }
    }

    private static func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
      #if canImport(Glibc)
        Glibc.write(file, bytes.baseAddress, bytes.count)
      #else
        // Any other system that copies a process: Musl.
        Musl.write(file, bytes.baseAddress, bytes.count)
      #endif
    }

    /// All that is written to a pipe; `nil` if its writer does not come to an end.
    private static func read(_ file: Int32) -> String? {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        let ready = poll(&entry, 1, Int32(Patience.check))
        if ready == 0 { return nil }
        if ready < 0 { continue }
        let count = systemRead(file, &buffer)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
      }
    }

    private static func systemRead(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
      #if canImport(Glibc)
        Glibc.read(file, &buffer, buffer.count)
      #else
        // Any other system that copies a process: Musl.
        Musl.read(file, &buffer, buffer.count)
      #endif
    }

    private static func firstLine(_ message: String) -> String {
      let line = message.split(separator: "\n").first.map(String.init) ?? "without a message"
      return String(line.prefix(300))
    }
  #else
    // Any other system: checks run in the process itself.
    static let isAvailable = false

    static func run(_ body: () -> String) -> End { .unavailable }
  #endif
}
