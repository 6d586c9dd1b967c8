// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The transformation of values in an operator that may owe outputs to downstream: outputs that nothing has requested
/// yet, such as the result at the end of a stream.
///
/// ``QueuedSubscriber`` provides the rest: it holds outputs until they are requested, and delivers the completion after
/// them. A stage with state is a final class, as for ``Stage``.
@usableFromInline
package protocol QueuedStage<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype Channel: ErrorChannel

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// The demand that is requested from upstream.
  var demand: QueuedDemand { get }

  /// How outputs that are delivered before the end use up downstream's demand.
  static var accounting: QueuedAccounting { get }

  /// Whether a `.finished` without an output before it waits for demand, too.
  ///
  /// Combine's operators that reduce a stream to one value do that.
  static var finishWaitsForDemand: Bool { get }

  /// Whether a failure waits for held outputs; otherwise it discards them.
  static var failureWaits: Bool { get }

  /// Whether a completion is forwarded in every state of the stream: before the subscription, after a cancel, and after
  /// another completion.
  static var forwardsEveryCompletion: Bool { get }

  /// Whether a value may become several outputs: ``receive(_:into:)`` is called then, and ``receive(_:)`` is not.
  static var isExpanding: Bool { get }

  /// Decides what to do with one value; `.finish` calls ``finish(_:into:)``, as upstream's `.finished` would.
  func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Output, Channel.Downstream>

  /// Decides what to do with one value that may become several outputs.
  ///
  /// - Parameters:
  ///   - input: The value.
  ///   - outputs: The outputs that precede the returned one, to be appended to.
  func receive(
    _ input: Input, into outputs: inout Outputs<Output>
  ) throws(Channel.Thrown) -> Verdict<Output, Channel.Downstream>

  /// Ends the stream.
  ///
  /// - Parameters:
  ///   - completion: Upstream's completion.
  ///   - outputs: The outputs that precede downstream's `.finished`, to be appended to. Unless ``failureWaits``, a
  ///     failure discards all outputs that have not been delivered, these included.
  /// - Returns: The completion for downstream.
  func finish(
    _ completion: Subscribers.Completion<Channel.Upstream>, into outputs: inout Outputs<Output>
  ) -> Subscribers.Completion<Channel.Downstream>

  /// Adds what the stage keeps to the state that the inspector shows.
  func show(in link: inout LinkState)

  /// The children that a debugger shows for this stage and for upstream's subscription.
  func mirrorChildren(downstream: Any, slot: borrowing SubscriptionSlot) -> [(label: String?, value: Any)]
}

extension QueuedStage {
  @_alwaysEmitIntoClient
  package var demand: QueuedDemand { .same }

  @_alwaysEmitIntoClient
  package static var isExpanding: Bool { false }

  @inlinable
  package func receive(
    _ input: Input, into outputs: inout Outputs<Output>
  ) throws(Channel.Thrown) -> Verdict<Output, Channel.Downstream> { try receive(input) }

  @_alwaysEmitIntoClient
  package static var accounting: QueuedAccounting { .holding }

  @_alwaysEmitIntoClient
  package static var finishWaitsForDemand: Bool { false }

  @_alwaysEmitIntoClient
  package static var failureWaits: Bool { false }

  @_alwaysEmitIntoClient
  package static var forwardsEveryCompletion: Bool { false }

  @_alwaysEmitIntoClient
  package func show(in link: inout LinkState) {}

  @_alwaysEmitIntoClient
  package func mirrorChildren(
    downstream: Any, slot: borrowing SubscriptionSlot
  ) -> [(label: String?, value: Any)] { [] }
}

/// A queued stage in which a value becomes any number of outputs.
///
/// The next value is requested only when all outputs have been delivered and more are wanted, so that never more than
/// the outputs of one value are held. A completion, also a failure, waits until they have been delivered.
@usableFromInline
package protocol ExpandingStage: QueuedStage {}

extension ExpandingStage {
  @_alwaysEmitIntoClient
  package static var isExpanding: Bool { true }

  @_alwaysEmitIntoClient
  package static var failureWaits: Bool { true }

  @_alwaysEmitIntoClient
  package var demand: QueuedDemand { .whileUnmet }

  @inlinable
  package func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Output, Channel.Downstream> {
    var outputs = Outputs<Output>()
    return try receive(input, into: &outputs)
  }
}

/// The demand that an operator of the queued shape requests from upstream.
@usableFromInline
package enum QueuedDemand: Sendable {
  /// Unlimited values, once, whatever downstream requests.
  case unlimited
  /// Downstream's demand, multiplied; a negative factor traps at the first request, in the name of the operator.
  case multiplied(by: Int, operator: String)
  /// One value at a time, while downstream's demand is not met; unlimited values once downstream's demand is unlimited.
  case whileUnmet

  /// Downstream's demand.
  @_alwaysEmitIntoClient
  package static var same: Self { .multiplied(by: 1, operator: "") }

  /// Traps, in the name of the operator, if downstream's demand would be multiplied by a negative number.
  @_alwaysEmitIntoClient
  internal func check() {
    if case .multiplied(let factor, let name) = self, factor < 0 { trap(.negativeCount(operator: name)) }
  }

  /// The demand to return to upstream for demand that downstream has returned.
  @inlinable
  internal func answer(_ more: Subscribers.Demand) -> Subscribers.Demand {
    switch self {
    case .unlimited, .whileUnmet: .none
    case .multiplied(let factor, _): factor == 1 || more == .none ? more : more * factor
    }
  }
}

/// How the outputs that an operator delivers before the end of its stream use up downstream's demand.
@usableFromInline
package enum QueuedAccounting: Sendable {
  /// They use up none, and are always delivered.
  case none
  /// They use up demand, and are delivered without demand, too.
  case lenient
  /// They use up demand; without demand they are dropped if upstream does not count it, and trap otherwise.
  case strict
  /// They use up demand; without demand they are held until some is added.
  case holding
}
