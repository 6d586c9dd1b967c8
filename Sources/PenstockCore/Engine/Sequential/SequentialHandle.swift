// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscription of an operator that releases its subscriber at the end and at a cancel, even if the subscriber
/// keeps its subscription.
///
/// The operator itself delivers to its subscriber without a reference of its own, so it cannot release it. Instead the
/// operator is released, together with its subscriber: upstream drops it, and so does this handle.
internal final class SequentialHandle: BaseSubscription {
  private let sequence: Guarded<SequentialSubscription?>
  private let name: String
  private let acceptsZeroDemand: Bool
  private let identifier: CombineIdentifier

  internal init(_ sequence: SequentialSubscription) {
    self.sequence = Guarded(sequence)
    name = sequence.name
    acceptsZeroDemand = sequence.traits.acceptsZeroDemand
    identifier = sequence.combineIdentifier
  }

  internal override func request(_ demand: Subscribers.Demand) {
    if !acceptsZeroDemand, demand == .none { trap(.requestedNothing) }
    sequence.withLock { $0 }?.request(demand)
  }

  internal override func cancel() {
    sequence.withLock { $0 }?.cancel()
  }

  /// Releases the operator, whose stream is over.
  internal func discard() {
    sequence.release { $0.take() }
  }

  internal override var upstreamBase: BaseSubscription? { sequence.withLock { $0 } }

  internal override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.add(upstreamBase)
    link.isForwarding = true
  }

  internal override var combineIdentifier: CombineIdentifier { identifier }

  internal override var description: String { name }
}
