// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of an operator that frees its subscriber at the end and at a cancel, although that one may keep its
/// subscription.
///
/// The operator itself uses its subscriber for each value without a reference of its own, so it cannot let it go. It is
/// the operator that goes, with the subscriber: upstream drops it, and so does this.
@usableFromInline
internal final class HandoverHandle: CoreSubscription {
  private let whole: Guarded<HandoverSubscription?>
  private let name: String
  private let acceptsNothing: Bool
  private let identifier: CombineIdentifier

  internal init(_ whole: HandoverSubscription) {
    self.whole = Guarded(whole)
    name = whole.name
    acceptsNothing = whole.rules.acceptsNothing
    identifier = whole.combineIdentifier
  }

  @usableFromInline
  internal override func request(_ demand: Subscribers.Demand) {
    if !acceptsNothing, demand == .none { trap(.requestedNothing) }
    whole.withLock { $0 }?.request(demand)
  }

  @usableFromInline
  internal override func cancel() {
    whole.withLock { $0 }?.cancel()
  }

  /// Drops the operator, which is over.
  internal func clear() {
    // Freed here, outside of the lock.
    _ = whole.withLock { $0.take() }
  }

  @usableFromInline
  internal override func observeIdle(_ observer: any IdleObserver) -> Bool {
    whole.withLock { $0 }?.observeIdle(observer) ?? false
  }

  @usableFromInline
  internal override var above: CoreSubscription? { whole.withLock { $0 } }

  @usableFromInline
  internal override var combineIdentifier: CombineIdentifier { identifier }

  @usableFromInline
  internal override var description: String { name }
}
