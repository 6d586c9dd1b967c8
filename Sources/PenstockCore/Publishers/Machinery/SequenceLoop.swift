// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The loop over the elements of a sequence, followed by a completion, for `Sequence.publisher` and ``Record``.
///
/// A structure that is stored in a ``SequenceSubscription``. One thread at a time runs it; the ledger passes it from
/// thread to thread.
@usableFromInline
internal struct SequenceLoop<Elements: IteratorProtocol, Downstream: Subscriber>
where Elements.Element == Downstream.Input {
  @usableFromInline internal var iterator: Elements
  /// The next element to deliver; fetched in advance, so that the completion follows the last element without a further
  /// request.
  @usableFromInline internal var next: Elements.Element
  @usableFromInline internal let downstream: Downstream

  @inlinable
  internal init(_ iterator: Elements, next: Elements.Element, downstream: Downstream) {
    self.iterator = iterator
    self.next = next
    self.downstream = downstream
  }

  /// The result of one pass of the loop.
  @usableFromInline
  internal enum Outcome: Sendable {
    case demandIsMet, cancelled, elementsEnded
  }

  /// Emits as many elements as there is demand for.
  ///
  /// - Parameter pause: Stores the loop in the subscription, so that another thread can continue it; `nil` removes it.
  @inlinable
  internal mutating func run(_ ledger: borrowing DemandLedger, pause: (Self?) -> Void) -> Outcome {
    var granted = ledger.balance
    while true {
      if granted.isUnlimited { return emitAll(ledger) }
      let outcome = emit(granted, ledger)
      guard outcome == .demandIsMet else { return outcome }
      // Stored before the ledger is debited: while the ledger shows demand, no other thread starts the loop.
      pause(self)
      guard let left = ledger.withdraw(granted) else { return .cancelled }
      if left == .none { return .demandIsMet }
      // Removed again: of two copies of an iterator with a buffer, the next element would copy the buffer.
      pause(nil)
      granted = left
    }
  }

  /// Delivers without counting demand, until the elements end or the subscription is cancelled.
  @inlinable
  internal mutating func emitAll(_ ledger: borrowing DemandLedger) -> Outcome {
    // In a local variable: read from the loop's own memory, it would be retained for the length of each call.
    let downstream = downstream
    while !ledger.isClosed {
      let current = next
      let following = iterator.next()
      // The iterator may run a user's closure, which may cancel.
      if ledger.isClosed { return .cancelled }
      _ = downstream.receive(current)
      guard let following else { return .elementsEnded }
      next = following
    }
    return .cancelled
  }

  /// Delivers a number of elements, plus as many as the subscriber adds by the demand it returns.
  @inlinable
  internal mutating func emit(_ granted: Subscribers.Demand, _ ledger: borrowing DemandLedger) -> Outcome {
    let downstream = downstream
    var left = granted
    while left != .none {
      if ledger.isClosed { return .cancelled }
      let current = next
      let following = iterator.next()
      if ledger.isClosed { return .cancelled }
      left = left - 1 + downstream.receive(current)
      guard let following else { return .elementsEnded }
      next = following
    }
    return .demandIsMet
  }
}

/// The typed subclass, which stores the loop inline.
@usableFromInline
internal final class SequenceSubscription<Elements: IteratorProtocol, Downstream: Subscriber>: LoopSubscription
where Elements.Element == Downstream.Input {
  /// The loop while it is not running.
  ///
  /// The ledger gives one thread access at a time, which the compiler cannot see.
  @exclusivity(unchecked) @usableFromInline internal var waiting: SequenceLoop<Elements, Downstream>?
  @usableFromInline internal let ending: Subscribers.Completion<Downstream.Failure>

  @inlinable
  internal init(
    _ loop: consuming SequenceLoop<Elements, Downstream>, ending: Subscribers.Completion<Downstream.Failure>,
    shown: Any, nameAfterEnd: String, mirrored: @escaping (Any?) -> [(label: String?, value: Any)]
  ) {
    self.ending = ending
    let downstreamIsSynchronous = loop.downstream.isSynchronous
    waiting = loop
    super.init(
      shown: shown, nameAfterEnd: nameAfterEnd, mirrored: mirrored, downstreamIsSynchronous: downstreamIsSynchronous
    ) {
      subscription, order in
      let me = unsafeDowncast(subscription, to: SequenceSubscription.self)
      // Run as a local variable, which needs no reload after each call downstream.
      guard var loop = me.waiting.take(), order == .run else { return }
      switch loop.run(me.ledger, pause: { me.waiting = $0 }) {
      case .demandIsMet:
        return
      case .cancelled:
        me.waiting = nil
        me.end()
      case .elementsEnded:
        me.complete { loop.downstream.receive(completion: me.ending) }
      }
    }
  }
}

/// Delivers the elements of a sequence, then a completion, to a subscriber.
@inlinable
internal func attachSequence<Elements: Sequence, Downstream: Subscriber>(
  _ elements: Elements, ending: Subscribers.Completion<Downstream.Failure>, nameAfterEnd: String,
  mirrored: @escaping (Any?) -> [(label: String?, value: Any)], to downstream: Downstream
) where Elements.Element == Downstream.Input {
  var iterator = elements.makeIterator()
  guard let first = iterator.next() else { return attachNothing(ending: ending, to: downstream) }
  let subscription = SequenceSubscription(
    SequenceLoop(consume iterator, next: first, downstream: downstream), ending: ending, shown: elements,
    nameAfterEnd: nameAfterEnd, mirrored: mirrored)
  downstream.receive(subscription: subscription)
  subscription.endIntroduction()
}
