// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// The state of a ``SerialQueue``, which is created when it is first used.
@usableFromInline
package protocol SerialState: ~Copyable {
  init()

  /// Releases the contents of the places that keep the state's layout independent of its types; called when the queue
  /// is freed.
  mutating func empty()
}

extension SerialState where Self: ~Copyable {
  @_alwaysEmitIntoClient
  package mutating func empty() {}
}

/// The state of a ``SerialQueue`` that needs none.
@usableFromInline
package struct NoState: SerialState {
  @_alwaysEmitIntoClient
  package init() {}
}

/// Serialises the signals of any number of threads: one owner, one queue.
///
/// The thread that sends a signal enters the ``DrainLoop`` and performs it at once; signals that this causes on the
/// same thread nest, as in Combine. A thread that finds the loop owned by another puts its signal into the queue,
/// announces that and returns. The owner performs what is queued before it leaves. So no two signals are performed at
/// the same time on different threads, and no thread waits for another.
///
/// The type that contains the queue performs the signals. State that any thread may change together with the queue, so
/// that a signal gets its place and its number in one step, is behind the same lock: ``Storage/state``.
///
/// **Order.** Queued signals are performed in the order of the queue. A signal nests only if nothing is queued, and
/// nothing has been taken from the queue and not yet performed; otherwise it is queued as well, because it would
/// overtake what another thread has sent before.
///
/// **No signal is lost.** A sender appends its signal under the lock, and then sets the mark of the loop. An owner
/// whose attempt to leave is refused clears the mark, and then takes the signals under the lock. The lock puts the two
/// sections in an order. If the sender's comes first, the owner takes the signal. If the owner's comes first, the
/// sender sees the cleared mark, because the owner has cleared it before it released the lock: so the sender sets the
/// mark again, and the owner's next attempt to leave is refused. If the loop is free, the sender that sets the mark
/// becomes its owner. The relaxed store that clears the mark needs no fence for this, since the lock is taken after it.
/// State that is not behind the lock would need one, as in ``BufferSubscription/signal(_:)``.
///
/// **Visibility.** Entering acquires and leaving releases, so each owner sees the variables of the queue's user as the
/// previous owner left them.
///
/// The queue is unbounded, and grows while the owner performs a signal.
///
/// **Memory.** Two words. Everything else is in ``Storage``, which the first thread that needs it creates: most queues
/// never have to keep a signal, and many have no state.
@usableFromInline
package struct SerialQueue<Signal, State: SerialState & ~Copyable>: ~Copyable {
  /// The signals that the owner has taken from the queue.
  ///
  /// The owner changes it while other threads use the queue, so it has a cache line of its own, in an object that is
  /// created by the first owner that has to take something.
  @usableFromInline
  package final class Taken {
    internal let padding = CacheLine()
    /// The signals that have been taken from the queue and not yet performed.
    ///
    /// Their storage is exchanged with that of the queue, so that senders that queue all the time do not allocate each
    /// time.
    @exclusivity(unchecked) @usableFromInline internal var signals: Deque<Signal> = []
    /// Whether signals are still to be performed: here, or, for ``SerialQueue/takeFirst(_:)``, in the queue.
    @exclusivity(unchecked) @usableFromInline internal var hasDue = false
    /// Whether one of the signals that have been taken together is being performed.
    @exclusivity(unchecked) @usableFromInline internal var isPerforming = false

    @_alwaysEmitIntoClient
    internal init() {}
  }

  /// The storage that a queue needs as soon as a signal has to wait, or the state is used.
  @usableFromInline
  package final class Storage {
    /// The signals that the owner has taken, once an owner has taken something; accessed only by the owner.
    @exclusivity(unchecked) @usableFromInline internal var existingTaken: Taken?
    @usableFromInline internal let lock = Guarded<Void>(())

    // Any thread may access these under the lock. They are beside the lock, not in it, and not in one structure:
    // otherwise they would be freed by way of their types, which code that is not specialised looks up each time.

    @exclusivity(unchecked) @usableFromInline package var signals: Deque<Signal> = []
    @exclusivity(unchecked) @usableFromInline package var state: State

    @_alwaysEmitIntoClient
    internal init(_ state: consuming State) { self.state = state }

    deinit { state.empty() }

    /// The signals that the owner has taken from the queue; created if needed.
    @_alwaysEmitIntoClient @inline(__always)
    internal var taken: Unmanaged<Taken> {
      if let existingTaken { .passUnretained(existingTaken) } else { makeTaken() }
    }

    @inlinable @inline(never)
    internal func makeTaken() -> Unmanaged<Taken> {
      let taken = Taken()
      existingTaken = taken
      return .passUnretained(taken)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func withLock<Result>(_ body: (Storage) -> Result) -> Result {
      lock.withLock { _ in body(self) }
    }

    /// Whether a signal has to be queued.
    ///
    /// A signal in the queue that has not been announced yet counts, too: the new one must not overtake it.
    ///
    /// - Parameter entry: How the calling thread has found the loop.
    @_alwaysEmitIntoClient
    package func mustQueue(_ entry: DrainLoop.Entry) -> Bool {
      if case .busy = entry { return true }
      return !signals.isEmpty
    }
  }

  @usableFromInline internal let loop = DrainLoop()

  /// The ``Storage``.
  ///
  /// Without its type, because a generic class that contains a queue is freed by code that is not specialised, and would
  /// have to look the type up.
  @usableFromInline internal let erasedStorage: SetOnce<AnyObject>

  /// The largest number of signals whose storage is kept for reuse.
  @_alwaysEmitIntoClient
  internal static var spareLimit: Int { 1_024 }

  /// Creates a queue that creates its state when that is used.
  @_alwaysEmitIntoClient
  package init() { erasedStorage = SetOnce() }

  /// Creates a queue with a state.
  @_alwaysEmitIntoClient
  package init(_ state: consuming State) { erasedStorage = SetOnce(Storage(state)) }

  /// The storage, if it has been created.
  @inlinable
  internal var existing: Unmanaged<Storage>? {
    erasedStorage.current.map { Unmanaged.fromOpaque($0.toOpaque()) }
  }

  /// The storage, created if needed.
  @_alwaysEmitIntoClient
  internal var storage: Unmanaged<Storage> { existing ?? makeStorage() }

  // Not inlined: a queue needs it at most once.
  @inlinable @inline(never)
  internal borrowing func makeStorage() -> Unmanaged<Storage> {
    // Another thread may be doing the same; all use the one that is stored first.
    .passUnretained(unsafeDowncast(erasedStorage.set(Storage(State())), to: Storage.self))
  }

  /// Asserts, in builds with the define `PENSTOCK_CHECKS`, that the calling thread is the owner.
  @_alwaysEmitIntoClient @inline(__always)
  package borrowing func assertOwned() { loop.assertOwned() }

  // MARK: Any thread

  /// Enters the loop.
  ///
  /// If the result is `.busy`, the signal has to be queued, even if the calling thread is the owner.
  @_alwaysEmitIntoClient @inline(__always)
  package borrowing func enter(_ thread: UInt) -> DrainLoop.Entry {
    let entry = loop.enter(thread)
    if case .nested = entry, hasWaiting { return .busy }
    return entry
  }

  /// Performs a signal at once if the calling thread owns the loop or can enter it; otherwise queues it.
  ///
  /// - Parameters:
  ///   - thread: The calling thread.
  ///   - now: Performs the signal.
  ///   - later: Queues the signal, by ``append(_:_:)``.
  ///   - leave: Leaves the loop.
  @_alwaysEmitIntoClient @inline(__always)
  package borrowing func perform(
    on thread: UInt, _ now: () -> Void, orQueue later: () -> Void, leave: () -> Void
  ) {
    let entry = enter(thread)
    if case .busy = entry { return later() }
    // Called once for both remaining cases, since everything downstream may be inlined here.
    now()
    if case .entered = entry { leave() }
  }

  /// Queues a signal for the owner of the loop.
  ///
  /// - Returns: Whether the loop was free. In that case the calling thread owns it now, and has to leave it.
  @_alwaysEmitIntoClient
  package borrowing func append(_ signal: Signal, _ thread: UInt) -> Bool {
    withLock { $0.signals.append(signal) }
    return loop.announce(thread)
  }

  /// Calls a closure with exclusive access to the queued signals and the state.
  ///
  /// A closure that has queued a signal is followed by ``announce(_:)``.
  @_alwaysEmitIntoClient
  package borrowing func withLock<Result>(_ body: (Storage) -> Result) -> Result {
    storage._withUnsafeGuaranteedRef { $0.withLock(body) }
  }

  /// Reports that something has been queued under the lock.
  ///
  /// - Returns: Whether the loop was free. In that case the calling thread owns it now, and has to leave it.
  @_alwaysEmitIntoClient
  package borrowing func announce(_ thread: UInt) -> Bool { loop.announce(thread) }

  // MARK: The owner of the loop

  /// Whether a signal of the owner's would overtake another one: something is queued, or has been taken from the queue
  /// and not yet performed.
  @_alwaysEmitIntoClient
  package var hasWaiting: Bool {
    loop.isAnnounced || existing?._withUnsafeGuaranteedRef { $0.existingTaken?.hasDue ?? false } ?? false
  }

  /// Whether ``performQueued(unless:_:)`` is performing a signal.
  @_alwaysEmitIntoClient
  package var isPerforming: Bool {
    existing?._withUnsafeGuaranteedRef { $0.existingTaken?.isPerforming ?? false } ?? false
  }

  /// Gives up ownership, unless something is queued.
  ///
  /// - Returns: Whether the loop is free. If not, the mark has been cleared, and the owner has to perform what is
  ///   queued before it calls this again.
  @_alwaysEmitIntoClient @inline(__always)
  package borrowing func leave(_ thread: UInt) -> Bool { loop.leave(thread) }

  /// Performs what is queued until the loop can be left.
  ///
  /// - Parameters:
  ///   - isRefused: Whether ``leave(_:)`` has refused to release the loop, so that something is queued.
  ///   - prepare: Called before each attempt to leave, when no signal is being performed.
  ///   - perform: Performs a signal.
  @inlinable @inline(__always)
  package borrowing func drain(
    _ thread: UInt, isRefused: Bool, prepare: () -> Void = {}, perform: (Signal) -> Void
  ) {
    if isRefused { performQueued(perform) }
    while true {
      prepare()
      if loop.leave(thread) { return }
      performQueued(perform)
    }
  }

  /// Takes all signals from the queue, and performs them.
  ///
  /// - Parameters:
  ///   - isOver: Whether the remaining signals are released instead.
  ///   - perform: Performs a signal.
  @_alwaysEmitIntoClient
  package borrowing func performQueued(
    unless isOver: @autoclosure () -> Bool = false, _ perform: (Signal) -> Void
  ) {
    storage._withUnsafeGuaranteedRef { storage in
      // Looked up under the lock, which fetches the cache line that it is in anyway.
      let taken = storage.withLock { contents in
        let taken = contents.taken
        taken._withUnsafeGuaranteedRef { swap(&$0.signals, &contents.signals) }
        return taken
      }
      taken._withUnsafeGuaranteedRef { taken in
        let isSpare = taken.signals.count <= Self.spareLimit
        let isNested = taken.isPerforming
        taken.isPerforming = true
        defer { taken.isPerforming = isNested }
        while !isOver(), let signal = taken.signals.popFirst() {
          taken.hasDue = !taken.signals.isEmpty
          perform(signal)
        }
        if isSpare, taken.signals.isEmpty { return }
        // Released from a local variable, since that may run user code, and only when nothing waits any more.
        var rest: Deque<Signal> = []
        swap(&rest, &taken.signals)
        taken.hasDue = false
        withExtendedLifetime(rest) {}
      }
    }
  }

  /// Takes the first signal from the queue, for an owner whose state changes together with the queue.
  ///
  /// - Parameter change: Changes the state for the signal, under the lock.
  /// - Returns: The signal and the result of the change, or `nil` if nothing is queued.
  @_alwaysEmitIntoClient
  package borrowing func takeFirst<Change>(
    _ change: (inout State, Signal) -> Change
  ) -> (signal: Signal, change: Change)? {
    storage._withUnsafeGuaranteedRef { storage in
      storage.withLock { contents in
        guard let signal = contents.signals.popFirst() else { return nil }
        contents.taken._withUnsafeGuaranteedRef { $0.hasDue = !contents.signals.isEmpty }
        return (signal, change(&contents.state, signal))
      }
    }
  }
}
