// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of a source that has one value: behind ``Just``, and behind an optional or a result that has one.
///
/// The first request delivers the value, and `.finished` behind it. The ledger says who does: whoever raises it from
/// nothing has the work to itself, and so has a cancel that finds nothing outstanding. No lock is needed for either.
@usableFromInline
package final class OnceSubscription: CoreSubscription {
  @usableFromInline internal let ledger = DemandLedger()
  @usableFromInline internal let name: String

  /// The value, for the mirror.
  @usableFromInline internal let output: Any

  /// Delivers the value and `.finished`.
  ///
  /// Made where the types are known; see ``CoreSubscription``.
  ///
  /// The ledger hands it from thread to thread, which the compiler cannot see.
  @exclusivity(unchecked) @usableFromInline internal var work: ((OnceSubscription) -> Void)?

  @inlinable
  internal init(name: String, output: Any, work: @escaping (OnceSubscription) -> Void) {
    self.name = name
    self.output = output
    self.work = work
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    guard ledger.add(demand) == .some(.none) else { return }
    // Taken, so that the subscriber goes when the work has been done, even if somebody keeps the subscription.
    let work = work.take()
    work?(self)
  }

  @usableFromInline
  package override func cancel() {
    // With demand outstanding the work is under way, and looks at the ledger before it goes on.
    guard case .idle = ledger.close() else { return }
    let unused = work.take()
    _ = unused
  }

  /// Closes the stream before its completion is delivered.
  ///
  /// - Returns: Whether there is to be a completion: not if a cancel came first.
  @usableFromInline
  internal func closeForCompletion() -> Bool {
    if case .already = ledger.close() { false } else { true }
  }

  @usableFromInline
  package override var description: String { name }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] { [(nil, output)] }
}

/// Delivers one value, and then `.finished`, to a subscriber.
///
/// Not forced inline: with the closure inside of `receive(subscriber:)` the compiler crashes in release builds.
///
/// - Parameters:
///   - output: The value.
///   - name: The description of the subscription.
///   - downstream: The subscriber.
@inlinable
internal func attachOnce<Downstream: Subscriber>(
  _ output: Downstream.Input, name: String, to downstream: Downstream
) {
  downstream.receive(
    subscription: OnceSubscription(name: name, output: output) { subscription in
      _ = downstream.receive(output)
      if subscription.closeForCompletion() { downstream.receive(completion: .finished) }
    })
}

/// Delivers nothing but a completion to a subscriber, for which it needs not to ask.
@inlinable
internal func attachNothing<Downstream: Subscriber>(
  ending: Subscribers.Completion<Downstream.Failure>, to downstream: Downstream
) {
  downstream.receive(subscription: Subscriptions.empty)
  downstream.receive(completion: ending)
}
