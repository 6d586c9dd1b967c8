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

/// State behind a lock; the only lock of the kit.
///
/// The lock is the system's, not the library's, so that the kit works with any Combine, and so that the thread
/// sanitizer understands it. The closure calls nothing outside the kit: values that it moves out of the state are
/// released after the lock.
final class Locked<State>: @unchecked Sendable {
  private var state: State
  #if os(Windows)
    private let lock = UnsafeMutablePointer<SRWLOCK>.allocate(capacity: 1)
  #elseif !os(WASI) || _runtime(_multithreaded)
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  #endif  // Without threads there is nothing to lock.

  init(_ state: State) {
    self.state = state
    #if os(Windows)
      InitializeSRWLock(lock)
    #elseif !os(WASI) || _runtime(_multithreaded)
      lock.initialize(to: pthread_mutex_t())
      pthread_mutex_init(lock, nil)
    #endif
  }

  deinit {
    #if os(Windows)
      lock.deallocate()
    #elseif !os(WASI) || _runtime(_multithreaded)
      pthread_mutex_destroy(lock)
      lock.deallocate()
    #endif
  }

  @discardableResult
  func with<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    #if os(Windows)
      AcquireSRWLockExclusive(lock)
      defer { ReleaseSRWLockExclusive(lock) }
    #elseif !os(WASI) || _runtime(_multithreaded)
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
    #endif
    return try body(&state)
  }

  var value: State { with { $0 } }

  /// Exchanges the state; the old one is released after the lock.
  func replace(with new: State) {
    let old = with { state in
      defer { state = new }
      return state
    }
    withExtendedLifetime(old) {}
  }
}

/// The state of a lock that guards no variable.
///
/// Not `()`, which has no size, and so shares its address with what lies beside it: the thread sanitizer would take
/// that for changed.
struct NoState {
  private let word = 0
}
