// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The half of `buffer` that depends only on the type of the values: the queue, and what goes when.
///
/// A class of its own, so that this is compiled once for each type of values, not for each pipeline.
@usableFromInline
package class BufferQueueSubscription<Output, Failure: Error>: BufferSubscription {
  /// The state that any thread may access, under the lock.
  @usableFromInline
  internal struct Queue {
    @usableFromInline internal var values: Deque<Output> = []
    /// The completion that is to be delivered after the values.
    @usableFromInline internal var terminal: Subscribers.Completion<Failure>?
    /// Whether the completion is the failure of an overflow, and downstream has not requested anything since.
    @usableFromInline internal var awaitsRequest = false

    @inlinable
    internal init() {}
  }

  @usableFromInline
  internal enum Step {
    case deliver(Output)
    case complete(Subscribers.Completion<Failure>)
    /// Nothing can be delivered now.
    case rest
    /// The stream is over: everything left is released.
    case ended(Queue)
  }

  @usableFromInline internal final let queue = Guarded(Queue())
  @usableFromInline internal final let size: Int
  @usableFromInline internal final let whenFull: Publishers.BufferingStrategy<Failure>

  @inlinable
  internal init(
    size: Int, whenFull: Publishers.BufferingStrategy<Failure>, prefetch: Publishers.PrefetchStrategy,
    downstreamIsSynchronous: Bool, drain: @escaping (BufferSubscription) -> Int
  ) {
    self.size = size
    self.whenFull = whenFull
    super.init(
      prefetch: prefetch == .keepFull ? .max(size) : .unlimited, downstreamIsSynchronous: downstreamIsSynchronous,
      drain: drain)
  }

  /// Appends a value to the queue, or handles the overflow if the queue is full.
  ///
  /// - Returns: Whether there is something to deliver. The failure of an overflow waits for the next request.
  @inlinable @inline(never)
  internal final func store(_ input: Output) -> Bool {
    var dropped: Output?
    let overflow = queue.withLock { queue -> (() -> Failure)? in
      if queue.values.count >= size {
        switch whenFull {
        case .dropNewest: return nil
        case .dropOldest: dropped = queue.values.popFirst()
        case .customError(let makeError): return makeError
        }
      }
      queue.values.append(input)
      count(queue)
      return nil
    }
    // Released here, outside the lock: its `deinit` may run any user code.
    _ = consume dropped
    guard let overflow else { return true }
    let error = overflow()
    slot.cancel()
    end(with: .failure(error), awaitsRequest: true)
    return false
  }

  /// Stores a completion behind the values in the queue.
  ///
  /// Only the first one counts.
  @inlinable @inline(never)
  internal final func end(with completion: Subscribers.Completion<Failure>, awaitsRequest: Bool = false) {
    queue.withLock { queue in
      if queue.terminal == nil { (queue.terminal, queue.awaitsRequest) = (completion, awaitsRequest) }
      count(queue)
    }
  }

  @inlinable
  internal final func count(_ queue: Queue) {
    backlog.store(queue.values.count + (queue.terminal == nil ? 0 : 1), ordering: .relaxed)
  }

  @inlinable @inline(never)
  internal final func step() -> Step {
    queue.withLock { queue in
      if ledger.isClosed {
        var rest = Queue()
        swap(&rest, &queue)
        count(queue)
        return .ended(rest)
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

  @usableFromInline
  package final override var mirrorChildren: [(label: String?, value: Any)] {
    let (values, terminal) = queue.withLock { ($0.values, $0.terminal) }
    return [
      ("values", Array(values)), ("state", slot.phase), ("downstreamDemand", ledger.balance),
      ("terminal", terminal as Any),
    ]
  }
}
