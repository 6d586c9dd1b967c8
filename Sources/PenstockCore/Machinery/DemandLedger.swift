// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// What one subscriber has asked for and not yet received, and whether it still wants anything.
///
/// The one place with demand arithmetic beside ``Subscribers/Demand`` itself. It is a single atomic word, so that a
/// source with unlimited demand learns of a cancel by one relaxed load a value, and needs no lock for any of it.
///
/// A source that emits in a loop also reads from it who may emit: a request that finds the ledger at zero starts the
/// loop, one that finds anything else leaves its demand to the loop that is running. Such a loop withdraws what it has
/// delivered only when it has delivered it, so the ledger stays above zero while it runs.
@usableFromInline
package struct DemandLedger: ~Copyable, Sendable {
  /// A demand's raw value, or the mark below, which lies above all of those.
  @usableFromInline
  internal let word: Atomic<UInt>

  /// Nothing is wanted any more.
  @inlinable
  internal static var closed: UInt { .max }

  @inlinable
  package init() {
    word = Atomic(0)
  }

  /// Whether the subscriber wants nothing any more.
  ///
  /// One relaxed load.
  @inlinable
  package var isClosed: Bool {
    word.load(ordering: .relaxed) == Self.closed
  }

  /// Whether everything has been asked for.
  ///
  /// One relaxed load.
  @inlinable
  package var isUnlimited: Bool {
    word.load(ordering: .relaxed) == Subscribers.Demand.unlimitedRawValue
  }

  /// What is outstanding; `.none` once closed.
  @inlinable
  package var balance: Subscribers.Demand {
    let raw = word.load(ordering: .relaxed)
    return raw == Self.closed ? .none : Subscribers.Demand(rawValue: raw)
  }

  /// Adds to what is outstanding.
  ///
  /// - Returns: What was outstanding before, or `nil` if the ledger is closed.
  @inlinable
  @discardableResult
  package func add(_ demand: Subscribers.Demand) -> Subscribers.Demand? {
    change { $0 + demand }?.old
  }

  /// Takes off what has been delivered.
  ///
  /// - Returns: What is left, or `nil` if the ledger is closed.
  @inlinable
  package func withdraw(_ demand: Subscribers.Demand) -> Subscribers.Demand? {
    change { $0 - demand }?.new
  }

  /// Takes off everything; only for a ledger that is never closed.
  ///
  /// - Returns: What was outstanding.
  @inlinable
  package func withdrawAll() -> Subscribers.Demand {
    Subscribers.Demand(rawValue: word.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// Takes one value's worth, if there is that much.
  ///
  /// - Returns: Whether the value may be delivered. Unlimited demand costs one load and no write.
  @inlinable
  package func takeOne() -> Bool {
    var raw = word.load(ordering: .relaxed)
    while true {
      if raw == Subscribers.Demand.unlimitedRawValue { return true }
      if raw == 0 || raw == Self.closed { return false }
      let (exchanged, original) = word.weakCompareExchange(
        expected: raw, desired: raw - 1, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if exchanged { return true }
      raw = original
    }
  }

  /// How a ledger was closed.
  @usableFromInline
  package enum Closing: Sendable {
    /// It was closed before.
    case already
    /// It was closed now, with nothing outstanding: no loop is running.
    case idle
    /// It was closed now, with demand outstanding: where a loop emits, it is running, and will see the mark.
    case busy
  }

  /// Ends the demand for good.
  @inlinable
  package func close() -> Closing {
    var raw = word.load(ordering: .relaxed)
    while true {
      if raw == Self.closed { return .already }
      let (exchanged, original) = word.weakCompareExchange(
        expected: raw, desired: Self.closed, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if exchanged { return raw == 0 ? .idle : .busy }
      raw = original
    }
  }

  @inlinable
  internal func change(
    _ arithmetic: (Subscribers.Demand) -> Subscribers.Demand
  ) -> (old: Subscribers.Demand, new: Subscribers.Demand)? {
    var raw = word.load(ordering: .relaxed)
    while true {
      if raw == Self.closed { return nil }
      let old = Subscribers.Demand(rawValue: raw)
      let new = arithmetic(old)
      // A failed weak exchange costs one more turn; the arithmetic has no side effect.
      let (exchanged, original) = word.weakCompareExchange(
        expected: raw, desired: new.rawValue, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if exchanged { return (old, new) }
      raw = original
    }
  }
}
