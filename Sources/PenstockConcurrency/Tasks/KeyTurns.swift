// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// The turns of values: the values of a key have their turns one at a time, in the order in which they arrived.
///
/// The keys are the user's, and so is the code that hashes, compares and releases them. So no lock guards the table: it
/// belongs to the owner of a loop, and a call that arrives while another thread, or a key's own code, is in the loop
/// waits in the loop's queue.
@usableFromInline
package final class KeyTurns<Key: Hashable & Sendable>: @unchecked Sendable {
  // `@unchecked`: only the owner of the loop uses the table, and the queue may be used on any thread.

  @usableFromInline
  internal enum Signal: Sendable {
    /// A value waits for its turn.
    case begin(KeyTurn<Key>)
    /// The turn has ended, and the next value of the key has its turn.
    case end(KeyTurn<Key>)
    /// No more turns are granted.
    case close
  }

  @usableFromInline internal let queue = SerialQueue<Signal, NoState>()
  /// The keys of which a value has its turn, each with the values that wait after it; accessed only by the owner of the
  /// loop.
  @exclusivity(unchecked) @usableFromInline internal var waiting: [Key: Deque<KeyTurn<Key>>] = [:]
  /// Accessed only by the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var isClosed = false

  @inlinable
  package init() {}

  /// Gives a value its turn, now or when all earlier ones of its key have ended theirs.
  @inlinable
  package func begin(_ turn: KeyTurn<Key>) { submit(.begin(turn)) }

  /// Ends a turn that has begun; a second call has no effect.
  @inlinable
  package func end(_ turn: KeyTurn<Key>) { if turn.end() { submit(.end(turn)) } }

  /// Grants no more turns: the stream has ended, or is about to end.
  @inlinable
  package func close() { submit(.close) }

  /// The number of keys of which a value has its turn; exact while no thread is in the loop.
  package var count: Int { waiting.count }

  @inlinable
  internal func submit(_ signal: Signal) {
    let thread = currentThread()
    switch queue.enter(thread) {
    case .entered: perform(signal)
    // In the nested case, the code of a key that is being looked up has called this method again.
    case .nested, .busy: if !queue.append(signal, thread) { return }
    }
    queue.drain(thread, isRefused: false) { perform($0) }
  }

  @inlinable
  internal func perform(_ signal: Signal) {
    queue.assertOwned()
    if isClosed { return }
    switch signal {
    case .begin(let turn):
      if waiting[turn.key]?.append(turn) != nil { return }
      waiting[turn.key] = []
      turn.settle(isGranted: true)
    case .end(let turn):
      while let next = waiting[turn.key]?.popFirst() { if next.settle(isGranted: true) { return } }
      waiting.removeValue(forKey: turn.key)
    case .close:
      isClosed = true
      let rest = exchange(&waiting, with: [:])
      withExtendedLifetime(rest) {}
    }
  }
}

/// The turn of one value of a key.
@usableFromInline
package final class KeyTurn<Key: Hashable & Sendable>: Sendable {
  @usableFromInline
  internal enum State: Sendable {
    /// The turn has not come; with the task that waits for it.
    case waiting(UnsafeContinuation<Bool, Never>?)
    case granted
    /// The turn has ended, or the task has been cancelled before it came.
    case over
  }

  @usableFromInline internal let key: Key
  @usableFromInline internal let state = Guarded(State.waiting(nil))

  @inlinable
  package init(of key: Key) { self.key = key }

  /// Suspends the value's task until its turn comes.
  ///
  /// - Returns: Whether it has come; `false` if the task has been cancelled before.
  @inlinable
  internal func comes() async -> Bool {
    await withTaskCancellationHandler {
      await state.suspend { state, waiter in
        switch state {
        case .waiting:
          state = .waiting(waiter)
          return nil
        case .granted: return true
        case .over: return false
        }
      }
    } onCancel: {
      settle(isGranted: false)
    }
  }

  /// Lets the task continue, if it waits or will wait for the turn.
  ///
  /// - Parameter isGranted: Whether the turn has come; otherwise the task has been cancelled.
  /// - Returns: Whether this is the first call.
  @inlinable
  @discardableResult
  package func settle(isGranted: Bool) -> Bool {
    let (waiter, isFirst) = state.withLock { state -> (UnsafeContinuation<Bool, Never>?, Bool) in
      guard case .waiting(let waiter) = state else { return (nil, false) }
      state = isGranted ? .granted : .over
      return (waiter, true)
    }
    waiter?.resume(returning: isGranted)
    return isFirst
  }

  /// Whether the turn has come, and has not ended.
  package var isGranted: Bool {
    state.withLock { state in if case .granted = state { true } else { false } }
  }

  /// - Returns: Whether the turn had begun, and had not ended.
  @inlinable
  internal func end() -> Bool {
    state.withLock { state in
      guard case .granted = state else { return false }
      state = .over
      return true
    }
  }
}

/// A result, with the turn of the value that it was made from.
@usableFromInline
internal struct KeyedResult<Key: Hashable & Sendable, Value: Sendable>: EnvelopedValue, Sendable {
  @usableFromInline internal let value: Value
  @usableFromInline internal let turn: KeyTurn<Key>

  @inlinable
  internal init(_ value: Value, _ turn: KeyTurn<Key>) { (self.value, self.turn) = (value, turn) }

  @usableFromInline internal var content: Any { value }
}

extension Future {
  /// Creates a future, and starts a task that transforms a value when the value has its turn.
  ///
  /// A value that waits has a task as well, since the task gets the task-local values of the code that delivers the
  /// value.
  ///
  /// The turn ends when the result has been handed on, so that it comes before the next result of the key. If another
  /// result is being delivered, or the subscriber requests none, the turn ends before the result is delivered.
  @inlinable
  internal convenience init<Key, Value: Sendable, T>(
    _ value: Value, in turn: KeyTurn<Key>, of turns: KeyTurns<Key>, priority: TaskPriority?,
    _ transform: @escaping @Sendable (Value) async throws(Failure) -> T
  ) where Output == KeyedResult<Key, T> {
    self.init()
    let future = WeakReference(self)
    own(
      TaskOwner(
        Task(priority: priority) {
          // Once nothing refers to the future any more, the stream has ended.
          guard await turn.comes(), future.object != nil else {
            turns.close()
            return noteDiscard(value, .ended, by: nil)
          }
          let result: Result<Output, Failure>
          do throws(Failure) {
            result = .success(KeyedResult(try await transform(value), turn))
          } catch {
            result = .failure(error)
          }
          guard let future = future.object else { return turns.close() }
          // Values that wait for the key must not start before the failure reaches them.
          if case .failure = result { turns.close() }
          future.fulfill(result)
          turns.end(turn)
        }))
  }
}
