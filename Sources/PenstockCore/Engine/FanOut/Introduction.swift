// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule

/// The introduction of a subscriber to a ``FanOutEngine`` while another thread is delivering, or after queued signals.
///
/// Subscribing is synchronous, whatever other threads do. The joining thread queues the new member and takes a snapshot
/// of what it is to receive at that place in the queue, in one step, and then delivers subscription and snapshot
/// itself. When the owner of the loop reaches that place, it adds the member to its list; from then on it stores here
/// the deliveries to the member. The joining thread makes them until none is left; after that the owner delivers
/// directly.
///
/// An operator with several upstreams keeps an introduction open until it has subscribed to all of them. What the joining
/// thread itself sends meanwhile is not stored: it is delivered as at any other time, or skipped for lack of demand.
///
/// So no thread waits for another, deliveries to the member never overlap, and the queue alone determines the order.
@usableFromInline
package final class Introduction {
  private struct State: ~Copyable {
    var waiting: Deque<DeferredCall> = []
    /// Whether the member has been removed, and the owner of the loop has no delivery to it running.
    var isClosed = false
  }

  /// The next action of the joining thread.
  internal enum Step {
    case deliver(DeferredCall)
    /// None: the owner of the loop delivers from now on, or has removed the member already.
    case end(isClosed: Bool)
  }

  /// The hold of the joining thread; ended under the lock, when nothing waits: from then on the owner of the loop
  /// delivers directly.
  private let introducing = IntroductionHold()

  /// Delivers the snapshot to the member, as far as there is demand.
  ///
  /// For requests that the member makes during the introduction; accessed only by the joining thread. `nil` where there is
  /// none, and when the introduction is being finished.
  @exclusivity(unchecked) @usableFromInline package var present: ((FanOutMember) -> Void)?

  @exclusivity(unchecked) private var isServing = false

  /// Whether the joining thread is within a delivery of the snapshot, or of what has been stored.
  @exclusivity(unchecked) private var isDelivering = false

  /// Whether the owner of the loop began it while performing a queued signal, so that others' signals wait until that is over.
  @exclusivity(unchecked) internal var beganDraining = false

  /// Whether the joining thread itself has stored something within such a delivery.
  @exclusivity(unchecked) private var hasStoredWithin = false

  /// Whether an operator downstream ends the introduction; accessed only by the joining thread.
  @exclusivity(unchecked) internal var isDeferred = false

  /// The number of the first value that a replay delivers to the member; set together with its place in the queue.
  @exclusivity(unchecked) @usableFromInline package var start: UInt = 0

  private let state = Guarded(State())

  /// Begins, on the joining thread.
  @usableFromInline
  package init() {}

  /// Delivers the snapshot to the member, as far as there is demand.
  ///
  /// Called by the joining thread. A request that the member makes meanwhile is served by the running call if the
  /// snapshot is many values; if it is one, the request is for another value, which has replaced it.
  internal func serve(_ member: FanOutMember) {
    guard let present else { return }
    if member.calls.repeats == .latest { return within { present(member) } }
    if isServing { return }
    isServing = true
    within { present(member) }
    isServing = false
  }

  /// Makes a delivery, and then those that the joining thread has stored within it.
  private func within(_ delivery: () -> Void) {
    if isDelivering { return delivery() }
    perform(delivery)
    if exchange(&hasStoredWithin, with: false) { deliverHeld() }
  }

  /// Makes a delivery of the snapshot, or of what has been stored.
  internal func perform(_ delivery: () -> Void) {
    isDelivering = true
    delivery()
    isDelivering = false
  }

  /// Replaces the snapshot with another value for the member's next request, while requests are served here.
  ///
  /// Called by the joining thread.
  @usableFromInline
  internal func replacePresent(_ present: @escaping (FanOutMember) -> Void) {
    if self.present != nil { self.present = present }
  }

  /// Whether the calling thread is the joining thread; `false` when the introduction is over.
  @usableFromInline
  package var isHere: Bool { introducing.isWithin }

  /// Delivers what the owners of the loop on other threads have stored; called by the joining thread.
  internal func deliverHeld() {
    while let delivery = state.withLock({ $0.waiting.popFirst() }) { perform(delivery.perform) }
  }

  /// Stores a delivery for the joining thread.
  ///
  /// Called by the owner of the loop.
  ///
  /// - Returns: Whether it has been stored. If not, the introduction is over.
  internal func hold(_ delivery: DeferredCall) -> Bool {
    state.withLock { state in
      let isHeld = !isOver
      if isHeld { state.waiting.append(delivery) }
      return isHeld
    }
  }

  /// Stores a delivery that the joining thread itself would make within another one, if it has to wait its turn.
  ///
  /// Within a delivery the joining thread sends something, finds the loop free, and then owns it. Its own signals are
  /// delivered at once, unless something waits, and signals of other threads after the running delivery: the same order
  /// as without an introduction.
  ///
  /// - Parameter isDraining: Whether the delivery is that of a signal which was queued.
  /// - Returns: Whether it has been stored.
  internal func holdWithin(_ delivery: DeferredCall, isDraining: () -> Bool) -> Bool {
    guard isDelivering, (!beganDraining && isDraining()) || state.withLock({ !$0.waiting.isEmpty }) else {
      return false
    }
    hasStoredWithin = true
    return hold(delivery)
  }

  /// The next step; called by the joining thread when the member has its subscription, and again after each delivery.
  internal func next() -> Step {
    state.withLock { state in
      if let delivery = state.waiting.popFirst() { return .deliver(delivery) }
      _ = introducing.end()
      return .end(isClosed: state.isClosed)
    }
  }

  /// Whether the joining thread delivers nothing any more.
  @usableFromInline
  package var isOver: Bool { introducing.isOver }

  /// Records that the member has been removed, and that the owner of the loop has no delivery to it running.
  ///
  /// - Parameter discarding: Whether stored deliveries are discarded.
  /// - Returns: Whether the joining thread has none running either, so that the caller may discard the objects that the
  ///   member references. Otherwise the joining thread does.
  @inline(never)
  internal func close(discarding: Bool) -> Bool {
    let (isOver, discarded) = state.withLock { state -> (Bool, Deque<DeferredCall>) in
      state.isClosed = true
      var discarded: Deque<DeferredCall> = []
      if discarding { swap(&discarded, &state.waiting) }
      return (introducing.isOver, discarded)
    }
    // Released here, outside the lock.
    withExtendedLifetime(discarded) {}
    return isOver
  }
}
