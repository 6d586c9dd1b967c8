// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The rule of an operator that divides a stream into parts: which part gets a value, and when a part ends.
///
/// A rule belongs to one ``SplitEngine``, and all methods are called by the owner of its loop. A method that puts a
/// value into a part or ends a part calls the user's code, which may cause further calls of the same rule: so it
/// changes the rule's state first.
@usableFromInline
internal protocol SplitRule: AnyObject {
  associatedtype Input
  associatedtype Signal
  /// The mark that distinguishes parts.
  associatedtype Mark
  associatedtype Value
  associatedtype UpstreamFailure: Error
  associatedtype Failure: Error
  /// The publisher of a part.
  associatedtype Outlet

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  var limits: SplitLimits { get }

  /// Whether the next value of upstream will be dropped, since the part that it belongs to is not wanted.
  var isSkipping: Bool { get }

  /// Puts a value into a part, which it opens if necessary.
  func place(_ input: Input, in core: SplitSubscriber<Self>)

  /// Handles a value of the controlling upstream.
  func receive(signal: Signal, in core: SplitSubscriber<Self>)

  /// Forgets a part that is not wanted any more.
  func forget(_ part: SplitPart<Mark, Value, Failure>)

  /// Forgets all parts that are open, and whatever waits for time to pass.
  ///
  /// - Returns: The parts.
  func end() -> [SplitPart<Mark, Value, Failure>]

  /// Makes the publisher of a part.
  func makeOutlet(_ handle: SplitHandle<Mark, Value, Failure>) -> Outlet

  /// Returns upstream's failure as downstream gets it.
  static func raise(_ failure: UpstreamFailure) -> Failure

  /// Returns the failure for a value that does not fit into its part.
  func overflow(of part: SplitPart<Mark, Value, Failure>) -> Failure?
}

extension SplitRule {
  @inlinable
  internal var isSkipping: Bool { false }

  @inlinable
  internal func receive(signal: Signal, in core: SplitSubscriber<Self>) {}

  @inlinable
  internal func overflow(of part: SplitPart<Mark, Value, Failure>) -> Failure? { nil }
}

extension SplitRule where Failure == UpstreamFailure {
  @inlinable
  internal static func raise(_ failure: UpstreamFailure) -> Failure { failure }
}

/// How many values the parts of a stream keep, and what happens beyond that.
@usableFromInline
internal struct SplitLimits: Sendable {
  /// What happens to a value whose part is full.
  @usableFromInline
  internal enum Policy: Sendable {
    /// There is no such value: upstream is asked for one value at a time, while no part is full, and for several if all
    /// demand downstream is unlimited.
    case hold
    case fail, dropNewest, dropOldest
  }

  /// How many values wait in a part.
  @usableFromInline internal let capacity: Int
  @usableFromInline internal let policy: Policy
  /// Whether a part that downstream has not requested holds upstream; otherwise the stream fails if such a part is
  /// full.
  @usableFromInline internal let unpublishedHolds: Bool
  /// The demand that is requested from upstream ahead of delivery, while all demand downstream is unlimited.
  ///
  /// More than one value, so that what a subscriber sends while it receives a value has been requested; and a limited
  /// number, since a part with a slow subscriber may follow, and these values then wait in it.
  @usableFromInline internal let prefetch: Subscribers.Demand

  @inlinable
  internal init(capacity: Int, policy: Policy, unpublishedHolds: Bool, prefetch: Int) {
    self.capacity = capacity
    self.policy = policy
    self.unpublishedHolds = unpublishedHolds
    self.prefetch = prefetch == .max ? .unlimited : .max(prefetch)
  }
}
