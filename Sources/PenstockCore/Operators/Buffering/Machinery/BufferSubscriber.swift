// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The operator `buffer(size:prefetch:whenFull:)`: a queue between upstream's values and downstream's demand.
///
/// A value that finds the queue empty and demand outstanding is delivered directly: it enters the loop, and takes no
/// lock.
@usableFromInline
package final class BufferSubscriber<Downstream: Subscriber>: BufferSubscription, Subscriber {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  /// The state that any thread may access, under the lock.
  @usableFromInline
  internal struct Queue {
    @usableFromInline internal var values: Deque<Downstream.Input> = []
    /// The completion that is to be delivered after the values.
    @usableFromInline internal var terminal: Subscribers.Completion<Downstream.Failure>?
    /// Whether the completion is the failure of an overflow, and downstream has not requested anything since.
    @usableFromInline internal var awaitsRequest = false

    @inlinable
    internal init() {}
  }

  @usableFromInline
  internal enum Step {
    case deliver(Downstream.Input)
    case complete(Subscribers.Completion<Downstream.Failure>)
    /// Nothing can be delivered now.
    case rest
    /// The stream is over: everything left is released.
    case ended(Queue)
  }

  @usableFromInline internal let queue = Guarded(Queue())
  @usableFromInline internal let size: Int
  @usableFromInline internal let whenFull: Publishers.BufferingStrategy<Downstream.Failure>
  @usableFromInline internal let downstream: Downstream

  @inlinable
  package init(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Downstream.Failure>,
    to downstream: Downstream
  ) {
    self.size = size
    self.whenFull = whenFull
    self.downstream = downstream
    super.init(
      prefetch: prefetch == .keepFull ? .max(size) : .unlimited, downstreamIsSynchronous: downstream.isSynchronous,
      drain: { unsafeDowncast($0, to: BufferSubscriber.self).deliverQueued() })
  }

  // MARK: From upstream

  @inlinable
  package func receive(subscription: any Subscription) {
    introduce(subscription) { downstream.receive(subscription: self) }
  }

  /// Receives a value; one that comes after upstream's completion is still buffered, as in Combine.
  @inlinable
  package func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    if slot.phase == .awaiting || ledger.isClosed { return .none }
    let thread = currentThread()
    var delivered = 0
    switch loop.enter(thread) {
    case .entered:
      delivered = accept(input)
      delivered += leave(thread)
    case .nested where isAnswering:
      isAnswering = false
      delivered = accept(input)
      isAnswering = true
    case .nested, .busy:
      if store(input), loop.announce(thread) { delivered = leave(thread) }
    }
    return keepsFull && delivered > 0 ? .max(delivered) : .none
  }

  /// Delivers a value, after those in the queue.
  ///
  /// Called by the owner of the loop, outside every delivery.
  ///
  /// - Returns: The number of values that have been delivered.
  @inlinable
  internal func accept(_ input: Downstream.Input) -> Int {
    loop.assertOwned()
    if backlog.load(ordering: .relaxed) == 0, size > 0, ledger.takeOne() {
      deliver(input)
      return 1
    }
    return store(input) ? deliverQueued() : 0
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard slot.finish() else { return }
    end(with: completion)
    signal(currentThread())
  }

  /// Appends a value to the queue, or handles the overflow if the queue is full.
  ///
  /// - Returns: Whether there is something to deliver. The failure of an overflow waits for the next request.
  @inlinable
  internal func store(_ input: Downstream.Input) -> Bool {
    var dropped: Downstream.Input?
    let overflow = queue.withLock { queue -> (() -> Downstream.Failure)? in
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
  @inlinable
  internal func end(with completion: Subscribers.Completion<Downstream.Failure>, awaitsRequest: Bool = false) {
    queue.withLock { queue in
      if queue.terminal == nil { (queue.terminal, queue.awaitsRequest) = (completion, awaitsRequest) }
      count(queue)
    }
  }

  @inlinable
  internal func count(_ queue: Queue) {
    backlog.store(queue.values.count + (queue.terminal == nil ? 0 : 1), ordering: .relaxed)
  }

  // MARK: Downstream; called by the owner of the loop

  @inlinable
  internal func deliver(_ input: Downstream.Input) {
    loop.assertOwned()
    let more = downstream.receive(input)
    if more != .none { ledger.add(more) }
  }

  /// Delivers values as demand allows, and the completion when it is due.
  @inlinable
  internal func deliverQueued() -> Int {
    loop.assertOwned()
    var delivered = 0
    while true {
      switch step() {
      case .deliver(let input):
        deliver(input)
        delivered += 1
      case .complete(let completion):
        downstream.receive(completion: completion)
      case .rest:
        return delivered
      case .ended(let rest):
        _ = rest
        settle()
        return delivered
      }
    }
  }

  @inlinable
  internal func step() -> Step {
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
  package override var mirrorChildren: [(label: String?, value: Any)] {
    let (values, terminal) = queue.withLock { ($0.values, $0.terminal) }
    return [
      ("values", Array(values)), ("state", slot.phase), ("downstreamDemand", ledger.balance),
      ("terminal", terminal as Any),
    ]
  }
}

extension BufferSubscriber: SynchronousOperator {}
