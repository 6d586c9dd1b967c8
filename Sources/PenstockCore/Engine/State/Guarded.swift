// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if PENSTOCK_TSAN
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #elseif canImport(Darwin)
    internal import Darwin
  #else
    #error("PENSTOCK_TSAN needs a system with threads of POSIX.")
  #endif
#elseif !PENSTOCK_EXPLORER
  public import Synchronization
#endif

/// State behind a lock; the only type in the library that owns one.
///
/// ``withLock(_:)`` runs short closures that call nothing outside the library. A closure changes the state and returns
/// the action to perform, and the caller performs it after the lock has been released. A value that a closure moves out
/// of the state is therefore destroyed without the lock, too: its `deinit` may be user code.
///
/// The lock is not recursive. It is stored inline in the object that owns it, so it costs no allocation.
///
/// With `PENSTOCK_TSAN` defined, the lock is a `pthread_mutex_t` on the heap: the thread sanitizer cannot see into
/// `Synchronization.Mutex` on Linux and would report false races.
@usableFromInline
package struct Guarded<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  // `@unchecked`, because the state may be of any type: only `withLock` reaches it, one thread at a time.

  #if PENSTOCK_TSAN
    private let storage: UnsafeMutablePointer<State>
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline
    package init(_ state: consuming State) {
      storage = .allocate(capacity: 1)
      storage.initialize(to: state)
      lock = .allocate(capacity: 1)
      lock.initialize(to: pthread_mutex_t())
      pthread_mutex_init(lock, nil)
    }

    deinit {
      pthread_mutex_destroy(lock)
      lock.deallocate()
      storage.deinitialize(count: 1)
      storage.deallocate()
    }

    @usableFromInline
    package borrowing func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return body(&storage.pointee)
    }
  #elseif PENSTOCK_EXPLORER
    private let storage: UnsafeMutablePointer<State>
    private let lock = InterleavedCell(0)

    @usableFromInline
    package init(_ state: consuming State) {
      storage = .allocate(capacity: 1)
      storage.initialize(to: state)
    }

    deinit {
      lock.isDead = true
      storage.deinitialize(count: 1)
      storage.deallocate()
    }

    @usableFromInline
    package borrowing func withLock<Result>(
      _ body: (inout State) -> Result, file: StaticString = #fileID, function: StaticString = #function,
      line: UInt = #line
    ) -> Result {
      guard let runningScheduler else { return body(&storage.pointee) }
      runningScheduler.lock(lock, at: InterleavedPlace(file: file, function: function, line: line))
      defer { runningScheduler.unlock(lock) }
      return body(&storage.pointee)
    }
  #else
    /// Makes any value sendable, because the lock that surrounds it, not its type, makes access to it safe.
    ///
    /// `Mutex` requires state and results that region isolation accepts; most of the library's state is not `Sendable`.
    @usableFromInline
    internal struct Unchecked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
      @usableFromInline internal var value: Value

      @_alwaysEmitIntoClient
      internal init(_ value: consuming Value) { self.value = value }
    }

    @usableFromInline internal let mutex: Mutex<Unchecked<State>>

    @inlinable
    package init(_ state: consuming State) {
      mutex = Mutex(Unchecked(state))
    }

    /// Calls a closure with exclusive access to the state.
    ///
    /// - Parameter body: A short change of the state that calls nothing outside the library.
    /// - Returns: The closure's result: usually the action to perform next.
    @inlinable
    package borrowing func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      mutex.withLock { state in
        Unchecked(body(&state.value))
      }.value
    }
  #endif
}

extension Guarded where State: ~Copyable {
  /// Releases the value that a closure takes out of the state, when the lock is no longer held.
  ///
  /// The result is used after the lock: otherwise the optimiser might release it while the lock is held.
  @inlinable
  package borrowing func release<Taken>(_ body: (inout State) -> Taken) {
    withExtendedLifetime(withLock(body)) {}
  }
}

#if !PENSTOCK_TSAN && !PENSTOCK_EXPLORER
  extension Guarded.Unchecked: Copyable where State: ~Copyable, Value: Copyable {}
#endif
