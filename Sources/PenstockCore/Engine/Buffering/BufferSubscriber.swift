// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The action of a full buffer for another value.
@usableFromInline
internal enum BufferOverflow<Failure: Error> {
  case dropNewest
  case dropOldest
  case fail(() -> Failure)
}

/// The operator `buffer(size:prefetch:whenFull:)`: a queue between upstream's values and downstream's demand.
///
/// A value that finds the queue empty and demand outstanding is delivered directly: it enters the loop, and takes no
/// lock. Downstream is embedded: so all of this is compiled once for each type of values, not for each pipeline.
@usableFromInline
package final class BufferSubscriber<Input, Failure: Error>: BufferSubscription, Subscriber {
  /// The state that any thread may access, under the lock.
  @usableFromInline
  internal struct Queue: ~Copyable {
    @usableFromInline internal var values: Deque<Input> = []
    /// The completion that is to be delivered after the values.
    @usableFromInline internal var terminal: Subscribers.Completion<Failure>?
    /// Whether the completion is the failure of an overflow, and downstream has not requested anything since.
    @usableFromInline internal var awaitsRequest = false

    @inlinable
    internal init() {}
  }

  @usableFromInline
  internal enum Step {
    case deliver(Input)
    case complete(Subscribers.Completion<Failure>)
    /// Nothing can be delivered now.
    case rest
    /// The stream is over: everything left is released.
    case ended(Deque<Input>, Subscribers.Completion<Failure>?)
  }

  @usableFromInline internal let queue = Guarded(Queue())
  @usableFromInline internal let size: Int
  @usableFromInline internal let overflow: BufferOverflow<Failure>

  @inlinable @inline(never)
  internal convenience init<Downstream: Subscriber>(
    size: Int, keepsFull: Bool, overflow: BufferOverflow<Failure>, to downstream: Downstream
  ) where Downstream.Input == Input, Downstream.Failure == Failure {
    self.init(size: size, keepsFull: keepsFull, overflow: overflow, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(size: Int, keepsFull: Bool, overflow: BufferOverflow<Failure>, downstream: SubscriberCalls) {
    self.size = size
    self.overflow = overflow
    super.init(
      prefetch: keepsFull ? .max(size) : .unlimited,
      drain: { unsafeDowncast($0, to: BufferSubscriber.self).deliverQueued() }, downstream: downstream)
  }

  // MARK: From upstream

  @_alwaysEmitIntoClient @inline(never)
  package func receive(subscription: any Subscription) {
    introduce(subscription)
  }

  /// Receives a value; one that comes after upstream's completion is still buffered, as in Combine.
  @_alwaysEmitIntoClient
  package func receive(_ input: Input) -> Subscribers.Demand {
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
  @_alwaysEmitIntoClient
  internal func accept(_ input: Input) -> Int {
    loop.assertOwned()
    if backlog.load(ordering: .relaxed) == 0, size > 0, ledger.takeOne() {
      deliver(input)
      return 1
    }
    return store(input) ? deliverQueued() : 0
  }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard slot.finish() else { return }
    end(with: completion)
    signal(currentThread())
  }

  // MARK: Downstream; called by the owner of the loop

  @_alwaysEmitIntoClient
  internal func deliver(_ input: Input) {
    loop.assertOwned()
    let more = deliver(value: input)
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
        deliver(ending: completion)
      case .rest:
        return delivered
      case .ended(let values, _):
        noteDiscards(of: values, .ended)
        return delivered
      }
    }
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.capacity = size
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

extension BufferSubscriber {
  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { .first }
}
