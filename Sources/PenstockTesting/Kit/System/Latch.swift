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

/// A latch that one thread opens and others wait for.
///
/// A wait ends with the opening. Its cap is for a stream that hangs: reaching it is the finding, and no run without a
/// finding reaches it.
final class Latch: @unchecked Sendable {
  private var isOpen = false
  #if os(Windows)
    private let lock = UnsafeMutablePointer<SRWLOCK>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<CONDITION_VARIABLE>.allocate(capacity: 1)
  #elseif !os(WASI) || _runtime(_multithreaded)
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  #endif

  init() {
    #if os(Windows)
      InitializeSRWLock(lock)
      InitializeConditionVariable(condition)
    #elseif !os(WASI) || _runtime(_multithreaded)
      lock.initialize(to: pthread_mutex_t())
      pthread_mutex_init(lock, nil)
      condition.initialize(to: pthread_cond_t())
      pthread_cond_init(condition, nil)
    #endif
  }

  deinit {
    #if os(Windows)
      condition.deallocate()
      lock.deallocate()
    #elseif !os(WASI) || _runtime(_multithreaded)
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(lock)
      condition.deallocate()
      lock.deallocate()
    #endif
  }

  func open() {
    #if os(Windows)
      AcquireSRWLockExclusive(lock)
      isOpen = true
      WakeAllConditionVariable(condition)
      ReleaseSRWLockExclusive(lock)
    #elseif os(WASI) && !_runtime(_multithreaded)
      isOpen = true
    #else
      // Any other system: POSIX threads.
      pthread_mutex_lock(lock)
      isOpen = true
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(lock)
    #endif
  }

  /// - Returns: Whether it was opened before the cap.
  func wait(milliseconds: Int) -> Bool {
    #if os(Windows)
      AcquireSRWLockExclusive(lock)
      defer { ReleaseSRWLockExclusive(lock) }
      while !isOpen {
        if !SleepConditionVariableSRW(condition, lock, DWORD(milliseconds), 0) { return isOpen }
      }
      return true
    #elseif os(WASI) && !_runtime(_multithreaded)
      return isOpen
    #else
      // Any other system: POSIX threads.
      var deadline = timespec()
      clock_gettime(CLOCK_REALTIME, &deadline)
      deadline.tv_sec += milliseconds / 1000
      deadline.tv_nsec += milliseconds % 1000 * 1_000_000
      if deadline.tv_nsec >= 1_000_000_000 {
        (deadline.tv_sec, deadline.tv_nsec) = (deadline.tv_sec + 1, deadline.tv_nsec - 1_000_000_000)
      }
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      while !isOpen {
        if pthread_cond_timedwait(condition, lock, &deadline) != 0 { return isOpen }
      }
      return true
    #endif
  }
}
