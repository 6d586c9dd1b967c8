// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import CHiredis

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Darwin)
    internal import Darwin
  #else
    #error("PenstockRedis needs threads and pipes of POSIX: build without the trait Redis.")
  #endif

  /// A closure on its way to another thread.
  private final class ThreadBody {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
  }

  /// Runs a closure on a new thread, where a peer that has gone away does not end the process.
  ///
  /// - Parameters:
  ///   - name: What debuggers and `top` show, cut to what the system takes.
  ///   - body: The closure.
  /// - Returns: Whether there is a thread; if not, the closure has not been called.
  internal func onThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    let unmanaged = Unmanaged.passRetained(
      ThreadBody {
        // hiredis writes without MSG_NOSIGNAL. A signal that is blocked here makes the write fail instead.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        #if canImport(Darwin)
          pthread_setname_np(name)
        #else
          pthread_setname_np(pthread_self(), String(name.prefix(15)))
        #endif
        body()
      })
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(
      &thread, nil,
      { pointer in
        // Optional on one system and not on the other.
        let pointer: UnsafeMutableRawPointer? = pointer
        Unmanaged<ThreadBody>.fromOpaque(pointer!).takeRetainedValue().run()
        return nil
      }, unmanaged.toOpaque())
    if status != 0 {
      unmanaged.release()
      return false
    }
    #if canImport(Darwin)
      pthread_detach(thread!)
    #else
      pthread_detach(thread)
    #endif
    return true
  }

  /// A pipe that wakes a thread which waits for a socket.
  internal struct WakingPipe: Sendable {
    private let ends: (read: Int32, write: Int32)?

    internal init() {
      var pair: [Int32] = [-1, -1]
      ends = pipe(&pair) == 0 ? (pair[0], pair[1]) : nil
      for end in pair where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    internal func wake() {
      if let ends { _ = write(ends.write, "!", 1) }
    }

    /// Waits until it is woken, something comes from the socket, or the time is over.
    ///
    /// - Returns: Whether something has come from the socket, or it is closed.
    internal func wait(socket: Int32 = -1, atMost limit: Duration? = nil) -> Bool {
      var polled = [pollfd(fd: ends?.read ?? -1, events: Int16(POLLIN), revents: 0)]
      polled.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
      // Without a pipe, because the process has too many files, it has to look from time to time.
      let limit = limit ?? (ends == nil ? .milliseconds(50) : nil)
      _ = poll(&polled, 2, limit.map { Int32(clamping: $0.milliseconds + 1) } ?? -1)
      var bytes: [UInt8] = Array(repeating: 0, count: 64)
      if polled[0].revents != 0, let ends { _ = read(ends.read, &bytes, bytes.count) }
      return polled[1].revents != 0
    }

    internal func close() {
      guard let ends else { return }
      for end in [ends.read, ends.write] { closeDescriptor(end) }
    }
  }

  // Under a name of its own, because a member named `close` hides the system's function.
  private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

  /// Milliseconds since 1970 by the clock of this machine.
  internal func unixMilliseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
  }

  extension Duration {
    internal var milliseconds: Int {
      let seconds = min(components.seconds, Int64.max / 2_000)
      return Int(seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
    }
  }
#endif
