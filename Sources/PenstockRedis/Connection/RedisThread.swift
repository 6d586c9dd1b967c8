// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Redis
  internal import CHiredis
  internal import PenstockConcurrency

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Darwin)
    internal import Darwin
  #else
    #error("PenstockRedis is made for Linux with Glibc and for macOS: build without the trait Redis.")
  #endif

  /// Runs a closure on a new thread, on which a peer that has gone away does not end the process.
  ///
  /// - Parameters:
  ///   - name: The name that debuggers and `top` show, cut to the length that the system takes.
  ///   - body: The closure.
  /// - Returns: Whether there is a thread; if not, the closure has not been called.
  internal func onThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    let context = Unmanaged.passRetained(
      ThreadBody {
        pthread_detach(pthread_self())
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
    var thread = ThreadHandle()
    let status = pthread_create(
      &thread, nil,
      { context in
        // The parameter is optional on one system and not on the other.
        let context: UnsafeMutableRawPointer? = context
        Unmanaged<ThreadBody>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    if status != 0 { context.release() }
    return status == 0
  }

  #if canImport(Darwin)
    private typealias ThreadHandle = Optional<pthread_t>
  #else
    private typealias ThreadHandle = pthread_t
  #endif

  /// A closure on its way to another thread.
  private final class ThreadBody {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
  }

  /// A pipe that wakes a thread that waits for a socket.
  internal struct WakingPipe: Sendable {
    /// The ends to read from and to write to; negative if the process has too many open files.
    private let ends: [Int32]

    internal init() {
      var pair: [Int32] = [-1, -1]
      _ = pipe(&pair)
      ends = pair
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    internal func wake() { _ = write(ends[1], "!", 1) }

    /// Waits until it is woken, something comes from the socket, or the time is over.
    ///
    /// - Returns: Whether something has come from the socket, or it is closed.
    internal func wait(socket: Int32 = -1, atMost limit: Duration = .seconds(60)) -> Bool {
      var polled = [ends[0], socket].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // Without a pipe, the thread has to check from time to time.
      _ = poll(&polled, 2, ends[0] < 0 ? 50 : Int32(clamping: limit.milliseconds + 1))
      var bytes: [UInt8] = Array(repeating: 0, count: 64)
      if polled[0].revents != 0 { _ = read(ends[0], &bytes, bytes.count) }
      return polled[1].revents != 0
    }

    internal func closeEnds() { for end in ends where end >= 0 { close(end) } }
  }

  /// Returns the milliseconds since 1970 by the clock of this machine.
  internal func unixMilliseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
  }

  extension Duration {
    internal var timeval: timeval {
      // hiredis rejects longer time limits, of many days.
      let milliseconds = min(milliseconds, 86_400_000)
      return .init(tv_sec: numericCast(milliseconds / 1_000), tv_usec: numericCast(milliseconds % 1_000 * 1_000))
    }
  }
#endif
