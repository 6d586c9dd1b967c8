// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The outstanding demand of one subscriber, until the subscriber cancels or the stream ends.
///
/// All demand arithmetic of the engine is here, apart from the operators of ``Subscribers/Demand``. The ledger is a
/// single atomic word: a source with unlimited demand notices a cancel with one relaxed load per value, and no
/// operation takes a lock.
///
/// For a source that emits in a loop, the ledger also decides which thread runs the loop. A request that finds the
/// balance at zero starts the loop; any other request only adds its demand, and the running loop serves it. Such a loop
/// withdraws demand after the delivery, not before, so the balance stays above zero while the loop runs.
@usableFromInline
package struct DemandLedger: ~Copyable, Sendable {
  /// A demand's raw value, or ``closed``, which is greater than every raw value.
  @usableFromInline
  internal let word: AtomicCell<UInt>

  /// How often demand has been added since the ledger was made, roughly: two threads at a time may count once.
  ///
  /// For tools, to which it shows that a subscriber continues to request.
  @usableFromInline
  internal let additions = ShownCell<UInt>(0)

  /// The word of a closed ledger.
  @_alwaysEmitIntoClient
  internal static var closed: UInt { .max }

  @_alwaysEmitIntoClient
  package init() {
    word = AtomicCell(0)
  }

  /// Whether the ledger is closed: the subscriber accepts no more values.
  ///
  /// One relaxed load.
  @_alwaysEmitIntoClient
  package var isClosed: Bool {
    word.load(ordering: .relaxed) == Self.closed
  }

  /// Whether everything has been requested.
  ///
  /// One relaxed load.
  @_alwaysEmitIntoClient
  package var isUnlimited: Bool {
    word.load(ordering: .relaxed) == Subscribers.Demand.unlimitedCount
  }

  /// The outstanding demand; `.none` once closed.
  @_alwaysEmitIntoClient
  package var balance: Subscribers.Demand {
    let raw = word.load(ordering: .relaxed)
    return raw == Self.closed ? .none : Subscribers.Demand(count: raw)
  }

  /// Sets the demand of a ledger that no other thread knows yet.
  @_alwaysEmitIntoClient
  internal func begin(with demand: Subscribers.Demand) { word.store(demand.count, ordering: .relaxed) }

  /// Adds to the outstanding demand.
  ///
  /// - Returns: The demand that was outstanding before, or `nil` if the ledger is closed.
  @_alwaysEmitIntoClient
  @discardableResult
  package func add(_ demand: Subscribers.Demand) -> Subscribers.Demand? {
    additions.add(1)
    return change { $0 + demand }?.old
  }

  /// Subtracts demand that has been served.
  ///
  /// - Returns: The demand that is left, or `nil` if the ledger is closed.
  @inlinable
  package func withdraw(_ demand: Subscribers.Demand) -> Subscribers.Demand? {
    change { $0 - demand }?.new
  }

  /// Subtracts demand that has been served, unless nothing would be left.
  ///
  /// For a loop that continues as long as demand is left: other threads do not start it before the balance is zero.
  ///
  /// - Returns: The demand that is left; `nil` if nothing would be, or if the ledger is closed.
  @inlinable
  package func withdraw(leavingSome demand: Subscribers.Demand) -> Subscribers.Demand? {
    change { $0 == demand ? nil : $0 - demand }?.new
  }

  /// Subtracts all outstanding demand; only for a ledger that is never closed.
  ///
  /// - Returns: The demand that was outstanding.
  @_alwaysEmitIntoClient
  package func withdrawAll() -> Subscribers.Demand {
    let raw = word.exchange(0, ordering: .acquiringAndReleasing)
    assertInvariant(raw != Self.closed, "that a ledger whose balance is withdrawn is never closed")
    return Subscribers.Demand(count: raw)
  }

  /// Subtracts the outstanding demand, up to a number of values; nothing from a closed ledger.
  ///
  /// - Returns: The number of values subtracted; from unlimited demand the whole number, which leaves it unlimited.
  @inlinable
  package func take(upTo most: Int) -> Int {
    guard let (old, _) = change({ $0 - min($0, .max(most)) }) else { return 0 }
    return min(old, .max(most)).max ?? most
  }

  /// Debits one value, if demand is outstanding.
  ///
  /// - Returns: Whether the value may be delivered. With unlimited demand this is one load and no write.
  @_alwaysEmitIntoClient
  package func takeOne() -> Bool {
    var raw = word.load(ordering: .relaxed)
    while true {
      if raw == Subscribers.Demand.unlimitedCount { return true }
      if raw == 0 || raw == Self.closed { return false }
      let (exchanged, original) = word.weakCompareExchange(
        expected: raw, desired: raw - 1, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if exchanged { return true }
      raw = original
    }
  }

  /// The state in which ``close()`` found the ledger.
  @usableFromInline
  package enum Closing: Sendable {
    /// The ledger was closed already.
    case already
    /// This call closed it, and no demand was outstanding: no loop is running.
    case idle
    /// This call closed it while demand was outstanding: if the source emits in a loop, the loop is running and will
    /// notice.
    case busy
  }

  /// Closes the ledger for good.
  @_alwaysEmitIntoClient
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
    _ arithmetic: (Subscribers.Demand) -> Subscribers.Demand?
  ) -> (old: Subscribers.Demand, new: Subscribers.Demand)? {
    var raw = word.load(ordering: .relaxed)
    while true {
      if raw == Self.closed { return nil }
      let old = Subscribers.Demand(count: raw)
      guard let new = arithmetic(old) else { return nil }
      // A weak exchange that fails costs one more turn; the arithmetic has no side effects.
      let (exchanged, original) = word.weakCompareExchange(
        expected: raw, desired: new.count, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if exchanged {
        assertInvariant(new.count <= Subscribers.Demand.unlimitedCount, "that a ledger's balance is a demand")
        return (old, new)
      }
      raw = original
    }
  }
}
