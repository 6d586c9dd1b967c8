// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The queue of a buffer, and the rules for what leaves it when.
extension BufferSubscriber {
  /// Appends a value to the queue, or handles the overflow if the queue is full.
  ///
  /// - Returns: Whether there is something to deliver. The failure of an overflow waits for the next request.
  @inlinable @inline(never)
  internal func store(_ input: Input) -> Bool {
    var dropped: Input?
    let makeError = queue.withLock { queue -> (() -> Failure)? in
      if queue.values.count >= size {
        switch overflow {
        case .dropNewest:
          overflows.add(1)
          dropped = input
          return nil
        case .dropOldest:
          overflows.add(1)
          dropped = queue.values.popFirst()
        case .fail(let makeError): return makeError
        }
      }
      queue.values.append(input)
      count(queue)
      return nil
    }
    // Reported and released here, outside the lock: its `deinit` may run any user code.
    if let dropped { noteDiscard(dropped, .bufferFull) }
    guard let makeError else { return true }
    noteDiscard(input, .bufferFull)
    let error = makeError()
    slot.cancel()
    end(with: .failure(error), awaitsRequest: true)
    return false
  }

  /// Stores a completion after the values in the queue.
  ///
  /// Only the first one counts.
  @inlinable @inline(never)
  internal func end(with completion: Subscribers.Completion<Failure>, awaitsRequest: Bool = false) {
    queue.withLock { queue in
      if queue.terminal == nil { (queue.terminal, queue.awaitsRequest) = (completion, awaitsRequest) }
      count(queue)
    }
  }

  @inlinable
  internal func count(_ queue: borrowing Queue) {
    backlog.store(queue.values.count + (queue.terminal == nil ? 0 : 1), ordering: .relaxed)
  }

  @inlinable @inline(never)
  internal func step() -> Step {
    queue.withLock { queue in
      if ledger.isClosed {
        defer {
          queue = Queue()
          count(queue)
        }
        return .ended(queue.values, queue.terminal)
      }
      if !queue.values.isEmpty, ledger.takeOne() {
        defer { count(queue) }
        queue.awaitsRequest = false
        return .deliver(queue.values.removeFirst())
      }
      guard let terminal = queue.terminal else { return .rest }
      // `.finished` waits for a request even if there is no value before it.
      if case .finished = terminal, !queue.values.isEmpty || ledger.balance == .none { return .rest }
      // A value that came before the overflow may have announced that there is something to deliver.
      if queue.awaitsRequest, ledger.balance == .none { return .rest }
      if case .already = ledger.close() { return .rest }
      return .complete(terminal)
    }
  }
}
