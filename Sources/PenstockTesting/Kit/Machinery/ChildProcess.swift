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
    /// Whether checks run in processes of their own.
    ///
    /// A debugger stops in the process itself only: set `PENSTOCK_VERIFY_IN_PROCESS` for it. And a copy makes no copies.
    static var isAvailable: Bool { mayCopy && !isCopy }

    private static let mayCopy = getenv("PENSTOCK_VERIFY_IN_PROCESS") == nil && !ThreadSanitizer.isPresent

    /// Whether this process is a copy; set in it while it has one thread.
    nonisolated(unsafe) private(set) static var isCopy = false

    /// Whether a call that does not come back ends this copy, so that another one looks again.
    nonisolated(unsafe) private static var endsOnHang = false

    /// Where this copy writes its results.
    nonisolated(unsafe) private static var results: Int32 = -1

    /// A sign of life among the results.
    private static let life: UInt8 = 0x1D

    /// The status with which a copy ends for that reason.
    private static let hangStatus: Int32 = 77

    /// Held while a process begins: one that began in between would keep this one's pipes open as long as it runs, and so
    /// the end of this one could not be told from a hang.
    private static let beginnings = Locked(NoState())

    /// A process that has begun, with the pipes from it.
    private struct Child {
      let process: Int32
      let results: Int32
      let errors: Int32

      /// Waits for its end.
      ///
      /// - Returns: The signal that has stopped it, or 0, whether it has ended for a call that did not come back, and the
      ///   first line of what it has written.
      func end() -> (signal: Int32, hasHung: Bool, message: String) {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let message = ChildProcess.read(errors).text
        close(results)
        close(errors)
        let signal = status & 0x7F
        return (signal, signal == 0 && (status >> 8) & 0xFF == hangStatus, firstLine(message))
      }
    }

    /// Begins a process that does something, and ends.
    ///
    /// - Parameters:
    ///   - isLastTry: Whether a call that does not come back in it counts.
    ///   - body: What it does; gets the file for its results.
    /// - Returns: `nil` if the system has no more processes or files.
    private static func begin(isLastTry: Bool, _ body: (_ results: Int32) -> Void) -> Child? {
      var (results, errors): ([Int32], [Int32]) = ([0, 0], [0, 0])
      let child = beginnings.with { _ -> Int32 in
        guard pipe(&results) == 0, pipe(&errors) == 0 else { return -1 }
        let child = fork()
        guard child > 0 else { return child }
        close(results[1])
        close(errors[1])
        return child
      }
      guard child >= 0 else { return nil }
      if child == 0 {
        isCopy = true
        endsOnHang = !isLastTry
        Self.results = results[1]
        // No handler of the parent's, which may write a long report: the parent makes its own of the signal.
        for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGALRM] { signal(number, SIG_DFL) }
        dup2(errors[1], 2)
        // A thread of a pool, which may have made the copy, gets no signals.
        var alarms = sigset_t()
        sigemptyset(&alarms)
        sigaddset(&alarms, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
        limitTime()
        body(results[1])
        _exit(0)
      }
      return Child(process: child, results: results[0], errors: errors[0])
    }

    /// Should the parent be gone before it can end a child that hangs.
    private static func limitTime() { alarm(UInt32(4 * Patience.check / 1000)) }

    /// A call has not come back.
    ///
    /// A copy of a process with several threads may find a lock of the system's taken, which nobody gives back: so one hang
    /// tells nothing, and the copy ends unless it is the last try.
    static func noteHang() {
      if isCopy, endsOnHang { _exit(hangStatus) }
    }

    /// Whether a copy has stopped because it is one.
    ///
    /// Where another thread held a `Mutex` as the process was copied, the system finds no such thread in the copy.
    static func isOfCopying(_ message: String) -> Bool { message.contains("attempting to acquire a Mutex") }

    /// A long check has come a step further: on a busy machine it may take longer than one that does not hang.
    static func noteProgress() {
      guard isCopy else { return }
      var byte = life
      _ = withUnsafeBytes(of: &byte) { systemWrite(results, $0) }
      limitTime()
    }

    /// Runs a closure in a copy.
    ///
    /// - Parameter isLastTry: Whether a call that does not come back is for the closure to judge; otherwise it is a hang.
    static func run(isLastTry: Bool, _ body: () -> String) -> End {
      guard let child = begin(isLastTry: isLastTry, { write(body(), to: $0) }) else { return .unavailable }
      let (text, hasEnded) = read(child.results)
      if !hasEnded { kill(child.process, SIGKILL) }
      let (signal, hasHung, message) = child.end()
      if !hasEnded || hasHung { return .hung }
      return signal == 0 ? .finished(text) : .stopped(signal: signal, message: message)
    }

    /// Runs one closure after the other in one process, as far as they come.
    ///
    /// To copy a process costs milliseconds, and most checks less than one.
    ///
    /// - Returns: The results, up to the closure that has stopped the process or hung, and whether it has hung.
    static func run(_ count: Int, _ body: (Int) -> String) -> (texts: [String], hasHung: Bool) {
      let child = begin(isLastTry: false) { file in
        for number in 0..<count {
          limitTime()
          write(body(number) + "\u{1E}", to: file)
        }
      }
      guard let child else { return ([], false) }
      let (text, hasEnded) = read(child.results)
      if !hasEnded { kill(child.process, SIGKILL) }
      let hasHung = child.end().hasHung
      let texts = text.split(separator: "\u{1E}", omittingEmptySubsequences: false).dropLast().map(String.init)
      return (texts, !hasEnded || hasHung)
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

    /// All that is written to a pipe but the signs of life, and whether its writer comes to an end.
    private static func read(_ file: Int32) -> (text: String, hasEnded: Bool) {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        let ready = poll(&entry, 1, Int32(Patience.check))
        if ready == 0 { return (String(decoding: bytes, as: UTF8.self), false) }
        if ready < 0 { continue }
        let count = systemRead(file, &buffer)
        guard count > 0 else { return (String(decoding: bytes, as: UTF8.self), true) }
        bytes += buffer[..<count].lazy.filter { $0 != life }
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
    static let isCopy = false

    static func noteHang() {}

    static func noteProgress() {}

    static func isOfCopying(_ message: String) -> Bool { false }

    static func run(isLastTry: Bool, _ body: () -> String) -> End { .unavailable }

    static func run(_ count: Int, _ body: (Int) -> String) -> (texts: [String], hasHung: Bool) { ([], false) }
  #endif
}
