// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How a subscriber joins a ``Membership`` while another thread is delivering, or behind what is queued.
///
/// To subscribe is synchronous, whatever other threads do: the joining thread takes a place in the queue for the new
/// member, together with a snapshot of what there is to be given at that place, and then introduces the member by itself.
/// When the owner of the loop comes to that place it makes the member one of its own, and leaves here what it would
/// deliver to it. The joining thread delivers that, until it finds nothing left; from then on the owner delivers directly.
///
/// So no thread waits for another, deliveries to the member never overlap, and the queue alone decides the order.
@usableFromInline
package final class Introduction {
  /// A delivery that waits: in a structure, since a closure by itself is wrapped in another when it is put in, and again
  /// when it is taken out.
  @usableFromInline
  internal struct Delivery {
    internal let carryOut: (Conduit) -> Void
  }

  private struct State {
    var waiting: [Delivery] = []
    /// Whether the owner of the loop delivers by itself.
    var isOver = false
    /// Whether the member has left, and the owner of the loop has no delivery to it running.
    var isRetired = false
  }

  /// What the joining thread does next.
  internal enum Step {
    case deliver([Delivery])
    /// Nothing: the owner of the loop delivers from now on, or has parted with the member already.
    case end(isRetired: Bool)
  }

  /// The joining thread.
  internal let thread: UInt

  /// Gives the member what there was when it took its place, as far as it has asked for that.
  ///
  /// For requests from inside of the introduction, on the joining thread: it alone reads and writes this.
  @exclusivity(unchecked) @usableFromInline internal var present: ((Conduit) -> Void)?

  @exclusivity(unchecked) private var isServing = false

  /// Whether an operator below says when the introduction is over; the joining thread's, too.
  @exclusivity(unchecked) internal var isDeferred = false

  /// The number of the first value that the member is repeated, where a log keeps its place; set with that place.
  @exclusivity(unchecked) @usableFromInline internal var start: UInt = 0

  private let state = Guarded(State())

  internal init(on thread: UInt) { self.thread = thread }

  /// Gives the member what it is owed of what there was when it took its place.
  ///
  /// Called by the joining thread. What the member asks for from inside of that is served by the loop that is running.
  internal func serve(_ member: Conduit) {
    guard !isServing, let present else { return }
    isServing = true
    present(member)
    isServing = false
  }

  /// Leaves a delivery to the joining thread.
  ///
  /// Called by the owner of the loop.
  ///
  /// - Returns: Whether it has been left. If not, the introduction is over.
  internal func hold(_ delivery: @escaping (Conduit) -> Void) -> Bool {
    state.withLock { state in
      if !state.isOver { state.waiting.append(Delivery(carryOut: delivery)) }
      return !state.isOver
    }
  }

  /// Called by the joining thread when the member has its subscription, and again for as long as something waits.
  internal func next() -> Step {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.isOver = true
        return .end(isRetired: state.isRetired)
      }
      var deliveries: [Delivery] = []
      swap(&deliveries, &state.waiting)
      return .deliver(deliveries)
    }
  }

  /// Whether the joining thread delivers nothing any more.
  internal var isOver: Bool { state.withLock { $0.isOver } }

  /// The member has left, and the owner of the loop has no delivery to it running.
  ///
  /// - Parameter discarding: Whether what waits is not to be delivered any more.
  /// - Returns: Whether the joining thread has none running either, so that the caller may free what the member holds.
  ///   Otherwise the joining thread does so.
  internal func retire(discarding: Bool) -> Bool {
    let (isOver, discarded) = state.withLock { state -> (Bool, [Delivery]) in
      state.isRetired = true
      var discarded: [Delivery] = []
      if discarding { swap(&discarded, &state.waiting) }
      return (state.isOver, discarded)
    }
    // Freed only here, outside of the lock.
    withExtendedLifetime(discarded) {}
    return isOver
  }
}
