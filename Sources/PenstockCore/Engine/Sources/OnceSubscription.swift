// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of a source with one value: ``Just``, and an optional or a result that has a value.
///
/// The first request delivers the value, then `.finished`. The ledger decides which thread delivers: the one that
/// raises it from zero. A cancel that finds the ledger at zero frees the subscriber, by the same rule. Neither needs a
/// lock.
@usableFromInline
package class OnceSubscription: BaseSubscription {
  /// The argument of the closure: the work to do.
  @usableFromInline
  package enum Order: Sendable {
    /// Deliver the value, then `.finished` unless a cancel comes first.
    case run
    /// Free the subscriber.
    case discard
  }

  @usableFromInline internal final let ledger = DemandLedger()
  @usableFromInline internal final let introduction = IntroductionHold()
  @usableFromInline internal final let name: String

  /// Made where the types are concrete; see ``BaseSubscription``.
  @usableFromInline internal final let work: (OnceSubscription, Order) -> Void

  @usableFromInline
  internal init(name: String, work: @escaping (OnceSubscription, Order) -> Void) {
    self.name = name
    self.work = work
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    // The amount of demand does not matter, so a request that is held back needs no record of it.
    if introduction.isOpen || !introduction.holdBack() { answer() }
  }

  @usableFromInline
  internal final func answer() {
    if ledger.add(.max(1)) == .some(.none) { work(self, .run) }
  }

  /// Called when `receive(subscription:)` has returned: serves a request that another thread has made meanwhile.
  @_alwaysEmitIntoClient
  internal final func endIntroduction() {
    if !ledger.isClosed, introduction.end() { answer() }
  }

  @usableFromInline
  package final override func cancel() {
    // With demand outstanding the value is being delivered, and the delivering thread checks the ledger before it
    // completes.
    if case .idle = ledger.close() { work(self, .discard) }
  }

  /// Closes the stream before its completion is delivered.
  ///
  /// - Returns: Whether to deliver the completion: not if a cancel came first.
  @usableFromInline
  internal final func closeForCompletion() -> Bool {
    if case .already = ledger.close() { false } else { true }
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.phase = LinkState.Phase(isClosed: ledger.isClosed)
    link.take(ledger)
    link.hasValuesAtHand = true
  }

  @usableFromInline
  package final override var description: String { name }
}

/// The typed subclass, which stores the value and the subscriber inline.
@usableFromInline
internal final class TypedOnceSubscription<Output, Downstream: Subscriber>: OnceSubscription
where Downstream.Input == Output {
  @usableFromInline internal let output: Output

  /// The subscriber.
  ///
  /// The ledger gives one thread access at a time, which the compiler cannot see.
  @exclusivity(unchecked) @usableFromInline internal var downstream: Downstream?

  @_alwaysEmitIntoClient
  internal init(_ output: Output, name: String, downstream: Downstream) {
    self.output = output
    self.downstream = downstream
    super.init(name: name) { subscription, order in
      let me = unsafeDowncast(subscription, to: TypedOnceSubscription.self)
      // Taken out, so that the subscriber is released after the delivery even if the subscription is kept.
      guard let downstream = me.downstream.take(), order == .run else { return }
      _ = downstream.receive(me.output)
      if me.closeForCompletion() { downstream.receive(completion: .finished) }
    }
  }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.passed.add(Downstream.self)
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] { [(nil, output)] }
}

/// Delivers one value, and then `.finished`, to a subscriber.
///
/// - Parameters:
///   - output: The value.
///   - name: The description of the subscription.
///   - downstream: The subscriber.
@inlinable @inline(__always)
package func attachOnce<Downstream: Subscriber>(
  _ output: Downstream.Input, name: String, to downstream: Downstream
) {
  let subscription = TypedOnceSubscription(output, name: name, downstream: downstream)
  downstream.receive(subscription: subscription)
  subscription.endIntroduction()
}

/// Delivers a subscription and a completion to a subscriber, without waiting for demand.
@inlinable
package func attachNothing<Downstream: Subscriber>(
  ending: Subscribers.Completion<Downstream.Failure>, to downstream: Downstream
) {
  downstream.receive(subscription: Subscriptions.empty)
  downstream.receive(completion: ending)
}
