// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of a source that has one value: behind ``Just``, and behind an optional or a result that has one.
///
/// The first request delivers the value, and `.finished` behind it. The ledger says who does: whoever raises it from
/// nothing has the work to itself, and so has a cancel that finds nothing outstanding. No lock is needed for either.
@usableFromInline
package class OnceSubscription: CoreSubscription {
  /// What the leaf of the hierarchy is told to do.
  @usableFromInline
  package enum Order: Sendable {
    /// Deliver the value, and `.finished` unless a cancel comes first.
    case run
    /// Free the subscriber.
    case discard
  }

  @usableFromInline internal let ledger = DemandLedger()
  @usableFromInline internal let introduction = IntroductionHold()
  @usableFromInline internal let name: String

  /// Made where the types are known; see ``CoreSubscription``.
  @usableFromInline internal let work: (OnceSubscription, Order) -> Void

  @inlinable
  internal init(name: String, work: @escaping (OnceSubscription, Order) -> Void) {
    self.name = name
    self.work = work
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    // Any demand is as good as any other, so there is nothing to put down for one that is held back.
    if introduction.isOpen || !introduction.holdBack() { answer() }
  }

  @usableFromInline
  internal final func answer() {
    if ledger.add(.max(1)) == .some(.none) { work(self, .run) }
  }

  /// Called when `receive(subscription:)` has returned: what other threads have asked for meanwhile is answered.
  @inlinable
  internal final func endIntroduction() {
    if !ledger.isClosed, introduction.end() { answer() }
  }

  @usableFromInline
  package final override func cancel() {
    // With demand outstanding the work is under way, and looks at the ledger before it goes on.
    if case .idle = ledger.close() { work(self, .discard) }
  }

  /// Closes the stream before its completion is delivered.
  ///
  /// - Returns: Whether there is to be a completion: not if a cancel came first.
  @usableFromInline
  internal final func closeForCompletion() -> Bool {
    if case .already = ledger.close() { false } else { true }
  }

  @usableFromInline
  package final override var description: String { name }
}

/// The value and the subscriber, in the same object.
@usableFromInline
internal final class OnceSubscriptionTo<Output, Downstream: Subscriber>: OnceSubscription
where Downstream.Input == Output {
  @usableFromInline internal let output: Output

  /// The ledger hands it from thread to thread, which the compiler cannot see.
  @exclusivity(unchecked) @usableFromInline internal var downstream: Downstream?

  @inlinable
  internal init(_ output: Output, name: String, downstream: Downstream) {
    self.output = output
    self.downstream = downstream
    super.init(name: name) { subscription, order in
      let me = unsafeDowncast(subscription, to: OnceSubscriptionTo.self)
      // Taken, so that the subscriber goes when the work has been done, even if somebody keeps the subscription.
      guard let downstream = me.downstream.take(), order == .run else { return }
      _ = downstream.receive(me.output)
      if me.closeForCompletion() { downstream.receive(completion: .finished) }
    }
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
internal func attachOnce<Downstream: Subscriber>(
  _ output: Downstream.Input, name: String, to downstream: Downstream
) {
  let subscription = OnceSubscriptionTo(output, name: name, downstream: downstream)
  downstream.receive(subscription: subscription)
  subscription.endIntroduction()
}

/// Delivers nothing but a completion to a subscriber, for which it needs not to ask.
@inlinable
internal func attachNothing<Downstream: Subscriber>(
  ending: Subscribers.Completion<Downstream.Failure>, to downstream: Downstream
) {
  downstream.receive(subscription: Subscriptions.empty)
  downstream.receive(completion: ending)
}
