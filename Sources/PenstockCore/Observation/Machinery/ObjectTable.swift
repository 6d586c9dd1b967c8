// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A table with one companion per object, for the lifetime of the object.
///
/// Objects are keyed by address and referenced weakly. An address may be reused, so an entry is valid only if it still
/// references the same object. Entries of freed objects are removed as the table grows.
package final class ObjectTable<Companion: AnyObject & Sendable>: Sendable {
  private struct Entry {
    weak var object: AnyObject?
    let companion: Companion
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of entries at which entries of freed objects are removed.
    var limit = 16

    func companion(of object: AnyObject) -> Companion? {
      guard let entry = entries[ObjectIdentifier(object)], entry.object === object else { return nil }
      return entry.companion
    }
  }

  private let state = Guarded(State())

  package init() {}

  /// The number of entries, including some of freed objects.
  package var count: Int { state.withLock { $0.entries.count } }

  /// The companion of an object, if it has one.
  package func companion(of object: AnyObject) -> Companion? {
    state.withLock { $0.companion(of: object) }
  }

  /// The companion of an object, created if there is none.
  package func companion(of object: AnyObject, _ make: () -> Companion) -> Companion {
    if let known = companion(of: object) { return known }
    let made = make()
    // Removed entries are released outside the lock, and so are the objects read from weak references: for a moment the
    // table may hold the last reference to one.
    var looked: [AnyObject] = []
    var gone: [Entry] = []
    let companion = state.withLock { state in
      if let known = state.companion(of: object) { return known }
      if let stale = state.entries.updateValue(Entry(object: object, companion: made), forKey: ObjectIdentifier(object))
      {
        gone.append(stale)
      }
      if state.entries.count >= state.limit {
        for (key, entry) in state.entries {
          if let object = entry.object {
            looked.append(object)
          } else {
            gone.append(entry)
            state.entries[key] = nil
          }
        }
        state.limit = max(16, 2 * state.entries.count)
      }
      return made
    }
    withExtendedLifetime((looked, gone)) {}
    return companion
  }
}
