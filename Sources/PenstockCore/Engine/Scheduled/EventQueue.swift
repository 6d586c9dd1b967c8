// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The events that wait for delivery to one subscriber, in order.
///
/// Any thread may append an event; only the owner of a ``DrainLoop`` removes events. The owner moves the shared queue
/// to one of its own, so that it takes the lock once for many events.
@usableFromInline
package final class EventQueue<Element, Failure: Error> {
  @usableFromInline
  package enum Event {
    case element(Element)
    case completion(Subscribers.Completion<Failure>)
  }

  // Both queues are noncopyable, so they are changed without uniqueness checks.

  @usableFromInline internal let incoming = Guarded(UniqueDeque<Event>())

  /// Whether the events that the owner has moved to its own queue have been replaced.
  @usableFromInline internal let isReplaced = AtomicCell(false)

  /// Accessed only by the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var ready = UniqueDeque<Event>()

  // For tools on any thread; written by the owner of the loop.

  /// The number of events that the owner has moved to its own queue so far.
  @usableFromInline internal let moved = ShownCell(0)
  /// The number of events that it has removed from there.
  @usableFromInline internal let removed = ShownCell(0)

  /// The number of events.
  internal var shownCount: Int {
    incoming.withLock { $0.count } + max(0, moved.value - removed.value)
  }

  @inlinable
  package init() {}

  /// Appends an event, unless the stream is closed.
  ///
  /// - Returns: Whether it has been appended.
  @inlinable
  package func append(_ event: consuming Event, of subscription: SerialSubscription) -> Bool {
    // Moved into the queue: a closure can only copy what it captures, which counts references once more.
    var event: Event? = event
    return incoming.withLock { incoming in
      // Read under the lock, which a cancel takes after it has closed the stream: so no event remains in the queue.
      guard !subscription.isClosed else { return false }
      incoming.append(event.take().unsafelyUnwrapped)
      return true
    }
  }

  /// Appends elements, in one step, unless the stream is closed.
  ///
  /// - Parameters:
  ///   - most: The maximum number of elements.
  ///   - next: The next element; runs no code of the user's.
  /// - Returns: The number of elements that have been appended.
  @inlinable
  package func append(upTo most: Int, _ next: () -> Element?, of subscription: SerialSubscription) -> Int {
    incoming.withLock { incoming in
      var count = 0
      while count < most, !subscription.isClosed, let element = next() {
        incoming.append(.element(element))
        count += 1
      }
      return count
    }
  }

  /// Replaces all events in the queue with one event.
  ///
  /// - Returns: Whether it has been stored: not if the stream is closed.
  @inlinable
  package func replace(with event: Event, of subscription: SerialSubscription) -> Bool {
    // Released outside the lock.
    var replaced = UniqueDeque<Event>()
    replaced.append(event)
    let isStored = incoming.withLock { incoming in
      guard !subscription.isClosed else { return false }
      swap(&incoming, &replaced)
      isReplaced.store(true, ordering: .relaxed)
      return true
    }
    if isStored { tell(of: &replaced, subscription) }
    return isStored
  }

  /// Removes the first event.
  ///
  /// Called by the owner of the loop.
  @inlinable
  package func next(of subscription: SerialSubscription) -> Event? {
    if isReplaced.load(ordering: .relaxed) {
      isReplaced.store(false, ordering: .relaxed)
      freeReady(of: subscription)
    }
    if ready.isEmpty {
      incoming.withLock { swap(&$0, &ready) }
      moved.add(ready.count)
    }
    guard let event = ready.popFirst() else { return nil }
    removed.add(1)
    return event
  }

  /// Removes all events.
  ///
  /// Called by the owner of the loop.
  @inlinable
  package func removeAll(of subscription: SerialSubscription) {
    freeReady(of: subscription)
    // Released outside the lock.
    var rest = UniqueDeque<Event>()
    incoming.withLock { swap(&rest, &$0) }
    tell(of: &rest, subscription)
  }

  @inlinable
  internal func freeReady(of subscription: SerialSubscription) {
    // Moved to a local variable before it is released, since that may run user code.
    var rest = UniqueDeque<Event>()
    swap(&rest, &ready)
    removed.set(moved.value)
    tell(of: &rest, subscription)
  }

  /// Reports values that will not be delivered.
  @_alwaysEmitIntoClient
  internal func tell(of events: inout UniqueDeque<Event>, _ subscription: SerialSubscription) {
    if !handlesDiscards.value { return }
    while let event = events.popFirst() {
      if case .element(let element) = event { subscription.noteDiscard(element, .ended) }
    }
  }
}
