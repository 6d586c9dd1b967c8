// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A table with one companion per object.
///
/// Objects are keyed by address and referenced weakly. An address may be reused, so an entry is valid only if it still
/// references the same object. An entry is removed by the owner of its companion, or otherwise as the table grows; see
/// ``companion(of:_:)``.
package final class ObjectTable<Companion: Sendable>: Sendable {
  /// A class, because copying weak references costs more than everything else here.
  private final class Entry {
    let reference: WeakReference<AnyObject>
    let companion: Companion

    init(_ object: AnyObject, _ companion: Companion) {
      reference = WeakReference(object)
      self.companion = companion
    }
  }

  private struct State: ~Copyable {
    var entries: [UInt: Entry] = [:]
    /// The number of entries at which entries of freed objects are removed.
    var limit = 16

    /// Returns the entry of an object.
    ///
    /// The caller keeps the object alive, so the reference that is made here is not the last one.
    func entry(of object: AnyObject) -> Entry? {
      guard let entry = entries[ObjectTable.address(of: object)], entry.reference.object === object else { return nil }
      return entry
    }
  }

  private let state = Guarded(State())

  package init() {}

  /// Returns the key of an object.
  package static func address(of object: AnyObject) -> UInt { UInt(bitPattern: ObjectIdentifier(object)) }

  /// The number of entries, including some of freed objects.
  package var count: Int { state.withLock { $0.entries.count } }

  /// Reads the companion of an object, if it has one.
  ///
  /// - Parameter read: Called under the lock.
  package func read<Result>(of object: AnyObject, _ read: (Companion) -> Result?) -> Result? {
    state.withLock { state in state.entry(of: object).flatMap { read($0.companion) } }
  }

  /// Returns the companion of an object, if it has one.
  package func companion(of object: AnyObject) -> Companion? { read(of: object) { $0 } }

  /// Returns the companion of an object, created if there is none, and kept for the lifetime of the object.
  ///
  /// The entries of freed objects are removed when the table has doubled in size.
  package func companion(of object: AnyObject, _ make: () -> Companion) -> Companion {
    if let known = companion(of: object) { return known }
    let made = Entry(object, make())
    // Removed entries are released outside the lock, and so are the objects read from weak references: for a moment the
    // table may hold the last reference to one.
    var looked: [AnyObject] = []
    var gone: [Entry] = []
    let companion = state.withLock { state in
      if let known = state.entry(of: object) { return known.companion }
      if let stale = state.entries.updateValue(made, forKey: Self.address(of: object)) { gone.append(stale) }
      if state.entries.count >= state.limit {
        for (key, entry) in state.entries {
          if let object = entry.reference.object {
            looked.append(object)
          } else {
            gone.append(entry)
            state.entries[key] = nil
          }
        }
        state.limit = max(16, 2 * state.entries.count)
      }
      return made.companion
    }
    withExtendedLifetime((looked, gone)) {}
    return companion
  }

  /// Stores the companion of an object in place of an earlier one, until ``remove(at:if:)`` is called.
  ///
  /// - Parameter condition: Whether to store it; called under the lock.
  package func set(_ companion: Companion, of object: AnyObject, if condition: () -> Bool) {
    let entry = Entry(object, companion)
    let earlier = state.withLock { state in
      condition() ? state.entries.updateValue(entry, forKey: Self.address(of: object)) : nil
    }
    withExtendedLifetime(earlier) {}
  }

  /// Removes the entry of an object that may have been freed.
  ///
  /// - Parameters:
  ///   - address: Returns the key of the object; called under the lock.
  ///   - condition: Whether the companion is the one to remove: another object may have been allocated at that address,
  ///     and have an entry of its own.
  package func remove(at address: () -> UInt, if condition: (Companion) -> Bool) {
    let entry = state.withLock { state -> Entry? in
      let address = address()
      guard let entry = state.entries[address], condition(entry.companion) else { return nil }
      return state.entries.removeValue(forKey: address)
    }
    withExtendedLifetime(entry) {}
  }
}
