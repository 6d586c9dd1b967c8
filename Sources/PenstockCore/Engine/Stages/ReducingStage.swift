// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The stage of an operator that requests all values, and delivers at most one result when the stream ends, or when a
/// value has decided it.
///
/// A final class, because it has state.
@usableFromInline
package protocol ReducingStage: QueuedStage where Channel: ForwardingChannel {
  /// The result of a stream without values; `nil` if such a stream ends without a result.
  static var initial: Output? { get }

  /// The result so far; `nil` for a stream that ends without one.
  var result: Output? { get }
}

extension ReducingStage {
  @_alwaysEmitIntoClient
  package var demand: QueuedDemand { .unlimited }

  @_alwaysEmitIntoClient
  package static var finishWaitsForDemand: Bool { true }

  @_alwaysEmitIntoClient
  package static var initial: Output? { nil }

  @inlinable
  package func finish(
    _ completion: Subscribers.Completion<Channel.Upstream>, into outputs: inout Outputs<Output>
  ) -> Subscribers.Completion<Channel.Downstream> {
    if case .finished = completion, let result { outputs.append(result) }
    return completion.mapError(Channel.forward)
  }

  @usableFromInline
  package func show(in link: inout LinkState) { if link.waiting == 0 { link.wait = .end } }

  @usableFromInline
  package func mirrorChildren(
    downstream: Any, slot: borrowing SubscriptionSlot
  ) -> [(label: String?, value: Any)] {
    [
      ("downstream", downstream), ("result", result as Any), ("initial", Self.initial as Any), ("status", slot.phase),
    ]
  }
}
