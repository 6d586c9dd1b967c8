// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// One companion for each of many objects, for as long as the object lives.
///
/// Objects are found by their address, and referred to weakly. An address may be used again, so an entry counts only if
/// it still refers to the very object. Entries of objects that are gone are cleared away as the table grows.
package final class ObjectTable<Companion: AnyObject & Sendable>: Sendable {
  private struct Entry {
    weak var object: AnyObject?
    let companion: Companion
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of entries at which those of dead objects are cleared away.
    var limit = 16

    func companion(of object: AnyObject) -> Companion? {
      guard let entry = entries[ObjectIdentifier(object)], entry.object === object else { return nil }
      return entry.companion
    }
  }

  private let state = Guarded(State())

  package init() {}

  /// The number of entries, some of which may be of objects that are gone.
  package var count: Int { state.withLock { $0.entries.count } }

  /// The companion of an object, if it has one.
  package func companion(of object: AnyObject) -> Companion? {
    state.withLock { $0.companion(of: object) }
  }

  /// The companion of an object; made now if the object has none.
  package func companion(of object: AnyObject, _ make: () -> Companion) -> Companion {
    if let known = companion(of: object) { return known }
    let made = make()
    // What goes out of the table is freed outside of the lock, and so are the objects looked at, in case that the table
    // has held the last reference for a moment.
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
