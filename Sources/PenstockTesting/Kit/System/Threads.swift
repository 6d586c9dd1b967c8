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

/// An owner that is told about the threads that are made under it, and about those that could not be made.
protocol ThreadOwner: AnyObject, Sendable {
  /// Notes that the calling thread is one of its own.
  func adoptThread()
  /// Notes why something could not be done.
  func obstruct(_ text: String)
}

/// The threads of the kit.
enum Threads {
  /// The owner of the calling thread, and of each thread that it makes; `nil` outside of checks.
  @TaskLocal static var owner: (any ThreadOwner)?
}

/// Runs a closure on a thread of its own; on the calling one if there are no others.
///
/// It belongs to the owner of the calling thread.
///
/// - Returns: A latch that opens when the closure has returned; `nil` if the system makes no thread, which leaves that check
///   inconclusive.
func onThread(stackSize: Int = 1 << 20, _ body: @escaping () -> Void) -> Latch? {
  let (done, owner) = (Latch(), Threads.owner)
  let work = ThreadWork {
    owner?.adoptThread()
    Threads.$owner.withValue(owner) { body() }
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
    // Any other system: POSIX threads. Allocated, not initialised: the C library's types are numbers on one system, and
    // pointers on another.
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
      owner?.obstruct(noThread)
      return nil
    }
  #endif
  return done
}

/// Why a check that needs a thread cannot be run.
let noThread = "the system has made no thread for it: run fewer verifications at a time"

/// Runs a call of a subject's on a thread of its own, and waits for it.
///
/// - Returns: Whether it has returned.
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
