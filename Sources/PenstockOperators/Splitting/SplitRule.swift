// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// What is particular to an operator that divides a stream into parts: which part gets a value, and when a part ends.
///
/// A rule belongs to one ``SplitEngine``, and all methods are called by the owner of its loop. A method that puts a value
/// into a part or ends one calls the user's code, which may cause further calls of the same rule: so it changes its own
/// state before it does.
@usableFromInline
internal protocol SplitRule: AnyObject {
  associatedtype Input
  associatedtype Signal
  /// What tells parts apart.
  associatedtype Mark
  associatedtype Value
  associatedtype UpstreamFailure: Error
  associatedtype Failure: Error
  /// The publisher of a part.
  associatedtype Outlet

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  var limits: SplitLimits { get }

  /// Whether the next value of upstream is going to be dropped, since nobody wants the part that it belongs to.
  var isSkipping: Bool { get }

  /// Puts a value into a part, which it opens if there is none.
  func place(_ input: Input, in core: SplitSubscriber<Self>)

  /// Handles a value of the controlling upstream.
  func receive(signal: Signal, in core: SplitSubscriber<Self>)

  /// Forgets a part that nobody wants any more.
  func forget(_ part: SplitPart<Mark, Value, Failure>)

  /// Forgets all parts that are open, and whatever waits for time to pass.
  ///
  /// - Returns: The parts.
  func end() -> [SplitPart<Mark, Value, Failure>]

  /// Makes the publisher of a part.
  func makeOutlet(_ handle: SplitHandle<Mark, Value, Failure>) -> Outlet

  /// Upstream's failure, as downstream gets it.
  static func raise(_ failure: UpstreamFailure) -> Failure

  /// The failure for a value that does not fit into its part.
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
  /// What happens with a value whose part is full.
  @usableFromInline
  internal enum Policy: Sendable {
    /// None comes: upstream is asked for one value at a time, while no part is full, and for several where all that is
    /// downstream is unlimited.
    case hold
    case fail, dropNewest, dropOldest
  }

  /// How many values wait in a part.
  @usableFromInline internal let capacity: Int
  @usableFromInline internal let policy: Policy
  /// Whether a part holds upstream that downstream has not asked for; otherwise the stream fails if such a part is full.
  @usableFromInline internal let unpublishedHolds: Bool
  /// What is requested from upstream ahead of its delivery, while all that is downstream is unlimited.
  ///
  /// More than one value, so that what a subscriber sends from within a value finds it requested; and a number, since a part
  /// may come whose subscriber is slow, and these values then wait in it.
  @usableFromInline internal let prefetch: Subscribers.Demand

  @inlinable
  internal init(capacity: Int, policy: Policy, unpublishedHolds: Bool, prefetch: Int) {
    self.capacity = capacity
    self.policy = policy
    self.unpublishedHolds = unpublishedHolds
    self.prefetch = prefetch == .max ? .unlimited : .max(prefetch)
  }
}
