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
  private import WinSDK
#elseif os(WASI) && _runtime(_multithreaded)
  private import WASILibc
  private import wasi_pthread
#endif

/// How long the kit waits for a call that should return at once, before it takes it for one that never does.
enum Patience {
  /// For one call of the subject's, which has nothing to wait for: long enough for a machine that is busy with other things.
  static let call = 5_000
  /// For what was asked of a subject that delivers on threads of its own.
  static let answer = 1_000
  /// For all of a check.
  static let check = 8_000
  /// For all of a check that runs in the process of the tests.
  static let checkInProcess = 80_000
  /// For a second thread that a subject may have, to come while the first is held.
  static let overlap = 20
  /// For a call that may wait for the callback that looks at it: only where a subject blocks its senders.
  static let glance = 50
}

/// Whether there is more than one thread on this system.
let hasThreads: Bool = {
  #if os(WASI) && !_runtime(_multithreaded)
    false
  #else
    // Any other system has threads.
    true
  #endif
}()

/// Runs a closure on a thread of its own; on the calling one where there are no others.
///
/// What it sees and reaches stands in the log of the check that runs on the calling thread.
///
/// - Returns: A latch that opens when the closure has returned; `nil` if the system makes no thread, which leaves that check
///   inconclusive.
func onThread(stackSize: Int = 1 << 20, _ body: @escaping () -> Void) -> Latch? {
  let (done, log) = (Latch(), CheckLog.current)
  let work = ThreadWork {
    log?.adoptThread()
    CheckLog.$current.withValue(log) { body() }
    done.open()
  }
  let pointer = Unmanaged.passRetained(work).toOpaque()
  #if os(Windows)
    let handle = CreateThread(
      nil, SIZE_T(stackSize),
      { pointer in
        Unmanaged<ThreadWork>.fromOpaque(pointer!).takeRetainedValue().run()
        return 0
      }, pointer, 0, nil)
    CloseHandle(handle)
  #elseif os(WASI) && !_runtime(_multithreaded)
    Unmanaged<ThreadWork>.fromOpaque(pointer).takeRetainedValue().run()
  #else
    // Any other system: POSIX threads.
    // Allocated, not initialised: the C library's types are numbers with one system, and pointers with another.
    let status = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
      pthread_attr_init(attributes.baseAddress!)
      defer { pthread_attr_destroy(attributes.baseAddress!) }
      pthread_attr_setdetachstate(attributes.baseAddress!, Int32(PTHREAD_CREATE_DETACHED))
      pthread_attr_setstacksize(attributes.baseAddress!, stackSize)
      #if canImport(Darwin)
        var thread: pthread_t?
        return pthread_create(
          &thread, attributes.baseAddress!,
          { pointer in
            Unmanaged<ThreadWork>.fromOpaque(pointer).takeRetainedValue().run()
            return nil
          }, pointer)
      #else
        return withUnsafeTemporaryAllocation(of: pthread_t.self, capacity: 1) { thread in
          pthread_create(
            thread.baseAddress!, attributes.baseAddress!,
            { pointer in
              Unmanaged<ThreadWork>.fromOpaque(pointer!).takeRetainedValue().run()
              return nil
            }, pointer)
        }
      #endif
    }
    if status != 0 {
      Unmanaged<ThreadWork>.fromOpaque(pointer).release()
      log?.obstruct(noThread)
      return nil
    }
  #endif
  return done
}

/// Why a check that needs a thread cannot be run.
let noThread = "the system has made no thread for it: run fewer verifications at a time"

/// Runs a call of a subject's on a thread of its own, and waits for it.
///
/// - Returns: Whether it has come back.
func comesBack(_ call: @escaping () -> Void) -> Bool {
  // Without a thread nothing was called, and nothing can be said.
  let isBack = onThread(call)?.wait(milliseconds: Patience.call) ?? true
  if !isBack { ChildProcess.noteHang() }
  return isBack
}

/// A closure on its way to another thread; emptied before the thread reports that it is done.
private final class ThreadWork {
  private var body: (() -> Void)?

  init(_ body: @escaping () -> Void) { self.body = body }

  func run() { body.take()?() }
}
