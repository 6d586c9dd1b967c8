// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The operator `buffer(size:prefetch:whenFull:)`: a queue between upstream's values and downstream's demand.
///
/// A value that finds the queue empty and demand outstanding is delivered directly: it enters the loop, and takes no
/// lock.
@usableFromInline
package final class BufferSubscriber<Downstream: Subscriber>:
  BufferQueueSubscription<Downstream.Input, Downstream.Failure>, Subscriber
{
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline internal let downstream: Downstream

  @inlinable
  package init(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Downstream.Failure>,
    to downstream: Downstream
  ) {
    self.downstream = downstream
    super.init(
      size: size, whenFull: whenFull, prefetch: prefetch, downstreamIsSynchronous: downstream._isSynchronous,
      drain: { unsafeDowncast($0, to: BufferSubscriber.self).deliverQueued() })
  }

  // MARK: From upstream

  @inlinable @inline(never)
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

  @inlinable @inline(never)
  package func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard slot.finish() else { return }
    end(with: completion)
    signal(currentThread())
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
}

extension BufferSubscriber: SynchronousOperator {}
