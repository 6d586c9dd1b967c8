// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if PENSTOCK_TSAN
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Darwin)
    internal import Darwin
  #endif
#else
  public import Synchronization
#endif

/// State behind a lock, and the only place in the library that has one.
///
/// ``withLock(_:)`` is short and never calls out: it changes the state and returns what is to be done, which the caller
/// then does with the lock released. What is taken out of the state is thereby freed outside of the lock as well.
///
/// The lock does not nest. It lives inline in the object that holds it.
///
/// Built with `PENSTOCK_TSAN` it is a `pthread_mutex_t` on the heap: the thread sanitizer cannot see into
/// `Synchronization.Mutex` on Linux, and would report races that are none.
@usableFromInline
package struct Guarded<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  // `@unchecked`, because the state may be of any type: only `withLock` reaches it, and it lets one thread in at a time.

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
  #else
    /// Tells the compiler's region checks that the lock, not the type, makes this safe.
    @usableFromInline
    internal struct Unchecked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
      @usableFromInline internal var value: Value

      @inlinable
      internal init(_ value: consuming Value) { self.value = value }
    }

    @usableFromInline internal let mutex: Mutex<Unchecked<State>>

    @inlinable
    package init(_ state: consuming State) {
      mutex = Mutex(Unchecked(state))
    }

    /// Runs a closure that has the state to itself.
    ///
    /// - Parameter body: A short change of the state that calls nothing outside of the library.
    /// - Returns: What the closure returns: usually the action to carry out next.
    @inlinable
    package borrowing func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      mutex.withLock { state in
        Unchecked(body(&state.value))
      }.value
    }
  #endif
}

#if !PENSTOCK_TSAN
  extension Guarded.Unchecked: Copyable where State: ~Copyable, Value: Copyable {}
#endif
