// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// What waits to be delivered to one subscriber, in order.
///
/// Any thread may bring something; only the owner of a ``DrainLoop`` takes it out. The owner empties the shared queue into
/// one of its own, so that it takes the lock once for many events.
@usableFromInline
package final class EventLine<Element, Failure: Error> {
  @usableFromInline
  package enum Event {
    case element(Element)
    case completion(Subscribers.Completion<Failure>)
  }

  // Neither queue is ever copied, so their storage is used without a look at who else has it.

  @usableFromInline internal let incoming = Guarded(UniqueDeque<Event>())

  /// Whether what the owner has taken out already has been replaced.
  @usableFromInline internal let isReplaced = Atomic(false)

  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var ready = UniqueDeque<Event>()

  @inlinable
  package init() {}

  /// Puts an event at the end of the line, unless the stream is closed.
  ///
  /// - Returns: Whether it is in the line.
  @inlinable
  package func append(_ event: consuming Event, of subscription: SerialSubscription) -> Bool {
    // Moved into the line: a closure can only copy what it captures, which counts references once more.
    var event: Event? = event
    return incoming.withLock { incoming in
      // Read under the lock, which a cancel takes after it has closed the stream: nothing is left behind.
      guard !subscription.isClosed else { return false }
      incoming.append(event.take().unsafelyUnwrapped)
      return true
    }
  }

  /// Puts an event in the place of all that are in the line.
  ///
  /// - Returns: Whether it is in the line; not if the stream is closed.
  @inlinable
  package func replace(with event: Event, of subscription: SerialSubscription) -> Bool {
    // Freed outside of the lock.
    var replaced = UniqueDeque<Event>()
    replaced.append(event)
    return incoming.withLock { incoming in
      guard !subscription.isClosed else { return false }
      swap(&incoming, &replaced)
      isReplaced.store(true, ordering: .relaxed)
      return true
    }
  }

  /// Takes the event that is first in line.
  ///
  /// Called by the owner.
  @inlinable
  package func next() -> Event? {
    if isReplaced.load(ordering: .relaxed) {
      isReplaced.store(false, ordering: .relaxed)
      freeReady()
    }
    if ready.isEmpty { incoming.withLock { swap(&$0, &ready) } }
    return ready.popFirst()
  }

  /// Frees everything.
  ///
  /// Called by the owner.
  @inlinable
  package func removeAll() {
    freeReady()
    // Freed outside of the lock.
    var rest = UniqueDeque<Event>()
    incoming.withLock { swap(&rest, &$0) }
  }

  @inlinable
  internal func freeReady() {
    // In a variable, since what is freed may run code of the user's.
    var rest = UniqueDeque<Event>()
    swap(&rest, &ready)
  }
}
