// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How much a link that is made now counts.
@usableFromInline
package enum LinkCounting: UInt8, AtomicCellValue, Sendable {
  case off
  /// The number of values that have passed.
  case values
  /// The number, and when and where the latest signals have passed.
  case signals
}

/// Read once for each link, when it is made.
@usableFromInline
package let linkCounting = ShownCell<LinkCounting>()

/// The counts of one link.
///
/// A link delivers one signal at a time, so nothing here is a read-modify-write operation; tools read on any thread.
@usableFromInline
package final class LinkRecord: @unchecked Sendable {
  // `@unchecked`: the variables are atomic cells, and the rest does not change after ``begin(_:)``.

  @usableFromInline package let values = ShownCell<UInt>(0)
  /// The latest signals, if they are kept.
  package let ring: SignalRing?
  /// The thread of the latest signal.
  package let thread = ShownCell<UInt>(0)

  /// The number of the link; zero before it is known.
  private var number: UInt64 = 0

  @usableFromInline
  package init(_ counting: LinkCounting) {
    ring = counting == .signals ? SignalRing() : nil
  }

  deinit { if number != 0 { linkRecords.remove(number) } }

  /// Counts a value.
  @usableFromInline
  package func note() {
    values.add(1)
    if let ring { note(.value, in: ring) }
  }

  /// Notes another signal.
  package func note(_ kind: SignalRing.Kind) {
    if let ring { note(kind, in: ring) }
  }

  private func note(_ kind: SignalRing.Kind, in ring: SignalRing) {
    thread.set(currentThread())
    ring.append(kind)
  }

  /// Registers the record under the number of its link.
  internal func begin(_ number: UInt64) {
    self.number = number
    if number != 0 { linkRecords.add(self, number) }
  }

  /// Returns a record for a link that is made now; a function of its own, since it is seldom called.
  @usableFromInline @inline(never)
  internal static func make() -> LinkRecord { LinkRecord(linkCounting.value) }
}

/// The records of the links that count, by number.
package let linkRecords = LinkRecords()

package struct LinkRecords: ~Copyable, @unchecked Sendable {
  // `@unchecked`: the dictionary is behind the lock.

  private let records = Guarded<[UInt64: WeakReference<LinkRecord>]>([:])

  fileprivate func add(_ record: LinkRecord, _ number: UInt64) {
    records.withLock { $0[number] = WeakReference(record) }
  }

  fileprivate func remove(_ number: UInt64) {
    records.withLock { records in
      records[number] = nil
      if records.isEmpty { records = [:] }
    }
  }

  package subscript(_ number: UInt64) -> LinkRecord? { records.withLock { $0[number]?.object } }

  /// The number of records.
  package var count: Int { records.withLock { $0.count } }
}
