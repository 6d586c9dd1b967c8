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
/// This works only where the system can copy a process that runs Swift code: elsewhere, and under the thread sanitizer,
/// checks run in the process itself.
enum ChildProcess {
  enum End {
    case finished(String)
    /// Stopped in a call of the check's, by a trap, a signal or an exit.
    case stopped(how: String, message: String, call: String)
    case hung(call: String)
    case unavailable
  }

  /// The results of closures that ran one after the other, and whether the next one has not returned.
  struct Several {
    var texts: [String] = []
    var hasHung = false
  }

  #if canImport(Glibc) || canImport(Musl)
    /// Whether checks run in processes of their own.
    ///
    /// A debugger stops only in the process itself: set `PENSTOCK_VERIFY_IN_PROCESS` for it. A copy makes no copies.
    static var isAvailable: Bool { mayCopy && !isCopy }

    private static let mayCopy = getenv("PENSTOCK_VERIFY_IN_PROCESS") == nil && !ThreadSanitizer.isPresent

    /// Whether this process is a copy; set in it while it has one thread.
    nonisolated(unsafe) private(set) static var isCopy = false

    /// Whether a call that does not return ends this copy, so that another copy tries again.
    nonisolated(unsafe) private static var endsOnHang = false

    /// Where this copy writes its results.
    nonisolated(unsafe) private static var results: Int32 = -1

    /// A sign of life among the results.
    private static let life: UInt8 = 0x1D

    /// The status with which a copy ends because a call has not returned.
    private static let hangStatus: Int32 = 77

    /// Held while a process begins: a process that began in between would keep the pipes of this one open as long as it
    /// runs, and the end of this one could not be distinguished from a hang.
    private static let beginnings = Locked(NoState())

    /// The call that is under way in this copy, in memory that its parent reads: the address of a literal, which is the same
    /// in both.
    nonisolated(unsafe) private static var callUnderWay: UnsafeMutablePointer<UInt>?

    private static func makeCallUnderWay() -> UnsafeMutablePointer<UInt>? {
      let size = MemoryLayout<UInt>.size
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
      guard let memory, memory != MAP_FAILED else { return nil }
      return memory.bindMemory(to: UInt.self, capacity: 1)
    }

    /// Lets the parent know, if this copy is stopped, in which call of the check it was.
    static func underWay(_ call: StaticString, _ body: () -> Void) {
      guard isCopy, let place = callUnderWay else { return body() }
      let before = place.pointee
      place.pointee = UInt(bitPattern: call.utf8Start)
      body()
      place.pointee = before
    }

    /// A process that has begun, with the pipes from it.
    private struct Child {
      let process: Int32
      let results: Int32
      let errors: Int32
      let callUnderWay: UnsafeMutablePointer<UInt>?

      /// Waits for its end.
      ///
      /// - Returns: How it was stopped, `nil` if it was not; whether it has ended because a call did not return; the
      ///   first line that it has written; and the call that was under way.
      func end() -> (how: String?, hasHung: Bool, message: String, call: String) {
        var status: Int32 = 0
        var found = waitpid(process, &status, 0)
        while found < 0, errno == EINTR { found = waitpid(process, &status, 0) }
        let message = ChildProcess.read(errors).text
        close(results)
        close(errors)
        let address = callUnderWay?.pointee ?? 0
        let call = UnsafePointer<CChar>(bitPattern: address).map { String(cString: $0) } ?? ""
        if let callUnderWay { munmap(callUnderWay, MemoryLayout<UInt>.size) }
        // If signals of children are ignored, nobody knows how a child has ended.
        let how =
          found < 0
          ? "how is not known, since the process ignores SIGCHLD"
          : status & 0x7F != 0 ? "signal \(status & 0x7F)" : "exit \((status >> 8) & 0xFF)"
        let isWell = found >= 0 && status == 0
        return (isWell ? nil : how, found >= 0 && status == hangStatus << 8, firstLine(message), call)
      }
    }

    /// Begins a process that does something, and ends.
    ///
    /// - Parameters:
    ///   - isLastTry: Whether a call that does not return in it counts.
    ///   - body: What it does; gets the file for its results.
    /// - Returns: `nil` if the system has no more processes or files.
    private static func begin(isLastTry: Bool, _ body: (_ results: Int32) -> Void) -> Child? {
      var (results, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
      let call = makeCallUnderWay()
      let child = beginnings.with { _ -> Int32 in
        guard pipe(&results) == 0, pipe(&errors) == 0 else { return -1 }
        let child = fork()
        guard child > 0 else { return child }
        close(results[1])
        close(errors[1])
        return child
      }
      guard child >= 0 else {
        for file in results + errors where file >= 0 { close(file) }
        if let call { munmap(call, MemoryLayout<UInt>.size) }
        return nil
      }
      if child == 0 {
        isCopy = true
        callUnderWay = call
        endsOnHang = !isLastTry
        Self.results = results[1]
        // No handler of the parent's, which may write a long report: the parent makes its own report of the signal.
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
      return Child(process: child, results: results[0], errors: errors[0], callUnderWay: call)
    }

    /// Should the parent be gone before it can end a child that hangs.
    private static func limitTime() { alarm(UInt32(4 * Patience.check / 1000)) }

    /// Notes that a call has not returned.
    ///
    /// A copy of a process with several threads may find a lock of the system taken, which nobody releases: so one hang
    /// says nothing, and the copy ends unless it is the last try.
    static func noteHang() {
      if isCopy, endsOnHang { _exit(hangStatus) }
    }

    /// Whether a copy has stopped only because it is a copy.
    ///
    /// If another thread held a `Mutex` when the process was copied, the system does not find that thread in the copy.
    static func isOfCopying(_ message: String) -> Bool { message.contains("attempting to acquire a Mutex") }

    /// Notes that a long check has come a step further: on a busy machine it may take longer than one that does not
    /// hang.
    static func noteProgress() {
      guard isCopy else { return }
      var byte = life
      _ = withUnsafeBytes(of: &byte) { systemWrite(results, $0) }
      limitTime()
    }

    /// The end of a result: a result without it comes from a process that has ended in between.
    private static let mark = "\u{1E}"

    /// Runs a closure in a copy.
    ///
    /// - Parameter isLastTry: Whether the closure judges a call that does not return; otherwise it is a hang.
    static func run(isLastTry: Bool, _ body: () -> String) -> End {
      guard let child = begin(isLastTry: isLastTry, { write(body() + mark, to: $0) }) else { return .unavailable }
      let (text, hasEnded) = read(child.results)
      if !hasEnded { kill(child.process, SIGKILL) }
      let (how, hasHung, message, call) = child.end()
      if !hasEnded || hasHung { return .hung(call: call) }
      if text.hasSuffix(mark) { return .finished(String(text.dropLast())) }
      return .stopped(how: how ?? "exit 0", message: message, call: call)
    }

    /// Runs one closure after the other in one process, as far as they come.
    ///
    /// To copy a process costs milliseconds, and most checks less than one.
    static func run(_ count: Int, _ body: (Int) -> String) -> Several {
      let child = begin(isLastTry: false) { file in
        for number in 0..<count {
          limitTime()
          write(body(number) + mark, to: file)
        }
      }
      guard let child else { return Several() }
      let (text, hasEnded) = read(child.results)
      if !hasEnded { kill(child.process, SIGKILL) }
      let hasHung = child.end().hasHung
      let texts = text.split(separator: mark, omittingEmptySubsequences: false).dropLast().map(String.init)
      return Several(texts: texts, hasHung: texts.count < count && (!hasEnded || hasHung))
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

    /// Everything that is written to a pipe except the signs of life, and whether its writer comes to an end.
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

    static func run(_ count: Int, _ body: (Int) -> String) -> Several { Several() }

    static func underWay(_ call: StaticString, _ body: () -> Void) { body() }
  #endif
}
